import type { Fault } from '../errors';

/** How an account wants its attempts screened. */
export interface AccountSettings {
  /** A score at or above this leads to `review`. */
  readonly review_threshold: number;
  /** A score at or above this leads to `block`. */
  readonly block_threshold: number;
  /** Custom attributes whose values are entities with their own history. */
  readonly tracked_attributes: readonly string[];
}

export const DEFAULT_SETTINGS: AccountSettings = {
  review_threshold: 60,
  block_threshold: 85,
  tracked_attributes: ['card_fingerprint', 'card_bin', 'email', 'phone', 'merchant_id', 'terminal_id', 'category'],
};

/** A customer of the service: everything in the table belongs to exactly one. */
export interface Account {
  readonly account_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly settings: AccountSettings;
  /** The API Gateway key that carries this account's rate limit (the authorizer's `usageIdentifierKey`). */
  readonly rate_limit_key: string;
  /** The id under which API Gateway knows that key. */
  readonly rate_limit_key_id: string;
}

/** On whose behalf a request acts, as established by the authorizer. */
export interface Caller {
  readonly account_id: string;
  readonly key_id: string;
  readonly settings: AccountSettings;
}

/** Each tracked attribute costs one more write per screening; going up to a dozen should be a deliberate choice. */
export const MAX_TRACKED_ATTRIBUTES = 12;

/** What is wrong with these settings; empty when they can be saved. */
export function settingsFaults(settings: AccountSettings): Fault[] {
  const { review_threshold: review, block_threshold: block, tracked_attributes: tracked } = settings;
  const isScore = (value: number) => Number.isInteger(value) && value >= 0 && value <= 101;
  const rules: ReadonlyArray<readonly [boolean, string, string]> = [
    [!isScore(review), 'review_threshold', 'must be an integer from 0 to 101 (101: never)'],
    [!isScore(block), 'block_threshold', 'must be an integer from 0 to 101 (101: never)'],
    [review > block, 'review_threshold', 'must not be above block_threshold'],
    [tracked.length > MAX_TRACKED_ATTRIBUTES, 'tracked_attributes', `must have at most ${MAX_TRACKED_ATTRIBUTES} keys`],
    [new Set(tracked).size !== tracked.length, 'tracked_attributes', 'has a duplicate key'],
    [
      tracked.some((key) => key.length < 1 || key.length > 64),
      'tracked_attributes',
      'keys must have 1 to 64 characters',
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, field, message]) => ({ field, message }));
}
