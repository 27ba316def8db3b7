import { parseDocument } from 'yaml';
import type { RuleDefinition } from '../domain/rules/rule';
import { isRuleName } from '../domain/rules/rule';
import { expressionFault, ruleFaults } from '../domain/rules/rule-faults';
import { putRuleRequest } from '../schemas/rule';
import { definitionOf } from '../usecases/rules/manage-rules';

/** Rules kept in a file, by name. */
export type RuleFile = ReadonlyMap<string, RuleDefinition>;

/** The file's rules, or everything that is wrong with it, one line each. */
export function readRuleFile(text: string): { readonly rules: RuleFile } | { readonly faults: readonly string[] } {
  const document = parseDocument(text);
  if (document.errors.length > 0) return { faults: document.errors.map(({ message }) => message.split('\n')[0] ?? '') };
  const content = document.toJS() as { readonly rules?: unknown } | null;
  const listed = content?.rules;
  if (typeof listed !== 'object' || listed === null || Array.isArray(listed)) {
    return { faults: ['The file must have a map `rules`, from names to rules.'] };
  }
  const faults: string[] = [];
  const rules = new Map<string, RuleDefinition>();
  for (const [name, body] of Object.entries(listed).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!isRuleName(name)) faults.push(`${name}: not a valid name`);
    const parsed = putRuleRequest.safeParse(body);
    for (const { path, message } of parsed.error?.issues ?? []) faults.push(`${name}.${path.join('.')}: ${message}`);
    for (const member of Object.keys(body ?? {})) {
      // A request would ignore it with a warning; in a file it is a typing error.
      if (!Object.hasOwn(putRuleRequest.shape, member)) faults.push(`${name}.${member}: is not a member of a rule`);
    }
    if (!parsed.success) continue;
    const fault = expressionFault(parsed.data.expression);
    for (const { field, message } of [...(fault ? [fault] : []), ...ruleFaults(parsed.data)]) {
      faults.push(`${name}.${field}: ${message}`);
    }
    rules.set(name, definitionOf(parsed.data));
  }
  return faults.length > 0 ? { faults } : { rules };
}
