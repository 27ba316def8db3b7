import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Table } from '../../../shared/store/sdk/client';
import { unpackBody } from '../../../shared/store/webhooks/packed-message';

type Item = Record<string, AttributeValue>;

/** Bytes as the text that they would be, one character each: messages and packed entities are stored as bytes. */
const asText = (_name: string, value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  return value instanceof Set ? [...value] : value;
};

/** Every item of a table, or of one of its indexes. */
export async function everyItem({ client, name }: Table, IndexName?: string): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const index = IndexName === undefined ? { ConsistentRead: true } : { IndexName };
    const page = await client.send(new ScanCommand({ TableName: name, ExclusiveStartKey: from, ...index }));
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
}

/** The forms in which a value or a pseudonym may be stored: as text, and as the bytes that a pseudonym is packed into. */
export function formsOf(value: string): string[] {
  const [, digest] = /^[0-9a-z]\.([\w-]{22})$/.exec(value) ?? [];
  // Without the last byte, which packing shares with the next value.
  const packed =
    digest && JSON.stringify(Buffer.from(digest, 'base64url').toString('latin1').slice(0, 16)).slice(1, -1);
  return packed ? [value, packed] : [value];
}

/** A message that is stored with its delivery, as what it says. */
const unpacked = ({ packed }: Item): string => (packed?.B ? unpackBody(packed.B) : '');

/** Which of these values occur in items, in whatever form. */
export function foundIn(items: readonly Item[], values: readonly string[]): string[] {
  const text = items.map((item) => `${JSON.stringify(item, asText)}${unpacked(item)}`).join('\n');
  return values.filter((value) => formsOf(value).some((form) => text.includes(form)));
}

/** Which of these values the functions of a run have logged. */
export function foundInLogs(dataDir: string, values: readonly string[]): string[] {
  const logs = join(dataDir, 'logs');
  const files = readdirSync(logs, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'));
  return values.filter((value) => texts.some((text) => text.includes(value)));
}
