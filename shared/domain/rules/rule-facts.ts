import type { AttributeType } from '../declarations/declaration';
import { readAttribute } from '../declarations/read-attribute';
import { canonicalText, phoneCountry } from '../entities/canonical-value';
import type { EmailFacts } from '../intelligence/intelligence-table';
import type { IpFacts } from '../ip/ip-table';
import type { FiredSignal } from '../screening/compile-signals';
import type { MatchedList } from '../screening/decide-by-policy';
import { type FeatureName, featureSlot, isFeature } from '../screening/features';
import type { ScreeningFacts } from '../screening/screening-facts';
import { phoneCountryOf, type Subject } from '../screening/subjects/attempt-of';
import type { Reader, Value } from './compile-tree';

/** The facts that rules can read. */
export interface RuleFacts {
  readonly subject: Subject;
  readonly ip: IpFacts | undefined;
  /** Of the customer's own email address. @default none was sent */
  readonly email?: EmailFacts | undefined;
  /** The score before rules. */
  readonly score: number;
  readonly vector: Float32Array;
  readonly fired: ReadonlyArray<Pick<FiredSignal, 'name'>>;
  readonly lists: readonly MatchedList[];
  readonly counters?: Readonly<Record<string, number>> | undefined;
}

/** The facts of an expression over the request alone. */
export type RequestFacts = Pick<RuleFacts, 'subject' | 'ip' | 'email'>;

type Read = (facts: RuleFacts) => Value;

/** Everything but features, signals and attributes, which have their own names. */
export const FIXED_NAMES: Readonly<Record<string, Read>> = {
  subject_type: ({ subject }) => subject.subject_type,
  event_type: ({ subject }) => (subject.action === 'transaction' ? undefined : subject.action),
  outcome: ({ subject }) => (subject.subject_type === 'event' ? subject.outcome : undefined),
  amount: ({ subject }) => subject.amount,
  currency: ({ subject }) => subject.currency,
  payment_method: ({ subject }) => subject.payment_method,
  user_id: ({ subject }) => subject.user_id,
  device_fingerprint: ({ subject }) => subject.device_fingerprint,
  'ip.country': ({ ip }) => ip?.country,
  'ip.asn': ({ ip }) => ip?.asn,
  'ip.hosting': ({ ip }) => ip && ip.network === 'hosting',
  'ip.tor': ({ ip }) => ip && ip.tor === true,
  'ip.vpn': ({ ip }) => ip && ip.vpn === true,
  'ip.relay': ({ ip }) => ip && ip.network === 'relay',
  'email.disposable': ({ email }) => email?.disposable,
  'email.free': ({ email }) => email?.free,
  'phone.country': ({ subject, ip }) => phoneCountryOf(subject, ip),
  'billing.country': ({ subject }) => subject.billing_address?.country,
  'billing.postal_code': ({ subject }) => subject.billing_address?.postal_code,
  'agent.operator': ({ subject }) => subject.agent?.operator,
  'agent.key_id': ({ subject }) => subject.agent?.key_id,
  'agent.verified': ({ subject }) => subject.agent?.verified,
  score: ({ score }) => score,
};

export const ATTRIBUTE = 'attr.';
export const FEATURE = 'features.';
export const SIGNAL = 'signals.';
export const COUNTER = 'counters.';

/** The declared types of an account's attributes. */
export type AttributeTypes = (key: string) => AttributeType | undefined;

const noTypes: AttributeTypes = () => undefined;

function attributeReader(key: string, type: AttributeType | undefined): Read {
  const sent = ({ subject: { custom_attributes: all } }: RequestFacts): string | undefined =>
    all !== undefined && Object.hasOwn(all, key) ? all[key] : undefined;
  if (type === undefined) return sent;
  return (facts) => {
    const value = sent(facts);
    const { subject, ip } = facts;
    return value && readAttribute(type, value, phoneCountry(subject.billing_address?.country, ip?.country));
  };
}

function read(name: string, typeOf: AttributeTypes): Read | undefined {
  if (Object.hasOwn(FIXED_NAMES, name)) return FIXED_NAMES[name];
  if (name.startsWith(ATTRIBUTE)) {
    const key = name.slice(ATTRIBUTE.length);
    return attributeReader(key, typeOf(key));
  }
  if (name.startsWith(FEATURE)) {
    const feature = name.slice(FEATURE.length);
    if (!isFeature(feature)) return undefined;
    const slot = featureSlot(feature as FeatureName);
    return ({ vector }) => vector[slot];
  }
  if (name.startsWith(COUNTER)) {
    const counter = name.slice(COUNTER.length);
    return ({ counters }) => counters?.[counter];
  }
  if (!name.startsWith(SIGNAL)) return undefined;
  const signal = name.slice(SIGNAL.length);
  return ({ fired }) => fired.some((each) => each.name === signal);
}

const LISTED_AS: Readonly<Record<string, readonly string[]>> = {
  user_id: ['user_id'],
  device_fingerprint: ['device_fingerprint'],
  ip: ['ip_address', 'cidr'],
  'attr.email': ['email', 'email_domain'],
  'attr.phone': ['phone'],
  'attr.card_fingerprint': ['card_fingerprint'],
};

/** The types of lists that can hold values of a name; empty if none can. */
export const listTypesOf = (name: string): readonly string[] => [
  ...(LISTED_AS[name] ?? []),
  ...(name.startsWith(ATTRIBUTE) ? [`attribute:${name.slice(ATTRIBUTE.length)}`] : []),
];

/**
 * Sent values are compared as a reader sees them: ignoring case and width, without spaces around them and without
 * invisible characters. A rule that blocks an address must not be passed by writing it in capitals.
 */
const asSeen = (value: Value): Value => (typeof value === 'string' ? canonicalText(value).toLowerCase() : value);

/** Where compiled rules find the values of a screening, by the types that its account has declared. */
export const ruleReader = (typeOf: AttributeTypes): Reader<RuleFacts> => ({
  read: (name) => read(name, typeOf),
  asSeen,
  inList: (name, list) => {
    const types = listTypesOf(name);
    return ({ lists }) => lists.some((each) => each.name === list && types.includes(each.type));
  },
});

/** The reader for an account that has declared nothing. */
export const RULE_READER = ruleReader(noTypes);

/** Whether a person has confirmed a fraud of this very user, device or card, which a plain `allow` must not beat. */
export function hasConfirmedFraud({
  user,
  device,
  attributes,
}: Pick<ScreeningFacts, 'user' | 'device' | 'attributes'>): boolean {
  const card = attributes.find(({ key }) => key === 'card_fingerprint')?.history;
  return [user, device, card].some((history) => history !== undefined && history.labels.fraud > 0);
}
