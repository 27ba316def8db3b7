import type { Key } from './sdk/key';

/**
 * The only file with key templates. The account is the first parameter of every key of an account's data, so that a
 * read across accounts cannot be written. The part before the first `#` is what a function's IAM policy allows
 * (`dynamodb:LeadingKeys`), see `lib/constructs/table-access.ts`.
 *
 *   pk                         sk                what
 *   ACCOUNTS                   acc_…             directory entry (admin only)
 *   ACCOUNT#acc                ACCOUNT           name, settings, rate-limit key
 *   ACCOUNT#acc                KEY#key_…         an API key's record, for lists and revocation (admin only)
 *   KEYHASH#sha256             KEYHASH           hash → account (authorizer only)
 *   WEBHOOKS#acc               ENDPOINT#wh_…     an endpoint with its sealed secret
 *   WEBHOOKS#acc               COUNT             how many endpoints: makes "at most 20" exact under concurrency
 *   ENDPOINTSTATE#acc#wh_…     STATE             an endpoint's breaker, failures and places in flight
 *   MESSAGE#acc#msg_…          MESSAGE           a webhook message: the very bytes of every attempt, 30 days
 *   DELIVERIES#acc#wh_…#shard  ulid              a message's way to one endpoint, 30 days
 *   IDEMPOTENCY#acc#scope      IDEMPOTENCY       the recorded answer of an Idempotency-Key, 24 h
 *   ENTITY#acc#kind#hash       ENTITY            an entity's history: ≤ 1 kB of additive counters
 *   SUBJECT#acc#ulid           RESULT            a screening with its vector and review, 90 days
 *   SUBJECT#acc#ulid           CASE              its review case
 *   SUBJECT#acc#ulid           AUDIT#n           one change: who, when, what
 *   CASES#acc#day#shard#list   ulid              a case once more, in the order of lists: of all, and of its class
 *   TALLY#acc#shard            DAY#day           how many cases of each class, by hour
 *   TALLY#acc#shard#day        HOUR#hh           the same by minute
 *   LABEL#acc#yyyy-mm          ulid#n            an outcome of a subject, with the vector it was scored with; 0: sampled, presumed
 *   OVERVIEW#acc#slot          HOUR#… DAY#…       what was decided and found out, in an hour (9 days) or day (92 days)
 *   MARK#shard                 OVERVIEW          the last record of a stream's shard that is in the overview, 3 days
 *   MODEL#version              TALLY             what a model in shadow did on this stage's traffic, of all accounts
 *
 * Index `due` (sparse): DUE#kind#shard → time, of what a sweep must look at.
 */
export const PARTITION = {
  accounts: 'ACCOUNTS',
  account: 'ACCOUNT',
  keyHash: 'KEYHASH',
  webhooks: 'WEBHOOKS',
  endpointState: 'ENDPOINTSTATE',
  message: 'MESSAGE',
  deliveries: 'DELIVERIES',
  idempotency: 'IDEMPOTENCY',
  entity: 'ENTITY',
  subject: 'SUBJECT',
  label: 'LABEL',
  cases: 'CASES',
  tally: 'TALLY',
  overview: 'OVERVIEW',
  mark: 'MARK',
  model: 'MODEL',
} as const;

export const accountDirectoryPk = PARTITION.accounts;
export const accountDirectoryKey = (accountId: string): Key => ({ pk: PARTITION.accounts, sk: accountId });

export const accountPk = (accountId: string): string => `${PARTITION.account}#${accountId}`;
export const accountKey = (accountId: string): Key => ({ pk: accountPk(accountId), sk: 'ACCOUNT' });

export const API_KEY_SK = 'KEY#';
export const apiKeyKey = (accountId: string, keyId: string): Key => ({
  pk: accountPk(accountId),
  sk: `${API_KEY_SK}${keyId}`,
});

/** Looked up before an account is known: the hash is the proof of identity. */
export const keyHashKey = (keyHash: string): Key => ({ pk: `${PARTITION.keyHash}#${keyHash}`, sk: 'KEYHASH' });

export const ENDPOINT_SK = 'ENDPOINT#';
export const webhooksPk = (accountId: string): string => `${PARTITION.webhooks}#${accountId}`;
export const webhookKey = (accountId: string, webhookId: string): Key => ({
  pk: webhooksPk(accountId),
  sk: `${ENDPOINT_SK}${webhookId}`,
});
export const webhookCountKey = (accountId: string): Key => ({ pk: webhooksPk(accountId), sk: 'COUNT' });

/** A partition of its own: it is written with every batch of deliveries. */
export const endpointStateKey = (accountId: string, webhookId: string): Key => ({
  pk: `${PARTITION.endpointState}#${accountId}#${webhookId}`,
  sk: 'STATE',
});

