import { ulidFraction } from '../domain/ulid';
import type { Key } from './sdk/key';

export { DUE_INDEX } from './sdk/key';

/**
 * The only file with key templates. The account is the first parameter of every key of an account's data, so a
 * read across accounts cannot be written. The part before the first `#` is what a function's IAM policy allows
 * (`dynamodb:LeadingKeys`), see `lib/constructs/service-table.ts`.
 *
 *   pk                         sk                what
 *   ACCOUNTS                   acc_…             directory entry (admin only)
 *   ACCOUNT#acc                ACCOUNT           name, settings, rate-limit key
 *   ACCOUNT#acc                INBOUND#in_…      an inbound address, for lists (admin only)
 *   ACCOUNT#acc                KEY#key_…         an API key's record, for lists and revocation (admin only)
 *   KEYHASH#sha256             KEYHASH           hash → account (authorizer only)
 *   KEYUSE#acc                 key_…             the hour in which a key was last used
 *   WEBHOOKS#acc               ENDPOINT#wh_…     an endpoint with its sealed secret
 *   WEBHOOKS#acc               COUNT             number of endpoints: makes "at most 20" exact under concurrency
 *   ENDPOINTSTATE#acc#wh_…     STATE             an endpoint's breaker, failures and slots in use
 *   MESSAGE#acc#msg_…          MESSAGE           a large webhook message: the exact bytes of every delivery attempt, 30 days
 *   DELIVERIES#acc#wh_…#shard  ulid              the delivery of a message to one endpoint, with a small message itself, 30 days
 *   IDEMPOTENCY#acc#scope      IDEMPOTENCY       the recorded response of an Idempotency-Key, 24 h
 *   AFD#acc                    MAPPING           how events of Amazon Fraud Detector's client are read
 *   AFD#acc                    TYPES             what that client has declared: variables, event types, entity types, labels
 *   AFD#acc#scope              EVENT             which screening an event of that client was, 90 days
 *   ENTITY#acc#kind#hash       ENTITY            an entity's history: ≤ 1 kB of additive counters
 *   ENTITY#acc#n~kind#hash     ENTITY            a shard of an entity that one item cannot keep up with
 *   SUBJECT#acc#ulid           RESULT            a screening with its vector and review, 90 days
 *   SUBJECT#acc#ulid           CASE              its review case
 *   SUBJECT#acc#ulid           AUDIT#n           one review: who, when, what; a case tells itself how it was resolved
 *   SUBJECT#acc#ulid           DESK#ulid         a claim, a release or a comment
 *   CASES#acc#day#shard#class  ulid              a copy of a case, in list order
 *   TALLY#acc#shard            DAY#day           how many cases of each class, by hour
 *   TALLY#acc#shard#day        HOUR#hh           the same by minute
 *   TALLY#acc#0                DAY#day#BUSY      that cases of this day may be in the shards of busy days
 *   TALLY#acc#shard#STEPS      ulid#step         a change of a case that the tallies do not include yet
 *   LABEL#acc#yyyy-mm          ulid#n            an outcome of a subject, with its vector; 0: sampled, presumed
 *   OVERVIEW#acc#slot          HOUR#… DAY#…       counts of decisions and outcomes, by hour (16 days) or day (92 days)
 *   OVERVIEW#acc#slot          DESK-HOUR#… …     what analysts resolved, likewise
 *   RULES#acc                  BOOK              all rules of an account, with their checked expressions
 *   RULES#acc                  VERSION#name#n    a version of a rule: who changed it, when and to what
 *   LINKS#acc#kind#hash        user's hash       that a user was seen with an entity, and since when; 400 days
 *   ERASURE#acc                era_…             the erasure of a user, without the user once it is done
 *   ERASURE#acc                DAY#day           how many erasures were asked for on a day, 2 days
 *   ERASURE#acc                FORGET#ulid       that labels of a user were taken back, by whom and why
 *   ERASEPASS#all              PASS              how far the walk through the table for pending erasures has come
 *   MARK#shard                 OVERVIEW          the last record of a stream shard that the overview includes, 3 days
 *   KEPT#acc#ulid              KEPT              what labels from outside need of a screening, until the label window ends
 *   REFERENCE#acc#pseudonym    REFERENCE         a reference's subject, or the outcomes that wait for it (7 days)
 *   SOURCE#acc#pseudonym       outcome type      an outcome from outside, by the ID that its source gave it
 *   PROCESSOR#acc              TALLY#span        what processors said about payments, in steps of five minutes, 2 days
 *   INBOUND#in_…               INBOUND           a payment processor's address here, with its sealed signing secret
 *   INBOUND#in_…               ASIDE#ulid        a verified body that could not be read, sealed, 30 days
 *   LISTS#acc                  LIST#name         a list, with the number of its entries
 *   LISTS#acc                  COUNT             number of lists, and the number that the last one got
 *   LISTS#acc                  CHANGE#ulid       who changed which list, when and how, 400 days
 *   LISTENTRY#acc#number       kind#hash         a value on a list, sealed; `PURGE` while a deleted list has entries left
 *   MODEL#version              TALLY             how a model in shadow scored this stage's traffic, for all accounts
 *
 * Index `due` (sparse): DUE#kind#shard → time, for items that a sweep must look at; and
 *   DECIDED#acc#decision#yyyy-mm#shard → ulid, screenings that are blocked or challenged.
 * Index `history`: HISTORY#acc#pseudonym → ulid, the screenings of a user.
 */
