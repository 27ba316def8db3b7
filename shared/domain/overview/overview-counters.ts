import type { Label } from '../cases/outcome';
import { toUsd } from '../screening/currency-rates';
import type { Decision } from '../screening/decide';
import { isRuleContribution } from '../screening/decide-by-policy';
import type { ScreeningRecord } from '../screening/subjects/screening-record';

/*
 * The counts of an account's overview, per hour and per day. Counters have names:
 *
 *   allow, challenge, review, block screenings by decision
 *   transaction, event              screenings by what was screened
 *   s12:review                      screenings with a score of 60 to 64, by decision
 *   n:velocity_spike                screenings in which a signal was active
 *   r:gift-cards                    screenings that a rule matched, in shadow or not
 *   review:fraud                    subjects that people have labelled, by the automated decision …
 *   s12:fraud, n:velocity_spike:fraud   … by score, and by signal
 *   u:block                         amounts in US cents, by the current decision; of what is allowed none are kept
 *   d:block                         how many more have this decision by a person's word, or fewer
 *   missed, u:missed                allowed payments that somebody outside reported as fraud, and their amounts
 *
 * Everything, labels included, is counted at the time of the screening: what an hour's screenings turned out to be.
 */
export type Counters = ReadonlyMap<string, number>;

export const DECISIONS = ['allow', 'challenge', 'review', 'block'] as const satisfies readonly Decision[];
export const LABELS = ['fraud', 'legitimate'] as const satisfies readonly Label[];

/** Scores are counted in bands of five points; 100 belongs to the last band. */
export const BAND_POINTS = 5;
export const BANDS = 100 / BAND_POINTS;
export const bandOf = (score: number): number => Math.min(BANDS - 1, Math.floor(score / BAND_POINTS));

export const bandCounter = (band: number, of: Decision | Label): string => `s${band}:${of}`;
export const decisionCounter = (decision: Decision, label: Label): string => `${decision}:${label}`;
const SIGNAL = 'n:';
export const signalCounter = (signal: string, label?: Label): string => `${SIGNAL}${signal}${label ? `:${label}` : ''}`;

/** The signal whose screenings a counter counts; undefined for any other counter. */
export const signalOfCounter = (name: string): string | undefined =>
  name.startsWith(SIGNAL) && !name.includes(':', SIGNAL.length) ? name.slice(SIGNAL.length) : undefined;

/** Screenings that a rule matched, in shadow or not. */
const RULE = 'r:';
export const ruleCounter = (rule: string): string => `${RULE}${rule}`;

type Counted = Pick<
  ScreeningRecord,
  | 'subject_type'
  | 'automated_decision'
  | 'risk_score'
  | 'contributions'
  | 'rules'
  | 'shadow_rules'
  | 'amount'
  | 'currency'
  | 'decided_by'
>;

const rulesOf = ({ rules = [], shadow_rules = [] }: Counted): string[] =>
  [...rules, ...shadow_rules].map(({ name }) => name);

const signalsOf = ({ contributions }: Counted): string[] =>
  contributions.filter((each) => each.points > 0 && !isRuleContribution(each)).map(({ signal }) => signal);

/** The net number of screenings moved to this decision by people. */
export const movedCounter = (decision: Decision): string => `d:${decision}`;
export const MISSED = 'missed';
/** Amounts in US cents: whole numbers add up exactly. */
export const centsCounter = (of: Decision | typeof MISSED): string => `u:${of}`;

type Paid = Pick<ScreeningRecord, 'subject_type' | 'amount' | 'currency'>;

const centsOf = ({ subject_type, amount, currency }: Paid): number =>
  subject_type === 'transaction' && amount !== undefined && currency !== undefined
    ? Math.round((toUsd(amount, currency) ?? 0) * 100)
    : 0;

/** Amounts that were allowed interest nobody, and would be in every item. */
const valueSteps = (paid: Paid, decision: Decision, step: 1 | -1): ReadonlyArray<readonly [string, number]> => {
  const cents = decision === 'allow' ? 0 : centsOf(paid);
  return cents === 0 ? [] : [[centsCounter(decision), step * cents]];
};

/** Counters for a person's word that replaces one decision by another. */
export function movedCounters(paid: Paid, before: Decision, after: Decision): Counters {
  if (before === after) return new Map();
  return new Map([
    [movedCounter(before), -1],
    [movedCounter(after), 1],
    ...valueSteps(paid, before, -1),
    ...valueSteps(paid, after, 1),
  ]);
}

/** Counters for a payment that becomes a missed fraud, or stops being one. */
export function missedCounters(paid: Paid, before: boolean, after: boolean): Counters {
  const step = Number(after) - Number(before);
  const cents = centsOf(paid);
  if (step === 0) return new Map();
  return new Map([[MISSED, step], ...(cents === 0 ? [] : [[centsCounter(MISSED), step * cents] as const])]);
}

/** A decision forced by a sandbox request has no user, so it is in no list, except that of its case. */
const isInList = ({ decided_by, automated_decision }: Counted): boolean =>
  decided_by?.kind !== 'sandbox' || automated_decision === 'review';

/** Counters for a new screening. */
export function screenedCounters(record: Counted): Counters {
  const { subject_type, automated_decision, risk_score } = record;
  return new Map([
    [automated_decision, 1],
    [subject_type, 1],
    [bandCounter(bandOf(risk_score), automated_decision), 1],
    ...(isInList(record)
      ? valueSteps(record, automated_decision, 1)
      : [[movedCounter(automated_decision), -1] as const]),
    ...signalsOf(record).map((signal) => [signalCounter(signal), 1] as const),
    ...rulesOf(record).map((rule) => [ruleCounter(rule), 1] as const),
  ]);
}

/** Counters for a subject's new label, minus those for the label it replaces. */
export function labelledCounters(record: Counted, before: Label | undefined, after: Label | undefined): Counters {
  const { automated_decision, risk_score } = record;
  const counters = new Map<string, number>();
  if (before === after) return counters;
  for (const [label, step] of [[before, -1] as const, [after, 1] as const]) {
    if (label === undefined) continue;
    counters.set(decisionCounter(automated_decision, label), step);
    counters.set(bandCounter(bandOf(risk_score), label), step);
    for (const signal of signalsOf(record)) counters.set(signalCounter(signal, label), step);
  }
  return counters;
}

/** Adds counters up; those that come to zero are left out. */
export function addCounters(...all: readonly Counters[]): Counters {
  const sum = new Map<string, number>();
  for (const counters of all) for (const [name, value] of counters) sum.set(name, (sum.get(name) ?? 0) + value);
  for (const [name, value] of sum) if (value === 0) sum.delete(name);
  return sum;
}
