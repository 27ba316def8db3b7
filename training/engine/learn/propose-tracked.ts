import type { AttributeProposal } from '../../../shared/domain/models/model-artefact';

export interface LabelledAttempt {
  readonly label: 0 | 1;
  readonly screened_at_ms: number;
  readonly labeled_at_ms: number;
  /** @default 1 */
  readonly weight?: number;
  /** A history that is kept already (user, device, IP address) had confirmed fraud: a further one adds nothing. */
  readonly isKnown: boolean;
}

export interface AttributeValuesById {
  readonly key: string;
  /** A number for each value; −1 where it was not sent. */
  readonly values: ArrayLike<number>;
}

/** Fewer rows with the attribute, or fewer values, say nothing that a category would not say. */
const LEAST_ROWS = 100;
const LEAST_VALUES = 20;
/** The share of rows whose value has occurred before: order numbers never do, and have no history to keep. */
const LEAST_REPEATED = 0.3;
/** A history is bad when its smoothed share of fraud is this many times the usual one. */
const BAD_TIMES = 3;
const PRIOR_ROWS = 20;
/** After a bad history fraud must be this many times as likely, even at the lower end of the 95% interval. */
const LEAST_LIFT = 2;
const LEAST_FRAUD_AFTER = 5;
const MOST_PROPOSALS = 5;

interface Tally {
  rows: number;
  fraud: number;
}

/**
 * Attributes whose values deserve their own history: many values, that come back, and after whose bad history fraud is
 * more likely. Evaluated as a screening would have known it: by labels that were known before the attempt, and only on attempts
 * of which no other history spoke. Best first: the one that would have warned of most fraud.
 */
export function proposeTracked(
  attempts: readonly LabelledAttempt[],
  columns: Iterable<AttributeValuesById>,
): AttributeProposal[] {
  const order = timeOrder(attempts);
  const found: Array<{ readonly proposal: AttributeProposal; readonly warned: number }> = [];
  for (const { key, values } of columns) {
    const { present, repeated, distinct, all, after, fraudAfter, rowsAfter } = walk(attempts, order, values);
    if (present < LEAST_ROWS || distinct < LEAST_VALUES || repeated < LEAST_REPEATED * present) continue;
    if (fraudAfter < LEAST_FRAUD_AFTER || all.fraud === 0) continue;
    const usual = all.fraud / all.rows;
    const share = after.fraud / after.rows;
    // Weights say how much traffic a row stands for, not how much evidence it is: the interval counts rows.
    if (surely(share, rowsAfter) < LEAST_LIFT * usual) continue;
    const lift = Number((share / usual).toPrecision(3));
    const warned = after.fraud - after.rows * usual;
    found.push({ proposal: { key, values: distinct, repeated: repeated / present, lift }, warned });
  }
  return found
    .sort((a, b) => b.warned - a.warned)
    .slice(0, MOST_PROPOSALS)
    .map(({ proposal }) => proposal);
}

/** The least share that so many rows support: the lower end of Wilson's 95% interval. */
function surely(share: number, rows: number): number {
  const z2 = 1.96 ** 2;
  const half = Math.sqrt(z2 * ((share * (1 - share)) / rows + z2 / (4 * rows * rows)));
  return (share + z2 / (2 * rows) - half) / (1 + z2 / rows);
}

/** Attempts of users whose fraud was known before: their own history said it already. */
export function hadFraudBefore(
  attempts: ReadonlyArray<Omit<LabelledAttempt, 'isKnown'>>,
  users: ArrayLike<number>,
): boolean[] {
  const known = new Array<boolean>(attempts.length).fill(false);
  const fraudulent = new Set<number>();
  inTime(attempts, timeOrder(attempts), {
    screened: (at) => {
      known[at] = fraudulent.has(users[at] as number);
    },
    labelled: (at) => {
      if ((attempts[at] as LabelledAttempt).label === 1) fraudulent.add(users[at] as number);
    },
  });
  return known;
}

interface TimeOrder {
  readonly byTime: Uint32Array;
  readonly byLabelTime: Uint32Array;
}

type Timed = Pick<LabelledAttempt, 'screened_at_ms' | 'labeled_at_ms'>;

function timeOrder(attempts: readonly Timed[]): TimeOrder {
  const at = (i: number) => attempts[i] as Timed;
  const positions = Uint32Array.from(attempts, (_, i) => i);
  return {
    byTime: positions.slice().sort((a, b) => at(a).screened_at_ms - at(b).screened_at_ms),
    byLabelTime: positions.slice().sort((a, b) => at(a).labeled_at_ms - at(b).labeled_at_ms),
  };
}

/** Visits every screening in the order of time, after the labels that were known by then. */
function inTime(
  attempts: readonly Timed[],
  { byTime, byLabelTime }: TimeOrder,
  visit: { screened(at: number): void; labelled(at: number): void },
): void {
  let known = 0;
  for (const at of byTime) {
    const { screened_at_ms } = attempts[at] as Timed;
    for (; known < byLabelTime.length; known++) {
      const labelled = byLabelTime[known] as number;
      if ((attempts[labelled] as Timed).labeled_at_ms > screened_at_ms) break;
      visit.labelled(labelled);
    }
    visit.screened(at);
  }
}

function walk(attempts: readonly LabelledAttempt[], order: TimeOrder, values: ArrayLike<number>) {
  const seen = new Set<number>();
  const tallies = new Map<number, Tally>();
  /** Labels known so far, for the prior; attempts that no history spoke of; and those of them after a bad history. */
  const past: Tally = { rows: 0, fraud: 0 };
  const all: Tally = { rows: 0, fraud: 0 };
  const after: Tally = { rows: 0, fraud: 0 };
  let [present, repeated, rowsAfter, fraudAfter] = [0, 0, 0, 0];
  const count = (tally: Tally, { label, weight = 1 }: LabelledAttempt) => {
    tally.rows += weight;
    tally.fraud += weight * label;
  };
  inTime(attempts, order, {
    labelled(at) {
      const value = values[at] as number;
      const attempt = attempts[at] as LabelledAttempt;
      count(past, attempt);
      if (value < 0) return;
      const tally = tallies.get(value) ?? { rows: 0, fraud: 0 };
      tallies.set(value, tally);
      count(tally, attempt);
    },
    screened(at) {
      const value = values[at] as number;
      if (value < 0) return;
      const attempt = attempts[at] as LabelledAttempt;
      present++;
      if (seen.has(value)) repeated++;
      else seen.add(value);
      if (attempt.isKnown) return;
      count(all, attempt);
      const tally = tallies.get(value);
      if (tally === undefined || tally.fraud === 0) return;
      const prior = (past.fraud + 1) / (past.rows + 100);
      if ((tally.fraud + prior * PRIOR_ROWS) / (tally.rows + PRIOR_ROWS) < BAD_TIMES * prior) return;
      count(after, attempt);
      rowsAfter++;
      fraudAfter += attempt.label;
    },
  });
  return { present, repeated, distinct: seen.size, all, after, rowsAfter, fraudAfter };
}