export const PARTITION = {
  accounts: 'ACCOUNTS',
  account: 'ACCOUNT',
  keyHash: 'KEYHASH',
  keyUse: 'KEYUSE',
  webhooks: 'WEBHOOKS',
  endpointState: 'ENDPOINTSTATE',
  message: 'MESSAGE',
  deliveries: 'DELIVERIES',
  idempotency: 'IDEMPOTENCY',
  afd: 'AFD',
  entity: 'ENTITY',
  subject: 'SUBJECT',
  label: 'LABEL',
  cases: 'CASES',
  tally: 'TALLY',
  overview: 'OVERVIEW',
  rules: 'RULES',
  links: 'LINKS',
  erasure: 'ERASURE',
  erasePass: 'ERASEPASS',
  mark: 'MARK',
  model: 'MODEL',
  kept: 'KEPT',
  reference: 'REFERENCE',
  source: 'SOURCE',
  processor: 'PROCESSOR',
  inbound: 'INBOUND',
  lists: 'LISTS',
  listEntry: 'LISTENTRY',
} as const;

export const accountOfPk = (pk: string): string => pk.split('#')[1] ?? '';

export const accountDirectoryPk = PARTITION.accounts;
export const accountDirectoryKey = (accountId: string): Key => ({ pk: PARTITION.accounts, sk: accountId });

export const accountPk = (accountId: string): string => `${PARTITION.account}#${accountId}`;
export const accountKey = (accountId: string): Key => ({ pk: accountPk(accountId), sk: 'ACCOUNT' });

export const API_KEY_SK = 'KEY#';
export const apiKeyKey = (accountId: string, keyId: string): Key => ({
  pk: accountPk(accountId),
  sk: `${API_KEY_SK}${keyId}`,
});

export const INBOUND_SK = 'INBOUND#';
export const accountInboundKey = (accountId: string, inboundId: string): Key => ({
  pk: accountPk(accountId),
  sk: `${INBOUND_SK}${inboundId}`,
});

/** Processors' reports within a span of four hours. */
export const processorTallyKey = (accountId: string, span: number): Key => ({
  pk: `${PARTITION.processor}#${accountId}`,
  sk: `TALLY#${span}`,
});

/** Looked up before an account is known: the signature is the proof of identity. */
export const inboundPk = (inboundId: string): string => `${PARTITION.inbound}#${inboundId}`;
export const inboundKey = (inboundId: string): Key => ({ pk: inboundPk(inboundId), sk: 'INBOUND' });
export const ASIDE_SK = 'ASIDE#';
export const asideKey = (inboundId: string, ulid: string): Key => ({
  pk: inboundPk(inboundId),
  sk: `${ASIDE_SK}${ulid}`,
});

