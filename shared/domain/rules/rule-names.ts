import { type AttributeType, attributeTypeOf, type Declarations, NO_DECLARATIONS } from '../declarations/declaration';
import { FEATURES } from '../screening/features';
import { SIGNALS } from '../screening/signals';
import type { Names, ValueType } from './language/check';
import { ATTRIBUTE, COUNTER, FEATURE, listTypesOf, SIGNAL } from './rule-facts';

/** A name that expressions can use, for people. */
export interface RuleName {
  readonly name: string;
  readonly type: ValueType;
  readonly description: string;
  readonly example: string;
}

/** The names that describe the request. A test compares them with what the engine reads. */
export const REQUEST_NAMES: readonly RuleName[] = [
  {
    name: 'subject_type',
    type: 'string',
    description: '`transaction` or `event`',
    example: 'subject_type == "transaction"',
  },
  { name: 'event_type', type: 'string', description: 'the type of an event', example: 'event_type == "login"' },
  {
    name: 'outcome',
    type: 'string',
    description: '`succeeded` or `failed`, of an event',
    example: 'event_type == "login" && outcome == "failed"',
  },
  { name: 'amount', type: 'double', description: 'the amount, in its own currency', example: 'amount >= 200' },
  { name: 'currency', type: 'string', description: 'ISO 4217 code', example: 'currency in ["EUR", "USD"]' },
  { name: 'payment_method', type: 'string', description: 'as it was sent', example: 'payment_method == "crypto"' },
  { name: 'user_id', type: 'string', description: 'as it was sent', example: 'user_id in lists.vips' },
  {
    name: 'device_fingerprint',
    type: 'string',
    description: 'as it was sent',
    example: 'device_fingerprint in lists["stolen-phones"]',
  },
  {
    name: 'ip.country',
    type: 'string',
    description: 'ISO 3166 code of the country of the IP address',
    example: 'ip.country != billing.country',
  },
  { name: 'ip.asn', type: 'int', description: 'number of the network that announces it', example: 'ip.asn == 16509' },
  { name: 'ip.hosting', type: 'bool', description: 'whether it belongs to a data centre', example: 'ip.hosting' },
  { name: 'ip.tor', type: 'bool', description: 'whether it is an exit of the Tor network', example: 'ip.tor' },
  { name: 'ip.vpn', type: 'bool', description: 'whether it belongs to a VPN service for consumers', example: 'ip.vpn' },
  {
    name: 'ip.relay',
    type: 'bool',
    description: 'whether it belongs to a relay such as iCloud Private Relay, which is not `ip.hosting`',
    example: 'ip.hosting && !ip.relay',
  },
  {
    name: 'email.disposable',
    type: 'bool',
    description: 'whether `attr.email` is at a provider of disposable addresses, subdomains included',
    example: 'event_type == "signup" && email.disposable',
  },
  {
    name: 'email.free',
    type: 'bool',
    description: 'whether `attr.email` is at a provider that gives everybody an address',
    example: 'amount > 5000 && email.free',
  },
  {
    name: 'phone.country',
    type: 'string',
    description: 'ISO 3166 code of the country of `attr.phone`, by its country code',
    example: 'phone.country != billing.country',
  },
  {
    name: 'billing.country',
    type: 'string',
    description: 'ISO 3166 code of the billing address',
    example: 'billing.country == "DE"',
  },
  {
    name: 'billing.postal_code',
    type: 'string',
    description: 'postal code of the billing address',
    example: 'billing.postal_code.startsWith("10")',
  },
  {
    name: 'agent.operator',
    type: 'string',
    description: 'who runs the agent that acts for the user, as it was sent',
    example: 'agent.operator == "agents.example.com"',
  },
  {
    name: 'agent.key_id',
    type: 'string',
    description: 'the key that the agent signed with, as it was sent',
    example: 'agent.key_id == "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"',
  },
  {
    name: 'agent.verified',
    type: 'bool',
    description: 'whether the agent proved its identity',
    example: 'agent.verified',
  },
  { name: 'score', type: 'int', description: 'the score before rules, 0 to 100', example: 'score >= 40' },
];

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
