import type { Policy } from '../../shared/cli/policy-file';
import { flipsOf, type RuleTrial } from '../../shared/domain/rules/rule-trial';
import { decisionWith, storedFacts } from '../../shared/domain/rules/stored-screening';
import { listsIn } from '../../shared/domain/rules/trial-condition';
import { toUsd } from '../../shared/domain/screening/currency-rates';
import type { MatchedRule } from '../../shared/domain/screening/decide-by-policy';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { fixedRules } from '../../shared/usecases/screening/followers';
import type { ScreeningRules } from '../../shared/usecases/screening/sources/rules';

const DAY_MS = 86_400_000;

/** The effect that one rule of a file, or all of them together, would have had on a history. */
export interface RuleTally
  extends Pick<RuleTrial, 'matched' | 'amount_usd' | 'fraud_matched' | 'legitimate_matched' | 'flips'> {
  readonly name: string;
}

/** The whole report; numbers are exact, since every line is tested with everything that was sent. */
export interface RuleReport {
  readonly lines: number;
  readonly days: number;
  readonly fraud: number;
  /** By name; the last one is all of them together. */
  readonly rules: readonly RuleTally[];
  /** Lists that the rules name: a history has none, so nothing is on them. */
  readonly lists: readonly string[];
}

/** The rules of a file in shadow, for everybody: they are evaluated on every line and decide nothing. */
export function shadowRules({ book: { rules, declarations } }: Pick<Policy, 'book'>): ScreeningRules {
  const shadow = { state: 'shadow', rollout_percent: 100, expires_at: null } as const;
  const shadows = rules.map((rule) => ({ ...rule, ...shadow }));
  return fixedRules(shadows, declarations);
}

const nothingYet = () => ({
  ...{ matched: 0, amount_usd: 0, fraud_matched: 0, legitimate_matched: 0 },
  changes: [] as Array<Parameters<typeof flipsOf>[0][number]>,
});

const ALL = 'all together';

/** Counts the effects of a file's rules, line by line. */
export function ruleReport({ rules: file, book }: Pick<Policy, 'rules' | 'book'>) {
  const counts = new Map([...file.keys(), ALL].map((name) => [name, nothingYet()]));
  let lines = 0;
  let fraud = 0;
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, 0];

  function count(name: string, rules: readonly MatchedRule[], record: ScreeningRecord, label: 0 | 1 | null): void {
    const counted = counts.get(name);
    if (counted === undefined) return;
    const { amount, currency, automated_decision: from } = record;
    counted.matched++;
    counted.amount_usd += amount === undefined || currency === undefined ? 0 : (toUsd(amount, currency) ?? 0);
    if (label === 1) counted.fraud_matched++;
    if (label === 0) counted.legitimate_matched++;
    counted.changes.push([from, decisionWith(record, storedFacts(record), rules), 1]);
  }

  return {
    add(record: ScreeningRecord, label: 0 | 1 | null): void {
      lines++;
      fraud += label ?? 0;
      firstMs = Math.min(firstMs, record.screened_at_ms);
      lastMs = Math.max(lastMs, record.screened_at_ms);
      const matched = (record.shadow_rules ?? []).flatMap(({ name, version }): MatchedRule[] => {
        const { action, points, priority, override_labels } = file.get(name) ?? {};
        if (action === undefined || priority === undefined) return [];
        return [{ name, version, action, priority, override_labels, ...(points == null ? {} : { points }) }];
      });
      for (const rule of matched) count(rule.name, [rule], record, label);
      if (matched.length > 0) count(ALL, matched, record, label);
    },
    finish(): RuleReport {
      const rules = [...counts].map(([name, { amount_usd, changes, ...counted }]) => ({
        ...{ name, ...counted, amount_usd: Math.round(amount_usd * 100) / 100, flips: flipsOf(changes) },
      }));
      const days = lines === 0 ? 0 : Math.max((lastMs - firstMs) / DAY_MS, 1 / 24);
      return { lines, days, fraud, rules, lists: [...new Set(book.rules.flatMap(({ tree }) => listsIn(tree)))].sort() };
    },
  };
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)}%`;

export function ruleReportText({ lines, days, fraud, rules, lists }: RuleReport): string {
  const width = Math.max(12, ...rules.map(({ name }) => name.length));
  return [
    `Rules on ${lines} lines of ${days.toFixed(1)} days`,
    `  ${'rule'.padEnd(width)}   matched   per day   precision   recall   would change`,
    ...rules.map(({ name, matched, fraud_matched, legitimate_matched, flips }) =>
      [
        `  ${name.padEnd(width)}`,
        String(matched).padStart(9),
        (days === 0 ? 0 : matched / days).toFixed(1).padStart(9),
        percent(fraud_matched, fraud_matched + legitimate_matched).padStart(11),
        percent(fraud_matched, fraud).padStart(8),
        `  ${flips.map(({ from, to, count }) => `${count} ${from} → ${to}`).join(', ') || 'no decision'}`,
      ].join(' '),
    ),
    ...(lists.length === 0
      ? []
      : [`  A history has no lists: nothing is in ${lists.map((name) => `lists.${name}`).join(', ')}.`]),
    '',
  ].join('\n');
}
