import { addCounters, type Counters } from '../../../shared/domain/overview/overview-counters';
import { INTERVAL_MS, type Interval } from '../../../shared/domain/overview/overview-span';
import type { AccountOverviewDeps } from '../../../shared/usecases/overview/account-overview';
import type { TallyChangesDeps, TallyPart } from '../../../shared/usecases/overview/tally-changes';

/** An account's counters by hour and day, and how far each shard of the stream is counted. */
export type OverviewPort = TallyChangesDeps<unknown>['tallies'] & AccountOverviewDeps['counts'];

/** A transaction takes 100 items, the mark of the shard among them; a name has at most 64 kB. */
const MOST_PARTS = 99;
const LONGEST_NAME = 65_535;

const startOf = ({ interval, at_ms }: Pick<TallyPart, 'interval' | 'at_ms'>): number =>
  Math.floor(at_ms / INTERVAL_MS[interval]) * INTERVAL_MS[interval];

/** Overview counters in memory. */
export function memoryOverview(): OverviewPort {
  const marks = new Map<string, string>();
  const items = new Map<string, Counters>();
  const keyOf = (accountId: string, interval: Interval, startMs: number, about = ''): string =>
    `${accountId}/${interval}/${startMs}/${about}`;
  const itemOf = (part: TallyPart): string => keyOf(part.account_id, part.interval, startOf(part), part.about);

  const isImpossible = (parts: readonly TallyPart[]): boolean =>
    parts.length > MOST_PARTS ||
    new Set(parts.map(itemOf)).size < parts.length ||
    parts.some(
      ({ counters }) => counters.size === 0 || [...counters.keys()].some((name) => name.length > LONGEST_NAME),
    );

  return {
    counted: async (shardId) => marks.get(shardId),
    async add(shardId, before, after, parts) {
      if (isImpossible(parts)) return 'refused';
      if (marks.get(shardId) !== before) return 'moved';
      marks.set(shardId, after);
      for (const part of parts) {
        items.set(itemOf(part), addCounters(items.get(itemOf(part)) ?? new Map(), part.counters));
      }
      return 'counted';
    },
    async read(accountId, { interval, fromMs, toMs }, about) {
      const parts = new Map<number, Counters>();
      const last = startOf({ interval, at_ms: toMs - 1 });
      for (let at = startOf({ interval, at_ms: fromMs }); at <= last; at += INTERVAL_MS[interval]) {
        const counters = items.get(keyOf(accountId, interval, at, about));
        if (counters) parts.set(at, counters);
      }
      return parts;
    },
  };
}
