import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { accountOfPk } from './keys';

type Image = Readonly<Record<string, unknown>>;

export interface ChangeRecord {
  readonly eventName?: 'INSERT' | 'MODIFY' | 'REMOVE' | undefined;
  readonly dynamodb?: { readonly NewImage?: Image | undefined; readonly OldImage?: Image | undefined } | undefined;
}

const itemOf = (image: Image): Record<string, unknown> => unmarshall(image as Record<string, AttributeValue>);

/** The item of a change as it is now and as it was, and whose it is; undefined if it was removed. */
export function itemsOf({ eventName, dynamodb: { NewImage, OldImage } = {} }: ChangeRecord) {
  if (!NewImage || eventName === 'REMOVE') return undefined;
  const now = itemOf(NewImage);
  // A result says it with its key only.
  const account_id = (now.account_id as string | undefined) ?? accountOfPk(now.pk as string);
  return { now, before: OldImage && itemOf(OldImage), account_id };
}
