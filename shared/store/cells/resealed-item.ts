import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Sealer } from '../../domain/sealer';
import { sealedTexts } from '../secrets/sealed-store';
import type { StoredItem } from './account-items';

/** An item with its sealed texts changed. */
async function withTexts(
  item: StoredItem,
  change: (text: string, context: string) => Promise<string>,
): Promise<StoredItem> {
  const texts = sealedTexts(unmarshall({ ...item })).filter(({ text }) => text !== '');
  if (texts.length === 0) return item;
  const changed = await Promise.all(
    texts.map(async ({ attribute, text, context }) => [attribute, { S: await change(text, context) }] as const),
  );
  return { ...item, ...Object.fromEntries(changed) };
}

/** With its texts in the clear, to be compared and sealed again; never to be stored. */
export const openedItem = (item: StoredItem, { open }: Pick<Sealer, 'open'>): Promise<StoredItem> =>
  withTexts(item, open);

export const sealedItem = (item: StoredItem, { seal }: Pick<Sealer, 'seal'>): Promise<StoredItem> =>
  withTexts(item, seal);

/** As another deployment seals it. */
export const resealedItem = (item: StoredItem, from: Sealer, to: Sealer): Promise<StoredItem> =>
  withTexts(item, async (text, context) => to.seal(await from.open(text, context), context));
