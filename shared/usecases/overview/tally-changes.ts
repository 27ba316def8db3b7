import { DomainError } from '../../domain/errors';
import { addCounters, type Counters } from '../../domain/overview/overview-counters';
import { COUNTED_HOURS_MS } from '../../domain/overview/overview-span';

/** The counts that a stream record adds to an account's counters, and its position in its shard. */
export interface TallyChange {
  readonly sequence: string;
  readonly account_id: string;
  /** When the subject was screened: the time at which it is counted. */
  readonly at_ms: number;
  readonly counters: Counters;
  /** Analysts' actions are counted in their own items. @default screenings and labels */
  readonly about?: 'desk' | undefined;
}

/** Counters that belong to one tally item. */
export interface TallyPart {
  readonly account_id: string;
  readonly interval: 'hour' | 'day';
  readonly at_ms: number;
  readonly counters: Counters;
  readonly about?: 'desk' | undefined;
}

/** Dependencies of counting changes. */
export interface TallyChangesDeps<Raw> {
  readonly clock: { now(): number };
  readonly read: (raw: Raw) => Omit<TallyChange, 'sequence'> | undefined;
  readonly tallies: {
    counted(shardId: string): Promise<string | undefined>;
    /** Counts and moves the shard's mark from `before` to `after`, together; `moved` if the mark is elsewhere. */
    add(
      shardId: string,
      before: string | undefined,
      after: string,
      parts: readonly TallyPart[],
    ): Promise<'counted' | 'moved' | 'refused'>;
  };
  readonly report: (problem: string, error: unknown) => void;
}

/** A record of the stream and its number. */
export interface NumberedRecord<Raw> {
  readonly sequence: string;
  readonly raw: Raw;
}

/** The result of a batch. */
export interface TallyReport {
  readonly counted: number;
  /** Records that were already counted: the stream delivers at least once. */
  readonly repeated: number;
  readonly skipped: number;
  /** The first record that the stream should hand over again, with all after it. */
  readonly failed: string | undefined;
}

// A DynamoDB transaction takes 100 items: the mark, and the tally items of a group of changes.
const MAX_ITEMS = 90;
const MAX_RIVALS = 3;

/**
 * Counts each change of a shard exactly once. The shard's mark moves in one DynamoDB transaction with the counters:
 *
 *   … ──counted──┤mark├──to be counted──►      a batch that comes again lies behind the mark, in whole or in part
 *
 * A shard has one order and its numbers rise, so "behind the mark" is all there is to remember.
 */
export async function tallyChanges<Raw>(
  deps: TallyChangesDeps<Raw>,
  shardId: string,
  records: readonly NumberedRecord<Raw>[],
): Promise<TallyReport> {
  const oldestHourMs = deps.clock.now() - COUNTED_HOURS_MS;
  const { changes, unreadable } = readAll(deps, records);
  let mark = await deps.tallies.counted(shardId);
  let rest = after(mark, changes);
  const report = { counted: 0, repeated: changes.length - rest.length, skipped: unreadable };
  const again = (): TallyReport => ({ ...report, failed: rest[0]?.sequence });

  for (let most = rest.length, rivals = 0; rest.length > 0; ) {
    const { group, parts } = firstGroup(rest.slice(0, most), oldestHourMs);
    const last = group.at(-1)?.sequence ?? '';
    let outcome: 'counted' | 'moved' | 'refused';
    try {
      outcome = await deps.tallies.add(shardId, mark, last, parts);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'unavailable')) throw error;
      deps.report('changes could not be counted yet', error);
      return again();
    }
    if (outcome === 'moved') {
      // An earlier call, presumed lost, was still running: what it has counted is now behind the mark.
      if (++rivals > MAX_RIVALS) return again();
      mark = await deps.tallies.counted(shardId);
      const left = after(mark, rest);
      report.repeated += rest.length - left.length;
      rest = left;
      continue;
    }
    if (outcome === 'refused' && group.length > 1) {
      // One of them is at fault, and only that one must be left out.
      most = Math.ceil(group.length / 2);
      continue;
    }
    if (outcome === 'refused') {
      deps.report('a change cannot be counted', new Error(`The table refuses record ${last}`));
      report.skipped++;
    } else {
      mark = last;
      report.counted += group.length;
    }
    rest = rest.slice(group.length);
    most = rest.length;
  }
  return { ...report, failed: undefined };
}

/** A record that cannot be parsed is reported and left out: a retry would not help. */
function readAll<Raw>({ read, report }: TallyChangesDeps<Raw>, records: readonly NumberedRecord<Raw>[]) {
  const changes: TallyChange[] = [];
  let unreadable = 0;
  for (const { sequence, raw } of records) {
    try {
      const change = read(raw);
      if (change) changes.push({ sequence, ...change });
    } catch (error) {
      report('a record of the stream cannot be read', error);
      unreadable++;
    }
  }
  return { changes, unreadable };
}

const after = (mark: string | undefined, changes: readonly TallyChange[]): readonly TallyChange[] =>
  changes.filter(({ sequence }) => isAfter(sequence, mark));

/** Sequence numbers are decimal and differ in length. */
const isAfter = (sequence: string, mark: string | undefined): boolean =>
  mark === undefined || BigInt(sequence) > BigInt(mark);

/** As many changes, starting with the first, as one DynamoDB transaction holds, and their counters per hour and day. */
function firstGroup(changes: readonly TallyChange[], oldestHourMs: number) {
  const parts = new Map<string, TallyPart>();
  let size = 0;
  for (const { account_id, at_ms, counters, about } of changes) {
    // Hours only while they are still shown.
    const intervals = at_ms < oldestHourMs ? (['day'] as const) : (['hour', 'day'] as const);
    const keys = intervals.map((interval) => `${account_id} ${isoPrefix(at_ms, interval)} ${about ?? ''}`);
    if (parts.size + keys.filter((key) => !parts.has(key)).length > MAX_ITEMS) break;
    intervals.forEach((interval, i) => {
      const key = keys[i] as string;
      const sum = addCounters(parts.get(key)?.counters ?? new Map(), counters);
      parts.set(key, { account_id, interval, at_ms, counters: sum, about });
    });
    size++;
  }
  return { group: changes.slice(0, size), parts: [...parts.values()].filter(({ counters }) => counters.size > 0) };
}

const isoPrefix = (ms: number, interval: 'hour' | 'day'): string =>
  new Date(ms).toISOString().slice(0, interval === 'hour' ? 13 : 10);
