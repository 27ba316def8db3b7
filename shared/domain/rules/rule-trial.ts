import type { Label } from '../cases/outcome';
import { toUsd } from '../screening/currency-rates';
import type { Decision } from '../screening/decide';
import type { MatchedRule, RuleAction } from '../screening/decide-by-policy';
import { isSampled } from '../screening/subjects/record-members';
import { isForced, type ScreeningRecord } from '../screening/subjects/screening-record';
import { decisionId } from '../screening/subjects/subject-id';
import { shareInterval } from './share-interval';
import { decisionWith } from './stored-screening';
import { type StoredBy, type Sureness, storedRows } from './stored-values';
import type { Tree } from './tree';
import { trialCondition } from './trial-condition';

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
 * Of those that were allowed the sample stands for all (`shareInterval`); an allowed one that is a row only because it has a
 * label stands for nothing but its label. Hashed values are taken for what they probably are; what a hash may confuse and what
 * a row does not hold is part of the interval. Conditions that cannot be tested count as met, so that all numbers are upper
 * bounds then; the lower end of the interval counts them as not met.
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
  const more = [{ name: '', version: 1, action: rule.action, points: rule.points, priority: 0 }];
  const tried = stored.map((row, at): TriedRow => {
    const { record, facts, weight } = row;
    const { amount, currency, automated_decision } = record;
    const sure = condition.of(row);
    const usd = amount === undefined || currency === undefined ? 0 : (toUsd(amount, currency) ?? 0);
    const to = sure >= 2 ? decisionWith(record, facts, more) : automated_decision;
    return { record, label: usable[at]?.label, weight, sure, usd, to };
  });
  const sample = tried.filter(isDrawn);
  const stopped = tried.filter(isCertain);
  const confused = condition.confused();

  const matches = tried.filter(isLikely);
  const total = (measure: (row: TriedRow) => number): number =>
    matches.reduce((sum, row) => sum + row.weight * measure(row), 0);
  const matched = Math.round(total(() => 1));
  const [low] = shareInterval(count(sample, isSure), sample.length);
  const [, high] = shareInterval(count(sample, isPossible), sample.length);
  // The rows themselves are certain, whatever the sample says.
  const least = Math.max(count(stopped, isSure) + allowed * low, count(tried, isSure)) - confused;
  const possible = tried.filter((row) => isPossible(row) && !isCertain(row)).length;
  const mostAllowed = Math.min(allowed * high, allowed - (allowedRows - possible));
  const screened = stopped.length + traffic.unlisted + allowed;
  const most = count(stopped, isPossible) + traffic.unlisted + mostAllowed + confused;

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
    ...countLabels(tried),
    flips: flipsOf(matches.map(({ record, to, weight }) => [record.automated_decision, to, weight])),
    amount_usd: rounded(
      total(({ usd }) => usd),
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
  /** How many screenings it stands for. */
  readonly weight: number;
  readonly sure: Sureness;
  readonly usd: number;
  /** The decision with the rule; the same if it does not match. */
  readonly to: Decision;
}

const isSure = ({ sure }: TriedRow): boolean => sure === 3;
const isLikely = ({ sure }: TriedRow): boolean => sure >= 2;
const isPossible = ({ sure }: TriedRow): boolean => sure >= 1;

const count = (rows: readonly TriedRow[], isCounted: (row: TriedRow) => boolean): number =>
  rows.filter(isCounted).length;

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

function countLabels(rows: readonly TriedRow[]) {
  const of = (label: Label) => rows.filter((row) => row.label === label);
  const [fraud, legitimate] = [of('fraud'), of('legitimate')];
  const [fraud_matched, legitimate_matched] = [count(fraud, isLikely), count(legitimate, isLikely)];
  const both = fraud_matched + legitimate_matched;
  return {
    labelled: fraud.length + legitimate.length,
    fraud_matched,
    legitimate_matched,
    precision: both === 0 ? null : rounded(fraud_matched / both, 4),
    recall: fraud.length === 0 ? null : rounded(fraud_matched / fraud.length, 4),
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
