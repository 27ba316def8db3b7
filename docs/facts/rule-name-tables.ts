import type { ValueType } from '../../shared/domain/rules/language/check';
import { FEATURE, SIGNAL } from '../../shared/domain/rules/rule-facts';
import { REQUEST_NAMES, RULE_NAMES, type RuleName } from '../../shared/domain/rules/rule-names';
import { table, withMarked } from './marked-tables';

/** The page that lists every name that rules can use. */
export const RULE_NAMES_PAGE = 'docs/guide/rule-names.md';

const TYPES: Readonly<Record<ValueType, string>> = {
  bool: 'yes or no',
  int: 'number',
  double: 'number',
  string: 'text',
};

const rows = (names: readonly RuleName[]): string =>
  table(
    ['Name', 'Type', 'Meaning', 'Example'],
    names.map(({ name, type, description, example }) => [`\`${name}\``, TYPES[type], description, `\`${example}\``]),
  );

const group = (prefix: string): readonly RuleName[] => RULE_NAMES.filter(({ name }) => name.startsWith(prefix));

/** The page with its tables renewed. */
export const withRuleNames = (page: string): string =>
  withMarked(page, { request: rows(REQUEST_NAMES), signals: rows(group(SIGNAL)), features: rows(group(FEATURE)) });