/** Looked up before an account is known: the hash is the proof of identity. */
export const keyHashKey = (keyHash: string): Key => ({ pk: `${PARTITION.keyHash}#${keyHash}`, sk: 'KEYHASH' });

/** Apart from the keys themselves: the authorizer may write here, and can change nothing about any key. */
export const keyUsePk = (accountId: string): string => `${PARTITION.keyUse}#${accountId}`;
export const keyUseKey = (accountId: string, keyId: string): Key => ({ pk: keyUsePk(accountId), sk: keyId });

export const ENDPOINT_SK = 'ENDPOINT#';
export const webhooksPk = (accountId: string): string => `${PARTITION.webhooks}#${accountId}`;
export const webhookKey = (accountId: string, webhookId: string): Key => ({
  pk: webhooksPk(accountId),
  sk: `${ENDPOINT_SK}${webhookId}`,
});
export const webhookCountKey = (accountId: string): Key => ({ pk: webhooksPk(accountId), sk: 'COUNT' });

/** In its own partition, because it is written with every batch of deliveries. */
export const endpointStateKey = (accountId: string, webhookId: string): Key => ({
  pk: `${PARTITION.endpointState}#${accountId}#${webhookId}`,
  sk: 'STATE',
});

export const messageKey = (accountId: string, messageId: string): Key => ({
  pk: `${PARTITION.message}#${accountId}#${messageId}`,
  sk: 'MESSAGE',
});

/**
 * Deliveries of an endpoint are spread over this many partitions, each good for 250 deliveries per second (four write
 * units each). A list reads all of them. The constant may only grow.
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

export const afdMappingKey = (accountId: string): Key => ({ pk: `${PARTITION.afd}#${accountId}`, sk: 'MAPPING' });
export const afdTypesKey = (accountId: string): Key => ({ pk: `${PARTITION.afd}#${accountId}`, sk: 'TYPES' });
export const afdEventKey = (accountId: string, scope: string): Key => ({
  pk: `${PARTITION.afd}#${accountId}#${scope}`,
  sk: 'EVENT',
});

export const entityKey = (accountId: string, entity: string): Key => ({
  pk: `${PARTITION.entity}#${accountId}#${entity}`,
  sk: 'ENTITY',
});

/** The shard of an entity, named like an entity: an identity key that is replaced renames it as well. */
export const entityShard = (entity: string, shard: number): string => `${shard}~${entity}`;
export const isEntityShard = (entity: string): boolean => /^\d+~/.test(entity);

export const subjectPk = (accountId: string, ulid: string): string => `${PARTITION.subject}#${accountId}#${ulid}`;
export const resultKey = (accountId: string, ulid: string): Key => ({ pk: subjectPk(accountId, ulid), sk: 'RESULT' });
export const caseKey = (accountId: string, ulid: string): Key => ({ pk: subjectPk(accountId, ulid), sk: 'CASE' });
export const AUDIT_SK = 'AUDIT#';
export const auditKey = (accountId: string, ulid: string, number: number): Key => ({
  pk: subjectPk(accountId, ulid),
  sk: `${AUDIT_SK}${String(number).padStart(6, '0')}`,
});

export const DESK_SK = 'DESK#';
export const deskEntryKey = (accountId: string, ulid: string, entry: string): Key => ({
  pk: subjectPk(accountId, ulid),
  sk: `${DESK_SK}${entry}`,
});

/** By month of screening: a month's whole training set is one query. */
export const labelPk = (accountId: string, month: string): string => `${PARTITION.label}#${accountId}#${month}`;
/** Appended, never overwritten: a subject's last label is the valid one. */
export const labelKey = (accountId: string, ulid: string, screenedAtMs: number, number: number): Key => ({
  pk: labelPk(accountId, new Date(screenedAtMs).toISOString().slice(0, 7)),
  sk: `${ulid}#${String(number).padStart(6, '0')}`,
});

