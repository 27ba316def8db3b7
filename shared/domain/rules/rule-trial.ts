import type { Label } from '../cases/outcome';
import { toUsd } from '../screening/currency-rates';
import type { Decision } from '../screening/decide';
import type { MatchedRule, RuleAction } from '../screening/decide-by-policy';
import { isSampled } from '../screening/subjects/record-members';
import { isForced, type ScreeningRecord } from '../screening/subjects/screening-record';
import { decisionId } from '../screening/subjects/subject-id';
import { decisionWith } from './stored-screening';
import { type StoredBy, type StoredRow, storedRows } from './stored-values';
import type { Tree } from './tree';
import { type TrialCondition, trialCondition } from './trial-condition';
import { wilsonInterval } from './wilson-interval';

/** A rule to try on stored traffic. */
export interface RuleTest {
  readonly expression: string;
  readonly action: RuleAction;
  readonly points?: number | null | undefined;
  /** How far back. @default 30 */
  readonly days?: number | null | undefined;
}

/** A rule that is not saved yet. */
export type TriedRule = Pick<MatchedRule, 'action' | 'points'> & { readonly tree: Tree };

/** A stored screening and its label, if it has one. */
export interface TrialRow {
  readonly record: ScreeningRecord;
  readonly label?: Label | undefined;
}

/** The traffic that the rows stand for. */
export interface TrialTraffic {
  readonly days: number;
  readonly allowed: number;
  /** Screenings with another decision that no list contains. */
  readonly unlisted: number;
  /** Every screening is a row and stands for itself, those that were allowed too. @default these are a sample */
  readonly isComplete?: boolean;
  /** Whose they are. */
  readonly by: StoredBy;
}

export interface Flip {
  readonly from: Decision;
  readonly to: Decision;
  readonly count: number;
}

/** The effect that a rule would have had. */
export interface RuleTrial {
  readonly days: number;
  readonly rows: number;
  readonly screened: number;
  readonly matched: number;
  readonly matched_per_day: number;
  readonly interval: readonly [number, number];
  readonly labelled: number;
  readonly fraud_matched: number;
  readonly legitimate_matched: number;
  /** Null if it matched nothing that is labelled. */
  readonly precision: number | null;
  /** Null if no fraud is labelled. */
  readonly recall: number | null;
  readonly flips: readonly Flip[];
  readonly amount_usd: number;
  readonly examples: readonly string[];
  readonly not_testable: readonly string[];
}

export const MAX_EXAMPLES = 20;

/**
 * The effect that a rule would have had on stored traffic. Every screening that was not allowed is a row that stands for itself.
 * Of those that were allowed the sample stands for all, and the interval is Wilson's; an allowed one that is a row only
 * because it has a label stands for nothing but its label. Hashed values are taken for what they probably are; what a hash may
 * confuse and what a row does not hold is part of the interval. Conditions that cannot be tested count as met, so that all
 * numbers are upper bounds then; the lower end of the interval counts them as not met.
 */
