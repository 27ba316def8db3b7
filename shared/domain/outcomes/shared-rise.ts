import { featureSlot } from '../screening/features';
import { unpackVector } from '../screening/subjects/feature-vector-codec';
import type { LabelledScreening } from './kept-subject';

/*
 * An outage, or a bank's bad day, declines everybody: that proves nothing about anybody. An account keeps a tally of what
 * processors said, in steps of five minutes, in which a payment counts only if nothing that took part in it had a decline
 * before. So it counts people, not tries: somebody who tests a hundred cards on a device is one of them.
 */
export const TALLY_STEP_MS = 300_000;

/** A payment in the tally. */
export interface TalliedWord {
  readonly is_declined: boolean;
  /** By a user who had bought before: an attacker has few of these. */
  readonly is_known: boolean;
}

/** Counts of what was said about payments in one step. */
export interface TallyStep {
  readonly known: TallyCount;
  readonly others: TallyCount;
}

interface TallyCount {
  readonly all: number;
  readonly declined: number;
}

/** By the number of the step. */
export type ProcessorTally = ReadonlyMap<number, TallyStep>;

const DECLINES = (['user_declines_24h', 'device_declines_24h', 'ip_declines_24h'] as const).map(featureSlot);
const ESTABLISHED = featureSlot('user_tx_established');

/** How a payment counts in the tally; undefined if it does not, because something in it had a decline before. */
export function talliedWord(
  { vector }: Pick<LabelledScreening, 'vector'>,
  is_declined: boolean,
): TalliedWord | undefined {
  const values = unpackVector(vector);
  if (DECLINES.some((slot) => (values[slot] ?? 0) > 0)) return undefined;
  return { is_declined, is_known: (values[ESTABLISHED] ?? 0) >= 1 };
}

/** The last ten minutes, unless they are too quiet; then the last hour. */
const WINDOWS = [2, 12] as const;
const HOUR = 12;
const FEWEST = 10;
const FEWEST_DECLINED = 4;
const LEAST_SHARE = 0.2;
const RISE = 2;
/** Before anything is known, 8% of payments are assumed to be declined, with the weight of 50. */
const USUAL = { all: 50, declined: 4 };

const NOTHING: TallyCount = { all: 0, declined: 0 };
const plus = (a: TallyCount, b: TallyCount): TallyCount => ({ all: a.all + b.all, declined: a.declined + b.declined });

/** Whether so many people are being declined right now that one decline proves nothing. */
export function isSharedRise(tally: ProcessorTally, nowMs: number): boolean {
  const now = Math.floor(nowMs / TALLY_STEP_MS);
  const sum = (of: readonly (keyof TallyStep)[], isInside: (age: number) => boolean): TallyCount => {
    let total = NOTHING;
    for (const [step, counts] of tally) {
      if (isInside(now - step)) for (const kind of of) total = plus(total, counts[kind]);
    }
    return total;
  };
  for (const window of WINDOWS) {
    const inWindow = (age: number): boolean => age >= 0 && age < window;
    const known = sum(['known'], inWindow);
    const group = known.all >= FEWEST ? (['known'] as const) : (['known', 'others'] as const);
    const recent = sum(group, inWindow);
    if (recent.all < FEWEST) continue;
    const usual = plus(
      USUAL,
      sum(group, (age) => age >= HOUR),
    );
    const share = recent.declined / recent.all;
    return recent.declined >= FEWEST_DECLINED && share >= Math.max(LEAST_SHARE, (RISE * usual.declined) / usual.all);
  }
  return false;
}