/** Before every label of the subjects that were screened later in the month: digits come before `~`. */
export const labelsAfter = (accountId: string, month: string, ulid: string): Key => ({
  pk: labelPk(accountId, month),
  sk: `${ulid}#~`,
});

export const keptKey = (accountId: string, ulid: string): Key => ({
  pk: `${PARTITION.kept}#${accountId}#${ulid}`,
  sk: 'KEPT',
});
export const referenceKey = (accountId: string, pseudonym: string): Key => ({
  pk: `${PARTITION.reference}#${accountId}#${pseudonym}`,
  sk: 'REFERENCE',
});
/** All that one dispute ever said is one query. */
export const sourcePk = (accountId: string, pseudonym: string): string =>
  `${PARTITION.source}#${accountId}#${pseudonym}`;
export const sourceKey = (accountId: string, pseudonym: string, type: string): Key => ({
  pk: sourcePk(accountId, pseudonym),
  sk: type,
});

/** Cases were listed once more here, whatever their class. Nobody reads it; what is left of it ends with its cases. */
export const FORMER_LIST = 'all';
export const caseListPk = (accountId: string, day: string, shard: number, list: string): string =>
  `${PARTITION.cases}#${accountId}#${day}#${shard}#${list}`;

export const dayTallyPk = (accountId: string, shard: number): string => `${PARTITION.tally}#${accountId}#${shard}`;
export const dayTallySk = (day: string): string => `DAY#${day}`;
export const hourTallyKey = (accountId: string, shard: number, day: string, hour: string): Key => ({
  pk: `${PARTITION.tally}#${accountId}#${shard}#${day}`,
  sk: `HOUR#${hour}`,
});

/** With the tallies of the first shard, so that who reads them reads it too. */
export const busyDayKey = (accountId: string, day: string): Key => ({
  pk: dayTallyPk(accountId, 0),
  sk: `${dayTallySk(day)}#BUSY`,
});
/** In order of the cases: the steps of an hour are one query. */
export const tallyStepsPk = (accountId: string, shard: number): string =>
  `${PARTITION.tally}#${accountId}#${shard}#STEPS`;
export const tallyStepKey = (accountId: string, shard: number, ulid: string, step: string): Key => ({
  pk: tallyStepsPk(accountId, shard),
  sk: `${ulid}#${step}`,
});

/** For the stage as a whole: accounts share models, and the tally contains nobody's data. */
export const shadowTallyKey = (version: string): Key => ({ pk: `${PARTITION.model}#${version}`, sk: 'TALLY' });

/** Slots separate the counts of stream shards that are processed at the same time. */
export const overviewPk = (accountId: string, slot: number): string => `${PARTITION.overview}#${accountId}#${slot}`;
export const overviewSk = (interval: 'hour' | 'day', atMs: number, about?: 'desk'): string => {
  const time = new Date(atMs).toISOString();
  const span = interval === 'hour' ? `HOUR#${time.slice(0, 13)}` : `DAY#${time.slice(0, 10)}`;
  return about === undefined ? span : `DESK-${span}`;
};

export const rulesPk = (accountId: string): string => `${PARTITION.rules}#${accountId}`;
/** One item: a screening reads all rules at once, and who changes one compares with all. */
export const ruleBookKey = (accountId: string): Key => ({ pk: rulesPk(accountId), sk: 'BOOK' });
export const ruleVersionPrefix = (name: string): string => `VERSION#${name}#`;
export const ruleVersionKey = (accountId: string, name: string, version: number): Key => ({
  pk: rulesPk(accountId),
  sk: `${ruleVersionPrefix(name)}${String(version).padStart(6, '0')}`,
});

export const linksPk = (accountId: string, entity: string): string => `${PARTITION.links}#${accountId}#${entity}`;
export const linkKey = (accountId: string, entity: string, user: string): Key => ({
  pk: linksPk(accountId, entity),
  sk: user,
});

/** Belongs to no account: a shard holds records of all. */
export const overviewMarkKey = (shardId: string): Key => ({ pk: `${PARTITION.mark}#${shardId}`, sk: 'OVERVIEW' });