export const messageKey = (accountId: string, messageId: string): Key => ({
  pk: `${PARTITION.message}#${accountId}#${messageId}`,
  sk: 'MESSAGE',
});

/**
 * Deliveries of an endpoint lie in this many partitions, each good for 250 deliveries a second (four write units each).
 * A list reads all of them. The constant may only grow.
 */
export const DELIVERY_SHARDS = 4;
export const deliveriesPk = (accountId: string, webhookId: string, shard: number): string =>
  `${PARTITION.deliveries}#${accountId}#${webhookId}#${shard}`;
export const deliveryKey = (accountId: string, webhookId: string, ulid: string): Key => ({
  pk: deliveriesPk(accountId, webhookId, lastCharacter(ulid) % DELIVERY_SHARDS),
  sk: ulid,
});
const lastCharacter = (ulid: string): number => ulid.charCodeAt(ulid.length - 1);

export const idempotencyKey = (accountId: string, scope: string): Key => ({
  pk: `${PARTITION.idempotency}#${accountId}#${scope}`,
  sk: 'IDEMPOTENCY',
});

export const entityKey = (accountId: string, entity: string): Key => ({
  pk: `${PARTITION.entity}#${accountId}#${entity}`,
  sk: 'ENTITY',
});

export const subjectPk = (accountId: string, ulid: string): string => `${PARTITION.subject}#${accountId}#${ulid}`;
export const resultKey = (accountId: string, ulid: string): Key => ({ pk: subjectPk(accountId, ulid), sk: 'RESULT' });
export const caseKey = (accountId: string, ulid: string): Key => ({ pk: subjectPk(accountId, ulid), sk: 'CASE' });
export const auditKey = (accountId: string, ulid: string, number: number): Key => ({
  pk: subjectPk(accountId, ulid),
  sk: `AUDIT#${String(number).padStart(6, '0')}`,
});

/** By month of screening: the whole training set of a month is one query. */
export const labelPk = (accountId: string, month: string): string => `${PARTITION.label}#${accountId}#${month}`;
/** Appended, never overwritten: the last of a subject is the one that holds. */
export const labelKey = (accountId: string, ulid: string, screenedAtMs: number, number: number): Key => ({
  pk: labelPk(accountId, new Date(screenedAtMs).toISOString().slice(0, 7)),
  sk: `${ulid}#${String(number).padStart(6, '0')}`,
});

/** The list of all cases, which no case leaves: a walk through it has no gap while cases are being resolved. */
export const ALL_CASES = 'all';
export const caseListPk = (accountId: string, day: string, shard: number, list: string): string =>
  `${PARTITION.cases}#${accountId}#${day}#${shard}#${list}`;

export const dayTallyPk = (accountId: string, shard: number): string => `${PARTITION.tally}#${accountId}#${shard}`;
export const dayTallySk = (day: string): string => `DAY#${day}`;
export const hourTallyKey = (accountId: string, shard: number, day: string, hour: string): Key => ({
  pk: `${PARTITION.tally}#${accountId}#${shard}#${day}`,
  sk: `HOUR#${hour}`,
});

/** Of the stage as a whole: models are shared by accounts, and the tally has nothing of anybody's data. */
export const shadowTallyKey = (version: string): Key => ({ pk: `${PARTITION.model}#${version}`, sk: 'TALLY' });

/** Slots keep apart what shards of the stream count at the same time. */
export const overviewPk = (accountId: string, slot: number): string => `${PARTITION.overview}#${accountId}#${slot}`;
export const overviewSk = (interval: 'hour' | 'day', atMs: number): string => {
  const time = new Date(atMs).toISOString();
  return interval === 'hour' ? `HOUR#${time.slice(0, 13)}` : `DAY#${time.slice(0, 10)}`;
};

/** Of no account: a shard holds records of all. */
export const overviewMarkKey = (shardId: string): Key => ({ pk: `${PARTITION.mark}#${shardId}`, sk: 'OVERVIEW' });

export const DUE_INDEX = 'due';
/** Cases that will expire, of all accounts: few a second each shard, since only open ones are in it. */
export const caseDuePk = (shard: number): string => `DUE#case#${shard}`;
/** Pending deliveries of all accounts: each is written to it twice, so 16 shards take thousands a second. */
export const DELIVERY_DUE_SHARDS = 16;
export const deliveryDuePk = (shard: number): string => `DUE#delivery#${shard}`;
export const deliveryDueShard = (ulid: string): number => lastCharacter(ulid) % DELIVERY_DUE_SHARDS;
