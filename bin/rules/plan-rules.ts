import { isDeepStrictEqual } from 'node:util';
import type { RuleFile } from '../../shared/cli/rule-file';
import type { Rule, RuleDefinition } from '../../shared/domain/rules/rule';

/** What has to be done so that the account has exactly the rules of a file. */
export interface RulePlan {
  readonly put: ReadonlyArray<{
    readonly name: string;
    readonly rule: RuleDefinition;
    readonly version: number | undefined;
  }>;
  readonly remove: ReadonlyArray<{ readonly name: string; readonly version: number }>;
  /** For people, by name. */
  readonly lines: readonly string[];
}

const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** Compares a file with what the account has; the same input gives the same text. */
export function planRules(file: RuleFile, existing: readonly Rule[]): RulePlan {
  const put: RulePlan['put'][number][] = [];
  const remove: RulePlan['remove'][number][] = [];
  const lines: string[] = [];
  const names = [...new Set([...file.keys(), ...existing.map(({ name }) => name)])].sort();
  for (const name of names) {
    const rule = file.get(name);
    const before = existing.find((each) => each.name === name);
    if (rule === undefined) {
      remove.push({ name, version: before?.version ?? 0 });
      lines.push(`- ${name}`);
    } else if (before === undefined) {
      put.push({ name, rule, version: undefined });
      lines.push(`+ ${name}: ${rule.action} (${rule.state}) if ${rule.expression}`);
    } else {
      const changed = (Object.keys(rule) as (keyof RuleDefinition)[])
        .filter((member) => !isDeepStrictEqual(rule[member], before[member]))
        .sort();
      if (changed.length === 0) continue;
      put.push({ name, rule, version: before.version });
      lines.push(
        `~ ${name}`,
        ...changed.map((member) => `    ${member}: ${show(before[member])} -> ${show(rule[member])}`),
      );
    }
  }
  return { put, remove, lines };
}
