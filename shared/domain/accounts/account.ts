import type { Fault } from '../errors';
import type { Trace } from '../traceparent';
import type { Role } from './role';

/** How an account wants its attempts screened. */
export interface AccountSettings {
  /**
   * A score at or above this, and below the other two, leads to `challenge`: asking for a second factor or 3-D Secure is
   * milder than holding the attempt for a person. @default 101: never
   */
  readonly challenge_threshold?: number;
  readonly review_threshold: number;
  readonly block_threshold: number;
  readonly tracked_attributes: readonly string[];
  /** Custom attributes that models must not learn from: nothing of their values is kept. @default none */
  readonly never_observed?: readonly string[];
  /** Custom attributes whose values are kept with a screening, for analysts to see. @default none */
  readonly displayed_attributes?: readonly string[];
  /** How long a label is kept, in days from the screening. @default 180 */
  readonly label_window_days?: number;
  /** Why cases are resolved as they are, in the account's own words: analysts pick one. @default none */
  readonly reason_codes?: readonly string[];
  /** Whether screenings can be listed by user and by decision, for one write unit each. @default true */
  readonly keep_history?: boolean;
  /** When it last resumed keeping history: earlier screenings may be missing. @default always */
  readonly history_since_ms?: number;
  /** Whether a screening keeps what was sent, sealed, for those who look into it. @default true */
  readonly keep_evidence?: boolean;
}

export const DEFAULT_SETTINGS: AccountSettings = {
  review_threshold: 60,
  block_threshold: 85,
  tracked_attributes: ['card_fingerprint', 'card_bin', 'email', 'phone', 'merchant_id', 'terminal_id', 'category'],
};

export const DEFAULT_LABEL_WINDOW_DAYS = 180;
const NEVER = 101;
export const MAX_LABEL_WINDOW_DAYS = 550;

/** When the training data of a screening ends. */
export const labelEndMs = (
  { label_window_days = DEFAULT_LABEL_WINDOW_DAYS }: Pick<AccountSettings, 'label_window_days'>,
  { screened_at_ms }: { readonly screened_at_ms: number },
): number => screened_at_ms + label_window_days * 86_400_000;

/** A customer of the service: everything in the table belongs to exactly one. */
export interface Account {
  readonly account_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly settings: AccountSettings;
  /** The API Gateway key that carries this account's rate limit (the authorizer's `usageIdentifierKey`). */
  readonly rate_limit_key: string;
  readonly rate_limit_key_id: string;
}

/** On whose behalf a request acts, as established by the authorizer. */
export interface Caller {
  readonly account_id: string;
  readonly key_id: string;
  readonly settings: AccountSettings;
  /** The role of the key. @default admin */
  readonly role?: Role;
  /** Whose personal key it is: the proven author of everything the request does. @default the key names nobody */
  readonly person?: string;
  readonly trace?: Trace;
  /** Whether a screening says what would have changed its decision. @default true */
  readonly wants_what_if?: boolean;
}

/** Each tracked attribute costs one more write per screening; going up to a dozen should be a deliberate choice. */
export const MAX_TRACKED_ATTRIBUTES = 12;

/** A request cannot carry more keys than this. */
export const MAX_NEVER_OBSERVED = 50;

export const MAX_DISPLAYED_ATTRIBUTES = 8;

export const MAX_REASON_CODES = 30;
const REASON_CODE = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/** Nobody may see these, not even an analyst. */
const SECRETS = /(^|[^a-z])(cvv2?|cvc2?|pin|pan|otp|password|passcode|secret|token)([^a-z]|$)/i;
export const isSecret = (key: string): boolean => SECRETS.test(key);

/** The faults of these settings; empty when they can be saved. */
export function settingsFaults(settings: AccountSettings): Fault[] {
  const { review_threshold: review, block_threshold: block, tracked_attributes: tracked } = settings;
  const { never_observed: never = [], label_window_days: days = DEFAULT_LABEL_WINDOW_DAYS } = settings;
  const { reason_codes: reasons = [], displayed_attributes: displayed = [] } = settings;
  const { challenge_threshold: challenge = NEVER } = settings;
  const isKey = (key: string) => key.length >= 1 && key.length <= 64;
  const isScore = (value: number) => Number.isInteger(value) && value >= 0 && value <= 101;
  const rules: ReadonlyArray<readonly [boolean, string, string]> = [
    [!isScore(challenge), 'challenge_threshold', 'must be an integer from 0 to 101 (101: never)'],
    [challenge > review && challenge !== NEVER, 'challenge_threshold', 'must not be above review_threshold'],
    [!isScore(review), 'review_threshold', 'must be an integer from 0 to 101 (101: never)'],
    [!isScore(block), 'block_threshold', 'must be an integer from 0 to 101 (101: never)'],
    [review > block, 'review_threshold', 'must not be above block_threshold'],
    [tracked.length > MAX_TRACKED_ATTRIBUTES, 'tracked_attributes', `must have at most ${MAX_TRACKED_ATTRIBUTES} keys`],
    [new Set(tracked).size !== tracked.length, 'tracked_attributes', 'has a duplicate key'],
    [!tracked.every(isKey), 'tracked_attributes', 'keys must have 1 to 64 characters'],
    [never.length > MAX_NEVER_OBSERVED, 'never_observed', `must have at most ${MAX_NEVER_OBSERVED} keys`],
    [new Set(never).size !== never.length, 'never_observed', 'has a duplicate key'],
    [!never.every(isKey), 'never_observed', 'keys must have 1 to 64 characters'],
    [
      displayed.length > MAX_DISPLAYED_ATTRIBUTES,
      'displayed_attributes',
      `must have at most ${MAX_DISPLAYED_ATTRIBUTES} keys`,
    ],
    [new Set(displayed).size !== displayed.length, 'displayed_attributes', 'has a duplicate key'],
    [!displayed.every(isKey), 'displayed_attributes', 'keys must have 1 to 64 characters'],
    [displayed.some(isSecret), 'displayed_attributes', 'must not name a secret such as a password or card code'],
    [reasons.length > MAX_REASON_CODES, 'reason_codes', `must have at most ${MAX_REASON_CODES} codes`],
    [new Set(reasons).size !== reasons.length, 'reason_codes', 'has a duplicate code'],
    [
      !reasons.every((code) => REASON_CODE.test(code)),
      'reason_codes',
      'codes must have 1 to 40 of a-z, 0-9, _ and -, and begin with a letter or digit',
    ],
    [
      !(Number.isInteger(days) && days >= 1 && days <= MAX_LABEL_WINDOW_DAYS),
      'label_window_days',
      `must be an integer from 1 to ${MAX_LABEL_WINDOW_DAYS}`,
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, field, message]) => ({ field, message }));
}

/**
 * Who acts, for everything that records it (`updated_by`, `added_by`, `assignee`): the person whose key it is, else the
 * name that the request states, else the key itself. Never empty.
 */
export const actorOf = ({ person, key_id }: Pick<Caller, 'person' | 'key_id'>, stated?: string): string =>
  person ?? stated ?? key_id;
