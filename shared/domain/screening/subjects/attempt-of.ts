import type { AccountSettings } from '../../accounts/account';
import { phoneCountry } from '../../entities/canonical-phone';
import type { Attempt, EventAction } from '../../entities/entity-history';
import { type EntityNames, type EntityRef, pseudonymOf } from '../../entities/entity-ref';
import type { IdempotencyClaim } from '../../idempotency';
import { ipPrefix } from '../../ip/ip-prefix';
import type { IpFacts } from '../../ip/ip-table';
import { toUsd } from '../currency-rates';
import type { PaymentMethod } from '../screening-facts';
import { type Agent, agentRef } from './agent';
import { type SubjectType, subjectId } from './subject-id';

/** What screening reads from a billing address. */
export interface BillingAddress {
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postal_code?: string | undefined;
  readonly country?: string | undefined;
}

/** A transaction or event as the caller sent it, validated. */
export interface Subject {
  readonly subject_type: SubjectType;
  readonly action: 'transaction' | EventAction;
  readonly outcome: 'succeeded' | 'failed';
  readonly user_id: string;
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly ip_address?: string | undefined;
  readonly device_fingerprint?: string | undefined;
  readonly payment_method?: PaymentMethod | undefined;
  readonly billing_address?: BillingAddress | undefined;
  readonly custom_attributes?: Readonly<Record<string, string>> | undefined;
  /** What the merchant and its payment processor call it: outcomes may arrive by any of these. */
  readonly references?: readonly string[] | undefined;
  /** @default no software acts for the user, as far as the merchant knows */
  readonly agent?: Agent | undefined;
}

/** The id and time under which a subject is screened, and the `Idempotency-Key` it came with. */
export interface ScreenedAs {
  readonly ulid: string;
  readonly atMs: number;
  readonly claim?: IdempotencyClaim | undefined;
}

/** Who and what takes part in an attempt: the entities to record it on, and the card, which may not be one of them. */
export interface Parties {
  readonly refs: EntityRef[];
  readonly card: EntityRef | undefined;
}

/** The entities that take part: the user, the device, the IP, each tracked attribute that was sent, and the agent. */
export function partiesOf(
  names: EntityNames,
  subject: Subject,
  ip: Pick<IpFacts, 'country'> | undefined,
  { tracked_attributes }: Pick<AccountSettings, 'tracked_attributes'>,
): Parties {
  const { device_fingerprint, ip_address, custom_attributes: attributes = {} } = subject;
  const refs = [names.user(subject.user_id)];
  const add = (ref: EntityRef | undefined) => ref !== undefined && refs.push(ref);
  if (device_fingerprint !== undefined) add(names.device(device_fingerprint));
  const address = ip_address === undefined ? undefined : ipPrefix(ip_address);
  if (address !== undefined) add(names.exact('ip', address));
  const country = phoneCountry(subject.billing_address?.country, ip?.country);
  const attributeRef = (key: string): EntityRef | undefined => {
    const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
    return value === undefined ? undefined : names.attribute(key, value, country);
  };
  for (const key of tracked_attributes) add(attributeRef(key));
  if (subject.agent !== undefined) add(agentRef(names, subject.agent));
  return { refs, card: refs.find(({ name, kind }) => isCard(name) && kind === 'attribute') ?? attributeRef(CARD_KEY) };
}

const CARD_KEY = 'card_fingerprint';
const isCard = (name: string): boolean => name === CARD_KEY;

/**
 * The attempt, as every entity that takes part will record it. It names the others by their pseudonyms: anyone who does
 * not know the stage's key cannot choose values that share a bucket of a sketch.
 */
export function attemptOf(
  subject: Subject,
  { ulid, atMs, claim }: ScreenedAs,
  ip: IpFacts | undefined,
  { refs, card }: Parties,
): Attempt {
  const { action, outcome, amount, currency } = subject;
  const usd = amount === undefined || currency === undefined ? undefined : toUsd(amount, currency);
  const attempt: { -readonly [Member in keyof Attempt]: Attempt[Member] } = {
    attempt_id: subjectId(subject.subject_type, ulid),
    at_ms: atMs,
    action,
    outcome,
    user_id: '',
  };
  for (const ref of refs) {
    if (ref.kind === 'user') attempt.user_id = pseudonymOf(ref);
    else if (ref.kind === 'device') attempt.device = pseudonymOf(ref);
    else if (ref.kind === 'ip') attempt.ip = pseudonymOf(ref);
  }
  if (card !== undefined) attempt.card = pseudonymOf(card);
  if (claim !== undefined) attempt.repeat_key = attempt.user_id + claim.scope + claim.body_hash;
  if (amount !== undefined) attempt.amount = amount;
  if (currency !== undefined) attempt.currency = currency;
  if (usd !== undefined) attempt.amount_usd = usd;
  if (ip?.country !== undefined) attempt.country = ip.country;
  if (ip !== undefined) attempt.network = ip.network;
  return attempt;
}
