import { requestMark } from '../../../domain/entities/attempt-counts';
import type { Attempt } from '../../../domain/entities/entity-history';
import type { PlannedCount } from '../../../domain/rules/compile-counters';
import type { Prepared } from '../prepare';
import { type KnownRules, ruleSource, type ScreeningRules } from './rules';
import { NOTHING_MISSING, type Reading, type Source } from './source';

/** A counter after an attempt. */
export interface Counted {
  readonly name: string;
  /** This attempt included if it counts. */
  readonly value: number;
  /** Where this attempt was counted. @default nowhere */
  readonly item?: string | undefined;
  /** The mark of another request with the same `Idempotency-Key` that counted it. @default this request did */
  readonly counted_by?: string | undefined;
  readonly trim?: ((limitMs: number) => Promise<void>) | undefined;
}

/** The account's own counters, as a screening needs them. */
export interface CounterPorts {
  readonly rules: ScreeningRules;
  readonly counters: {
    count(accountId: string, plan: PlannedCount, attempt: Attempt, limitMs: number): Promise<Counted>;
    /** Takes an attempt back; without `item` it is not certain that it was counted, since no response came. */
    uncount(
      accountId: string,
      plan: PlannedCount,
      attempt: Attempt,
      from: { readonly item?: string | undefined; readonly limitMs: number },
    ): Promise<void>;
  };
}

/** The counters that could be read. */
export interface CountersReading extends Reading {
  readonly planned: readonly PlannedCount[];
  readonly counted: readonly Counted[];
  /** By name, for rules; undefined if there are none. */
  readonly values: Readonly<Record<string, number>> | undefined;
  /** The values that rules for this kind of subject read, which a decision shows. */
  readonly read: Readonly<Record<string, number>> | undefined;
}

const NONE: CountersReading = {
  planned: [],
  counted: [],
  values: undefined,
  read: undefined,
  missing: NOTHING_MISSING,
};
const UNDO_LIMIT_MS = 800;

async function countAll(
  { counters }: CounterPorts,
  { caller: { account_id }, attempt }: Prepared,
  planned: readonly PlannedCount[],
  limitMs: number,
): Promise<CountersReading> {
  const pending = planned.map((plan) => counters.count(account_id, plan, attempt, limitMs).catch(() => undefined));
  const found = await Promise.all(pending);
  const counted = found.filter((each) => each !== undefined);
  const missing = planned.filter((_, at) => found[at] === undefined).map(({ name }) => `counter ${name}`);
  const values: Record<string, number> = {};
  const read: Record<string, number> = {};
  for (const { name, value } of counted) {
    values[name] = value;
    if (planned.some((plan) => plan.name === name && plan.isRead)) read[name] = value;
  }
  return { planned, counted, values, read: Object.keys(read).length === 0 ? undefined : read, missing };
}

/** The account's own counters: each counts the attempt if it matches, and says what it has counted. */
export const counterSource: Source<'counters', CounterPorts, CountersReading> = {
  name: 'counters',
  read(ports, prepared, limitMs) {
    const known = ports.rules.current(prepared.caller.account_id);
    const start = ({ counters }: KnownRules): CountersReading | Promise<CountersReading> => {
      if (prepared.forced) return NONE;
      const { subject, ip, email, attempt, pseudonyms, refs, caller } = prepared;
      const planned = counters({ subject, ip, email, attempt, pseudonyms, refs, accountId: caller.account_id });
      return planned.length === 0 ? NONE : countAll(ports, prepared, planned, limitMs);
    };
    return known instanceof Promise ? known.then(start) : start(known);
  },
  // Without the rules nobody asks for them.
  without: () => NONE,
  /** As for histories: what the stored request found counted by this one, and relied on, stays. */
  async undo({ counters }, { caller: { account_id }, attempt }, { planned, counted }, stored) {
    const mine = stored?.counted_by && requestMark(attempt);
    const undoing = planned.map((plan) => {
      const known = counted.find(({ name }) => name === plan.name);
      const isReliedOn = mine !== undefined && stored?.counted_by?.[plan.entity] === mine;
      if (isReliedOn || (known !== undefined && known.item === undefined)) return undefined;
      return counters.uncount(account_id, plan, attempt, { item: known?.item, limitMs: UNDO_LIMIT_MS });
    });
    await Promise.allSettled(undoing);
  },
  standIn: {
    ...ruleSource.standIn,
    counters: { count: async (_accountId, { name }) => ({ name, value: 0 }), uncount: async () => undefined },
  },
};