export function tryRule(rule: TriedRule, rows: readonly TrialRow[], traffic: TrialTraffic): RuleTrial {
  const usable = rows.filter(({ record }) => !isForced(record));
  const { isComplete = false } = traffic;
  const isCertain = ({ record }: TrialRow) => isComplete || record.automated_decision !== 'allow';
  const isDrawn = ({ record }: TrialRow) => !isComplete && isSampled(record);
  const allowedRows = usable.filter((row) => !isCertain(row)).length;
  const drawn = usable.filter(isDrawn).length;
  const allowed = isComplete ? 0 : Math.max(traffic.allowed, allowedRows);
  const standsFor = drawn === 0 ? 0 : allowed / drawn;
  const weightOf = (record: ScreeningRecord): number =>
    isCertain({ record }) ? 1 : isDrawn({ record }) ? standsFor : 0;

  const stored = storedRows(
    traffic.by,
    usable.map(({ record }) => ({ record, weight: weightOf(record) })),
  );
  const condition = trialCondition(traffic.by, stored, rule.tree);
  const tryRow = rowTrial(rule, condition);
  const tried = stored.map((row, at) => tryRow(row, usable[at]?.label));
  const sample = tried.filter(isDrawn);
  const stopped = tried.filter(isCertain);
  const confused = condition.confused();

  const matches = tried.filter(({ likely }) => likely);
  const weighted = (measure: (row: TriedRow) => number): number =>
    sum(stopped, measure) + standsFor * sum(sample, measure);
  const matched = Math.round(weighted(({ likely }) => Number(likely)));
  const [low] = wilsonInterval(sum(sample, isSure), sample.length);
  const [, high] = wilsonInterval(sum(sample, isPossible), sample.length);
  // The rows themselves are certain, whatever the sample says.
  const least = Math.max(sum(stopped, isSure) + allowed * low, sum(tried, isSure)) - confused;
  const possible = tried.filter(({ possibly }) => possibly);
  const mostAllowed = Math.min(allowed * high, allowed - (allowedRows - sum(possible, isAllowed)));
  const screened = stopped.length + traffic.unlisted + allowed;
  const most = sum(stopped, isPossible) + traffic.unlisted + mostAllowed + confused;

  const labels = countLabels(tried);
  return {
    days: rounded(traffic.days, 2),
    rows: tried.length,
    screened,
    matched,
    matched_per_day: rounded(matched / traffic.days, 2),
    interval: [
      Math.max(0, Math.min(Math.floor(least), matched)),
      Math.max(Math.min(Math.ceil(most), screened), matched),
    ],
    ...labels,
    flips: flipsOf(matches.map(({ record, to }) => [record.automated_decision, to, weightOf(record)])),
    amount_usd: rounded(
      weighted(({ likely, usd }) => (likely ? usd : 0)),
      2,
    ),
    examples: matches
      .map(({ record }) => decisionId(record.ulid))
      .sort()
      .reverse()
      .slice(0, MAX_EXAMPLES),
    not_testable: condition.notTestable(),
  };
}

interface TriedRow extends TrialRow {
  readonly surely: boolean;
  readonly likely: boolean;
  readonly possibly: boolean;
  readonly usd: number;
  /** The decision with the rule; the same if it does not match. */
  readonly to: Decision;
}

function rowTrial({ action, points }: TriedRule, condition: TrialCondition) {
  const rule: MatchedRule = { name: '', version: 1, action, points, priority: 0 };
  return (row: StoredRow, label: TrialRow['label']): TriedRow => {
    const { record, facts } = row;
    const sure = condition.of(row);
    const likely = sure >= 2;
    const { amount, currency, automated_decision } = record;
    return {
      record,
      label,
      surely: sure === 3,
      likely,
      possibly: sure >= 1,
      usd: amount === undefined || currency === undefined ? 0 : (toUsd(amount, currency) ?? 0),
      to: likely ? decisionWith(record, facts, [rule]) : automated_decision,
    };
  };
}

const isSure = ({ surely }: TriedRow): number => Number(surely);
const isPossible = ({ possibly }: TriedRow): number => Number(possibly);
const isAllowed = ({ record }: TriedRow): number => Number(record.automated_decision === 'allow');

const sum = (rows: readonly TriedRow[], measure: (row: TriedRow) => number): number =>
  rows.reduce((total, row) => total + measure(row), 0);

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

function countLabels(rows: readonly TriedRow[]) {
  const count = (label: Label, isCounted: (row: TriedRow) => boolean) =>
    rows.filter((row) => row.label === label && isCounted(row)).length;
  const fraud = count('fraud', () => true);
  const fraud_matched = count('fraud', ({ likely }) => likely);
  const legitimate_matched = count('legitimate', ({ likely }) => likely);
  const both = fraud_matched + legitimate_matched;
  return {
    labelled: fraud + count('legitimate', () => true),
    fraud_matched,
    legitimate_matched,
    precision: both === 0 ? null : rounded(fraud_matched / both, 4),
    recall: fraud === 0 ? null : rounded(fraud_matched / fraud, 4),
  };
}

/** How many decisions changed from what to what, most first. */
export function flipsOf(changes: ReadonlyArray<readonly [from: Decision, to: Decision, weight: number]>): Flip[] {
  const counts = new Map<string, Flip>();
  for (const [from, to, weight] of changes) {
    if (from === to) continue;
    const key = `${from} ${to}`;
    counts.set(key, { from, to, count: (counts.get(key)?.count ?? 0) + weight });
  }
  return [...counts.values()]
    .map((flip) => ({ ...flip, count: Math.round(flip.count) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.from + a.to < b.from + b.to ? -1 : 1));
}