export const LIST_SK = 'LIST#';
export const listsPk = (accountId: string): string => `${PARTITION.lists}#${accountId}`;
export const listKey = (accountId: string, name: string): Key => ({
  pk: listsPk(accountId),
  sk: `${LIST_SK}${name}`,
});
export const listCountKey = (accountId: string): Key => ({ pk: listsPk(accountId), sk: 'COUNT' });
export const LIST_CHANGE_SK = 'CHANGE#';
export const listChangeKey = (accountId: string, ulid: string): Key => ({
  pk: listsPk(accountId),
  sk: `${LIST_CHANGE_SK}${ulid}`,
});
/** By the number of the list: one created again under the same name has none of the old entries. */
export const listEntriesPk = (accountId: string, number: number): string =>
  `${PARTITION.listEntry}#${accountId}#${number}`;
export const listEntryKey = (accountId: string, number: number, entity: string): Key => ({
  pk: listEntriesPk(accountId, number),
  sk: entity,
});
/** Upper case, and so before every entry. */
export const LIST_PURGE_SK = 'PURGE';
export const listPurgeKey = (accountId: string, number: number): Key => ({
  pk: listEntriesPk(accountId, number),
  sk: LIST_PURGE_SK,
});

/** Entries that expire and deleted lists with entries left, of all accounts. */
export const LIST_DUE_SHARDS = 4;
export const listDuePk = (shard: number): string => `DUE#list#${shard}`;

/** The screenings of a user, by the user's pseudonym: user IDs are compared in their canonical form (ADR 0016). */
export const HISTORY_INDEX = 'history';
export const HISTORY_PK = 'HISTORY';
export const historyPk = (accountId: string, pseudonym: string): string => `${HISTORY_PK}#${accountId}#${pseudonym}`;

export const erasurePk = (accountId: string): string => `${PARTITION.erasure}#${accountId}`;
export const erasureKey = (accountId: string, erasureId: string): Key => ({ pk: erasurePk(accountId), sk: erasureId });
export const forgottenKey = (accountId: string, ulid: string): Key => ({
  pk: erasurePk(accountId),
  sk: `FORGET#${ulid}`,
});
export const erasureDayKey = (accountId: string, day: string): Key => ({
  pk: erasurePk(accountId),
  sk: `DAY#${day}`,
});
export const erasePassKey: Key = { pk: `${PARTITION.erasePass}#all`, sk: 'PASS' };
/** Erasures are few: people ask for them one by one. */
export const ERASURE_DUE_PK = 'DUE#erasure#0';

/** Screenings by decision and month, each good for 1,000 per second and shard: an attack is thousands of blocks. */
export const DECIDED_SHARDS = 4;
export const DECIDED_PK = 'DECIDED';
export const decidedPk = (accountId: string, decision: string, month: string, shard: number): string =>
  `${DECIDED_PK}#${accountId}#${decision}#${month}#${shard}`;
export const decidedShard = (ulid: string): number => lastCharacter(ulid) % DECIDED_SHARDS;
/** Cases that will expire, of all accounts: written when they open and when they are resolved. It may only grow. */
export const CASE_DUE_SHARDS = 16;
export const caseDueShard = (ulid: string): number => Math.floor(ulidFraction(ulid) * CASE_DUE_SHARDS);
export const caseDuePk = (shard: number): string => `DUE#case#${shard}`;
/** Pending deliveries of all accounts: each is written to it twice, so 16 shards take thousands per second. */
export const DELIVERY_DUE_SHARDS = 16;
export const deliveryDuePk = (shard: number): string => `DUE#delivery#${shard}`;
export const deliveryDueShard = (ulid: string): number => lastCharacter(ulid) % DELIVERY_DUE_SHARDS;
/** References that outcomes wait for: few, since most are known before anything is reported about them. */
export const OUTCOME_DUE_SHARDS = 4;
export const outcomeDuePk = (shard: number): string => `DUE#outcome#${shard}`;
export const outcomeDueShard = (pseudonym: string): number => lastCharacter(pseudonym) % OUTCOME_DUE_SHARDS;
