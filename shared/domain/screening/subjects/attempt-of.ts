import type { AccountSettings } from '../../accounts/account';
import type { Attempt, EventAction } from '../../entities/entity-history';
import { type EntityRef, entityRef } from '../../entities/entity-ref';
import type { IdempotencyClaim } from '../../idempotency';
import { ipPrefix } from '../../ip/ip-prefix';
import type { IpFacts } from '../../ip/ip-table';
import { toUsd } from '../currency-rates';
import type { PaymentMethod } from '../screening-facts';
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
}

/** The id and time under which a subject is screened, and the `Idempotency-Key` it came with. */
export interface ScreenedAs {
  readonly ulid: string;
  readonly atMs: number;
  readonly claim?: IdempotencyClaim | undefined;
}

/** The attempt, as every entity that takes part will record it. */
export function attemptOf(subject: Subject, { ulid, atMs, claim }: ScreenedAs, ip: IpFacts | undefined): Attempt {
  const { user_id, action, outcome, amount, currency, device_fingerprint: device, custom_attributes } = subject;
  const ipKey = subject.ip_address === undefined ? undefined : ipPrefix(subject.ip_address);
  const usd = amount === undefined || currency === undefined ? undefined : toUsd(amount, currency);
  const card = custom_attributes?.card_fingerprint;
  const attempt_id = subjectId(subject.subject_type, ulid);
  const attempt: { -readonly [Member in keyof Attempt]: Attempt[Member] } = {
    attempt_id,
    at_ms: atMs,
    action,
    outcome,
    user_id,
  };
  if (claim !== undefined) attempt.repeat_key = claim.scope + claim.body_hash;
  if (amount !== undefined) attempt.amount = amount;
  if (currency !== undefined) attempt.currency = currency;
  if (usd !== undefined) attempt.amount_usd = usd;
  if (device !== undefined) attempt.device = device;
  if (ipKey !== undefined) attempt.ip = ipKey;
  if (ip?.country !== undefined) attempt.country = ip.country;
  if (ip !== undefined) attempt.network = ip.network;
  if (card !== undefined) attempt.card = card;
  return attempt;
}

/** The entities that take part: the user, the device, the IP and each tracked attribute that was sent. */
export function entitiesOf(
  accountId: string,
  subject: Subject,
  attempt: Attempt,
  { tracked_attributes }: Pick<AccountSettings, 'tracked_attributes'>,
): EntityRef[] {
  const refs = [entityRef(accountId, 'user', 'user', subject.user_id)];
  if (attempt.device !== undefined) refs.push(entityRef(accountId, 'device', 'device', attempt.device));
  if (attempt.ip !== undefined) refs.push(entityRef(accountId, 'ip', 'ip', attempt.ip));
  const attributes = subject.custom_attributes ?? {};
  for (const key of tracked_attributes) {
    const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
    if (value !== undefined && value !== '') refs.push(entityRef(accountId, 'attribute', key, value));
  }
  return refs;
}
