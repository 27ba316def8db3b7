import type { RuleVersion } from '../../domain/rules/rule-book';

/** A version of a rule, without what only the table needs. */
export function toVersion(item: Record<string, unknown>): RuleVersion {
  const { pk, sk, entity, account_id, ...version } = item;
  return version as unknown as RuleVersion;
}
