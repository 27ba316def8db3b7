import { type AttributeType, attributeTypeOf, type Declarations, NO_DECLARATIONS } from '../declarations/declaration';
import { FEATURES } from '../screening/features';
import { SIGNALS } from '../screening/signals';
import type { Names, ValueType } from './language/check';
import allRequestNames from './request-names.json';
import { ATTRIBUTE, COUNTER, FEATURE, listTypesOf, SIGNAL } from './rule-facts';

/** A name that expressions can use, for people. */
export interface RuleName {
  readonly name: string;
  readonly type: ValueType;
  readonly description: string;
  readonly example: string;
}

/** The names that describe the request. A test compares them with what the engine reads. */
export const REQUEST_NAMES = allRequestNames as readonly RuleName[];

const signalName = ({ name, summary }: { readonly name: string; readonly summary: string }): RuleName => ({
  name: `${SIGNAL}${name}`,
  type: 'bool',
  description: summary,
  example: `${SIGNAL}${name}`,
});

const featureName = ({ name, description }: { readonly name: string; readonly description: string }): RuleName => ({
  name: `${FEATURE}${name}`,
  type: 'double',
  description,
  example: `${FEATURE}${name} > 0`,
});

/** Every name except `attr.<key>`, whose keys belong to the account. */
export const RULE_NAMES: readonly RuleName[] = [
  ...REQUEST_NAMES,
  ...SIGNALS.map(signalName),
  ...FEATURES.map(featureName),
];

const types: ReadonlyMap<string, ValueType> = new Map(RULE_NAMES.map(({ name, type }) => [name, type]));

const MAX_KEY = 64;

/** Names that expressions may use in addition to those of every account. */
export interface OwnNames {
  readonly lists?: readonly string[] | undefined;
  readonly declared?: Pick<Declarations, 'attributes' | 'counters'> | undefined;
}

const VALUE_TYPE: Readonly<Partial<Record<AttributeType, ValueType>>> = { number: 'double', boolean: 'bool' };
const COUNTER_GROUP = COUNTER.slice(0, -1);

const isAttribute = ([group, key = '']: readonly string[]): boolean =>
  group === 'attr' && key.length > 0 && key.length <= MAX_KEY;

/** The names of rules, for checking expressions. */
export const ruleNames = ({ lists, declared = NO_DECLARATIONS }: OwnNames = {}): Names => ({
  typeOf: (path) => {
    const [group, key = ''] = path;
    if (path.length > 2) return undefined;
    if (path.length === 2 && isAttribute(path)) {
      const type = attributeTypeOf(declared, key);
      return (type && VALUE_TYPE[type]) ?? 'string';
    }
    if (group === COUNTER_GROUP && path.length === 2)
      return declared.counters.some(({ name }) => name === key) ? 'double' : undefined;
    return types.get(path.join('.'));
  },
  known: () => [
    ...types.keys(),
    ...['attr.email', 'attr.phone', 'attr.card_fingerprint'],
    ...declared.attributes.map(({ key }) => ATTRIBUTE + key),
    ...declared.counters.map(({ name }) => COUNTER + name),
  ],
  declaredBy: (path, type) => {
    const [group, key = ''] = path;
    if (group === COUNTER_GROUP) return `PUT /v1/counters/${key} declares it`;
    const wanted = Object.entries(VALUE_TYPE).find(([, each]) => each === type)?.[0];
    if (!isAttribute(path) || wanted === undefined) return undefined;
    return `PUT /v1/attributes/${encodeURIComponent(key)} {"type":"${wanted}"} declares it`;
  },
  isListable: (path) => {
    const isKnown = path.length === 1 || (path.length === 2 && `${path[0]}.` === ATTRIBUTE);
    return isKnown && listTypesOf(path.join('.')).length > 0;
  },
  ...(lists === undefined ? {} : { lists }),
});

const REQUEST: ReadonlySet<string> = new Set(REQUEST_NAMES.map(({ name }) => name).filter((name) => name !== 'score'));

/** The names that an expression over the request alone may use: nothing that a screening computes. */
export function requestNames(declared: Pick<Declarations, 'attributes' | 'counters'>): Names {
  const names = ruleNames({ declared });
  const isOfRequest = (path: readonly string[]): boolean => isAttribute(path) || REQUEST.has(path.join('.'));
  return {
    typeOf: (path) => (isOfRequest(path) ? names.typeOf(path) : undefined),
    known: () => [...REQUEST, ...declared.attributes.map(({ key }) => ATTRIBUTE + key)],
    declaredBy(path, type) {
      if (isAttribute(path)) return names.declaredBy?.(path, type);
      const isComputed = type === undefined && names.typeOf(path) !== undefined;
      return isComputed ? 'counters know the request, and nothing that a screening finds out' : undefined;
    },
  };
}
