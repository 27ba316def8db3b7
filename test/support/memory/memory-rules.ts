import { NO_DECLARATIONS } from '../../../shared/domain/declarations/declaration';
import type { RuleBook, RuleVersion } from '../../../shared/domain/rules/rule-book';
import type { RulePort } from '../../../shared/usecases/rules/manage-rules';

/** Rules in memory. */
export function memoryRules(): RulePort {
  const books = new Map<string, RuleBook>();
  const versions = new Map<string, RuleVersion[]>();
  return {
    async book(accountId) {
      return books.get(accountId) ?? { revision: 0, rules: [], declarations: NO_DECLARATIONS };
    },
    async save(accountId, after, { version }) {
      const before = books.get(accountId)?.revision ?? 0;
      const key = `${accountId}/${version?.name}`;
      const known = versions.get(key) ?? [];
      if (after.revision !== before + 1 || known.some((each) => each.version === version?.version)) return false;
      books.set(accountId, structuredClone(after));
      if (version) versions.set(key, [structuredClone(version), ...known]);
      return true;
    },
    async versions(accountId, name) {
      return versions.get(`${accountId}/${name}`) ?? [];
    },
  };
}
