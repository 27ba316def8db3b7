import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { isAfter } from '../../domain/sequence-number';
import { ALL_SHARDS, BUSY_SHARDS } from '../cases/case-index';
import { stepFolder } from '../cases/step-folder';
import { overviewMarkKey, overviewPk, PARTITION, tallyStepsPk } from '../keys';
import { SLOTS } from '../overview/overview-store';
import { falseIfRefused, type Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import {
  arrivedItem,
  isPending,
  keyOfItem,
  kindOf,
  LATE_KINDS,
  markedItem,
  nameOfKey,
  type StoredItem,
  travelOf,
} from './account-items';
import { type CellTable, cellTable } from './cell-table';

/** Dependencies of bringing what comes late. */
export interface LateDeps {
  readonly accountId: string;
  readonly moveId: string;
  readonly source: Table;
  readonly target: Table;
  readonly newMark: () => string;
}

/** A copy of ours, or nothing: what the other deployment wrote itself is never replaced. */
const OURS = 'attribute_not_exists(pk) OR attribute_exists(moved)';
const ABSENT = 'attribute_not_exists(pk)';

/**
 * What the deployment that an account has left still does for it: it counts the last minutes, notes links, and brings to an
 * end the deliveries of events that happened there. None of it is ever written at the other end, so that it can follow later.
 */
export function lateItems({ accountId, moveId, source, target, newMark }: LateDeps) {
  const [here, there]: [CellTable, CellTable] = [cellTable(source), cellTable(target)];

  /** Adds what an item counts to what the other end has counted, once. */
  async function addCounts(item: StoredItem): Promise<void> {
    const { pk, sk, entity, ttl, moved, ...counters } = item;
    const steps = Object.entries(counters).filter(([, { N: count }]) => count !== undefined && count !== '0');
    if (!pk || !sk || !entity || !ttl || steps.length === 0) return;
    const command = new UpdateItemCommand({
      TableName: target.name,
      Key: { pk, sk },
      UpdateExpression: `ADD ${steps.map((_, i) => `#${i} :${i}`).join(', ')} SET entity = :entity, #ttl = :ttl, moved = :id`,
      ConditionExpression: 'attribute_not_exists(moved) OR moved <> :id',
      ExpressionAttributeNames: { '#ttl': 'ttl', ...Object.fromEntries(steps.map(([name], i) => [`#${i}`, name])) },
      ExpressionAttributeValues: {
        ...{ ':entity': entity, ':ttl': ttl, ':id': { S: moveId } },
        ...Object.fromEntries(steps.map(([, count], i) => [`:${i}`, count])),
      },
    });
    await target.client.send(command).catch(falseIfRefused);
  }

  async function bring(item: StoredItem): Promise<void> {
    const isDelivered = kindOf(keyOfItem(item)) === PARTITION.deliveries;
    await there.put(markedItem(arrivedItem(item, true), newMark()), isDelivered ? OURS : ABSENT);
  }

  return {
    /** Whether the overview includes everything that these shards say happened here. */
    async isCounted(last: ReadonlyMap<string, string>): Promise<boolean> {
      const keys = [...last.keys()].map(overviewMarkKey);
      const marks = await here.get(keys);
      return [...last].every(([shardId, sequence]) => {
        const mark = marks.get(nameOfKey(overviewMarkKey(shardId)))?.sequence?.S;
        return mark !== undefined && !isAfter(sequence, mark);
      });
    },

    /** Adds all counts of the overview to those at the other end; once, however often it is asked to. */
    async addOverview(): Promise<number> {
      const slots = await Promise.all(
        Array.from({ length: SLOTS }, (_, slot) => here.query(overviewPk(accountId, slot))),
      );
      for (const item of slots.flat()) await addCounts(item);
      return slots.flat().length;
    },

    /** Brings what was written late, of changes that the stream told of. */
    async bringLate(keys: readonly Key[]): Promise<number> {
      const found = await here.get(keys.filter((key) => LATE_KINDS.has(kindOf(key))));
      for (const item of found.values()) await bring(item);
      return found.size;
    },

    bring,

    /** Brings everything that may have come late, and counts the deliveries that are still on their way. */
    async *bringAll(): AsyncGenerator<{ readonly brought: number; readonly pending: number }> {
      for await (const items of here.scan(accountId)) {
        const late = items.filter(
          (item) => travelOf(item, accountId) === 'copied' && LATE_KINDS.has(kindOf(keyOfItem(item))),
        );
        for (const item of late) await bring(item);
        yield { brought: late.length, pending: late.filter(isPending).length };
      }
    },

    /** Sweeps find nothing here any more: the other end looks after it now. */
    async silence(keys: readonly Key[]): Promise<void> {
      for (const { pk, sk } of keys) {
        const command = new UpdateItemCommand({
          TableName: source.name,
          Key: { pk: { S: pk }, sk: { S: sk } },
          UpdateExpression: 'REMOVE due_pk, due_sk',
          ConditionExpression: 'attribute_exists(pk)',
        });
        await source.client.send(command).catch(falseIfRefused);
      }
    },

    /** Counts every case that was only noted: the tallies are complete, and no note is left to be copied. */
    async foldSteps(): Promise<void> {
      const folder = stepFolder(source);
      for (const shard of [...ALL_SHARDS, ...BUSY_SHARDS]) {
        const steps = await here.query(tallyStepsPk(accountId, shard));
        await folder.fold(
          steps.map((item) => ({
            ...keyOfItem(item),
            steps: Object.fromEntries(
              Object.entries(item.steps?.M ?? {}).map(([name, { N: count }]) => [name, Number(count)]),
            ),
          })),
        );
      }
    },
  };
}
