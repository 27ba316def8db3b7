import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { unavailable } from '../../domain/errors';
import { reach, type Table } from './client';
import type { Key } from './key';

type Item = Record<string, unknown>;

/** DynamoDB takes at most this many keys per call, and no duplicates. */
const MOST_KEYS = 100;

const nameOf = ({ pk, sk }: Key): string => `${pk}\n${sk}`;

/**
 * Reads items, consistently, in as few calls as possible.
 * @returns a lookup; it @throws `unavailable` for an item that DynamoDB, being busy, left out: the others were read
 */
export async function batchGet(table: Table, keys: readonly Key[]): Promise<(key: Key) => Item | undefined> {
  const asked = [...new Map(keys.map(({ pk, sk }) => [nameOf({ pk, sk }), { pk, sk }])).values()];
  const found = new Map<string, Item>();
  const leftOut = new Set<string>();
  for (let at = 0; at < asked.length; at += MOST_KEYS) {
    const Keys = asked.slice(at, at + MOST_KEYS);
    const command = new BatchGetCommand({ RequestItems: { [table.name]: { Keys, ConsistentRead: true } } });
    const { Responses, UnprocessedKeys } = await reach(() => table.client.send(command));
    for (const item of Responses?.[table.name] ?? []) found.set(nameOf(item as unknown as Key), item);
    for (const key of UnprocessedKeys?.[table.name]?.Keys ?? []) leftOut.add(nameOf(key as unknown as Key));
  }
  return (key) => {
    if (leftOut.has(nameOf(key))) throw unavailable(new Error('DynamoDB had no time for an item of a batch'));
    return found.get(nameOf(key));
  };
}
