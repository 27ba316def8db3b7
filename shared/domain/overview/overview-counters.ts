import type { Label } from '../cases/outcome';
import { isRuleContribution } from '../rules/judge';
import type { Decision } from '../screening/decide';
import type { ScreeningRecord } from '../screening/subjects/screening-record';

/*
 * What an account's overview counts, per hour and per day. Counters have names:
 *
 *   allow, challenge, review, block screenings by decision
 *   transaction, event              screenings by what was screened
 *   s12:review                      screenings with a score of 60 to 64, by decision
 *   n:velocity_spike                screenings in which a signal was active
 *   r:gift-cards                    screenings that a rule matched, in shadow or not
 *   review:fraud                    subjects that people have labelled, by the automated decision …
 *   s12:fraud, n:velocity_spike:fraud   … by score, and by signal
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
  'subject_type' | 'automated_decision' | 'risk_score' | 'contributions' | 'rules' | 'shadow_rules'
>;

const rulesOf = ({ rules = [], shadow_rules = [] }: Counted): string[] =>
  [...rules, ...shadow_rules].map(({ name }) => name);

const signalsOf = ({ contributions }: Counted): string[] =>
  contributions.filter((each) => each.points > 0 && !isRuleContribution(each)).map(({ signal }) => signal);

/** What a new screening adds. */
export function screenedCounters(record: Counted): Counters {
  const { subject_type, automated_decision, risk_score } = record;
  return new Map([
    [automated_decision, 1],
    [subject_type, 1],
    [bandCounter(bandOf(risk_score), automated_decision), 1],
    ...signalsOf(record).map((signal) => [signalCounter(signal), 1] as const),
    ...rulesOf(record).map((rule) => [ruleCounter(rule), 1] as const),
  ]);
}

/** What a subject's new label adds, and what is subtracted for the label it replaces. */
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
