import {
  CASE_CLASSES,
  type CaseClass,
  DAY_MS,
  dayStart,
  HOUR_MS,
  MINUTE_MS,
  type Span,
  type Tally,
} from '../../domain/cases/case-tally';
import { lowestUlid, ulidTimeMs } from '../../domain/ulid';
import { busyDayKey, dayTallyPk, dayTallySk, hourTallyKey, tallyStepsPk } from '../keys';
import type { Table } from '../sdk/client';
import { getItem, queryAll } from '../sdk/table-calls';
import { ALL_SHARDS, BUSY_SHARDS, counterName, dayName, hourName } from './case-index';
import { FOLDS } from './tally-updates';

type Item = Record<string, unknown>;
type Counts = Record<CaseClass, number>;

interface TallySpan {
  readonly startMs: number;
  readonly stepMs: number;
  readonly parts: number;
}

const hoursOf = (item: Item): TallySpan => ({
  startMs: Date.parse((item.sk as string).slice(dayTallySk('').length)),
  stepMs: HOUR_MS,
  parts: 24,
});

const add = (into: Map<number, Counts>, at: number, caseClass: CaseClass, count: number): void => {
  const counts = into.get(at) ?? { unresolved: 0, approved: 0, rejected: 0 };
  counts[caseClass] += count;
  into.set(at, counts);
};

function addCounters(into: Map<number, Counts>, item: Item, { startMs, stepMs, parts }: TallySpan): void {
  for (let part = 0; part < parts; part++) {
    for (const caseClass of CASE_CLASSES) {
      const count = item[counterName(caseClass, part)] as number | undefined;
      if (count) add(into, startMs + part * stepMs, caseClass, count);
    }
  }
}

/** Adds a change that is not in the tallies yet, to the part of the time in which its case was opened. */
function addStep(into: Map<number, Counts>, item: Item, stepMs: number): void {
  const createdMs = ulidTimeMs(item.sk as string);
  const steps = item.steps as Partial<Counts>;
  for (const caseClass of CASE_CLASSES) {
    const count = steps[caseClass];
    if (count) add(into, createdMs - (createdMs % stepMs), caseClass, count);
  }
}

const isMark = ({ sk }: Item): boolean => (sk as string).endsWith('#BUSY');

// A fold takes a few milliseconds, and a shard has a few per second at worst.
const MOST_READS = 8;
const foldsOf = (items: readonly Item[]): string => items.map((item) => `${item.sk} ${item[FOLDS] ?? 0}`).join();

/**
 * A shard's tallies and what they do not include yet, as of one instant. A fold moves steps from the one into the other
 * and counts itself there, so what was read before and after the steps shows whether there was one.
 */
async function settled(readTallies: () => Promise<Item[]>, readSteps: () => Promise<Item[]>) {
  let before = await readTallies();
  for (let read = 1; ; read++) {
    const steps = await readSteps();
    const tallies = await readTallies();
    if (foldsOf(before) === foldsOf(tallies) || read === MOST_READS) return { tallies, steps };
    before = tallies;
  }
}

export function tallyReader(table: Table) {
  // A day that was busy stays one.
  const busyDays = new Set<string>();

  const days = (accountId: string, shard: number, { fromMs, toMs }: Span): Promise<Item[]> =>
    queryAll(table, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': dayTallyPk(accountId, shard),
        ':from': dayTallySk(dayName(fromMs)),
        // With the mark of the last day.
        ':to': busyDayKey(accountId, dayName(toMs)).sk,
      },
    });

  const steps = (accountId: string, shard: number, { fromMs, toMs }: Span): Promise<Item[]> =>
    queryAll(table, {
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': tallyStepsPk(accountId, shard),
        ':from': lowestUlid(fromMs),
        ':to': lowestUlid(toMs),
      },
    });

  async function hour(accountId: string, shard: number, hourMs: number): Promise<Item[]> {
    const Key = hourTallyKey(accountId, shard, dayName(hourMs), hourName(hourMs));
    const item = await getItem(table, Key);
    return item ? [item] : [];
  }

  const everywhere = <Found>(read: (shard: number) => Promise<Found>): Promise<Found[]> =>
    Promise.all([...ALL_SHARDS, ...BUSY_SHARDS].map(read));

  /** Whether cases of the day of this time may be in the shards of busy days, or not in its tallies yet. */
  async function isBusy(accountId: string, atMs: number): Promise<boolean> {
    const { pk, sk } = busyDayKey(accountId, dayName(atMs));
    if (busyDays.has(`${pk} ${sk}`)) return true;
    const found = await queryAll(table, {
      KeyConditionExpression: 'pk = :pk AND sk = :sk',
      ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
    });
    if (found.length > 0) busyDays.add(`${pk} ${sk}`);
    return found.length > 0;
  }

  return {
    isBusy,

    async hours(accountId: string, fromMs: number, toMs: number): Promise<Tally> {
      const span = { fromMs, toMs };
      const tally = new Map<number, Counts>();
      const ordinary = (await Promise.all(ALL_SHARDS.map((shard) => days(accountId, shard, span)))).flat();
      if (!ordinary.some(isMark)) {
        for (const item of ordinary) addCounters(tally, item, hoursOf(item));
        return tally;
      }
      const all = { fromMs: dayStart(fromMs), toMs: dayStart(toMs) + DAY_MS };
      const read = await everywhere((shard) =>
        settled(
          async () => (await days(accountId, shard, span)).filter((item) => !isMark(item)),
          () => steps(accountId, shard, all),
        ),
      );
      for (const item of read.flatMap(({ tallies }) => tallies)) addCounters(tally, item, hoursOf(item));
      for (const item of read.flatMap((each) => each.steps)) addStep(tally, item, HOUR_MS);
      return tally;
    },

    async minutes(accountId: string, hourMs: number): Promise<Tally> {
      const span = { startMs: hourMs, stepMs: MINUTE_MS, parts: 60 };
      const tally = new Map<number, Counts>();
      const [ordinary, wasBusy] = await Promise.all([
        Promise.all(ALL_SHARDS.map((shard) => hour(accountId, shard, hourMs))),
        isBusy(accountId, hourMs),
      ]);
      if (!wasBusy) {
        for (const item of ordinary.flat()) addCounters(tally, item, span);
        return tally;
      }
      const within = { fromMs: hourMs, toMs: hourMs + HOUR_MS };
      const read = await everywhere((shard) =>
        settled(
          () => hour(accountId, shard, hourMs),
          () => steps(accountId, shard, within),
        ),
      );
      for (const item of read.flatMap(({ tallies }) => tallies)) addCounters(tally, item, span);
      for (const item of read.flatMap((each) => each.steps)) addStep(tally, item, MINUTE_MS);
      return tally;
    },
  };
}
