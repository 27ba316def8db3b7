import type { ROUTES } from '../shared/routes';
import type { FunctionOf, Route } from '../shared/routes/define-route';
import type { ListAccess, TableAccess } from './constructs/service-table';

/** The resources a request-serving function may reach; IAM refuses anything not listed, here as in AWS. */
export interface FunctionAccess {
  readonly table?: readonly TableAccess[];
  readonly lists?: readonly ListAccess[];
  readonly models?: true;
  /** May read the stage's secret: only functions that seal or open webhook secrets, or name entities by their values. */
  readonly secret?: true;
  /** For those that do much in one request. @default 10 */
  readonly timeoutSeconds?: number;
}

type NameOf<Served> = Served extends Route ? FunctionOf<Served> : never;

export type FunctionName = NameOf<(typeof ROUTES)[number]>;

/** The items that key names are read from: records and last use. No hash is ever read. */
const KEY_LIST = ['account', 'keyUse'] as const;

const OUTCOME_ACCESS: readonly TableAccess[] = [
  { actions: ['GetItem', 'PutItem', 'UpdateItem'], partitions: ['subject'] },
  { actions: ['UpdateItem'], partitions: ['entity', 'tally'] },
  { actions: ['PutItem', 'DeleteItem'], partitions: ['cases'] },
  { actions: ['PutItem'], partitions: ['label'] },
  { actions: ['GetItem', 'PutItem'], partitions: ['kept'] },
];

/** Access to apply an outcome that waited for a reference: its subject is already stored. */
export const HELD_OUTCOME_ACCESS: readonly TableAccess[] = [
  { actions: ['GetItem', 'PutItem'], partitions: ['kept'] },
  { actions: ['GetItem', 'UpdateItem'], partitions: ['reference'] },
  { actions: ['Query', 'PutItem'], partitions: ['source'] },
  { actions: ['PutItem'], partitions: ['label'] },
  { actions: ['UpdateItem'], partitions: ['entity'] },
  { actions: ['GetItem', 'UpdateItem'], partitions: ['processor'] },
];

const SCREENING_ACCESS: readonly TableAccess[] = [
  { actions: ['UpdateItem'], partitions: ['entity', 'tally'] },
  { actions: ['BatchGetItem'], partitions: ['entity'] },
  { actions: ['Query'], partitions: ['lists', 'listEntry'] },
  { actions: ['GetItem', 'PutItem'], partitions: ['subject'] },
  { actions: ['PutItem'], partitions: ['cases', 'label', 'kept'] },
  { actions: ['UpdateItem'], partitions: ['reference'] },
  { actions: ['GetItem'], partitions: ['rules'] },
  { actions: ['PutItem', 'DeleteItem'], partitions: ['idempotency'] },
  { actions: ['UpdateItem'], partitions: ['model'] },
];

/** One row per function: a route whose function has none does not compile. */
export const FUNCTION_ACCESS: Record<FunctionName, FunctionAccess> = {
  'screen-transaction': { table: SCREENING_ACCESS, models: true, secret: true },
  'screen-event': { table: SCREENING_ACCESS, models: true, secret: true },
  'get-transaction': { table: [{ actions: ['GetItem'], partitions: ['subject'] }] },
  'get-risk-profile': { table: [{ actions: ['GetItem'], partitions: ['entity', 'rules'] }], secret: true },
  'get-decision': { table: [{ actions: ['GetItem'], partitions: ['subject', 'kept'] }] },
  'review-decision': {
    table: [...OUTCOME_ACCESS, { actions: ['GetItem', 'PutItem'], partitions: ['idempotency'] }],
  },
  'list-cases': {
    table: [
      { actions: ['Query'], partitions: ['cases'] },
      { actions: ['Query', 'GetItem'], partitions: ['tally'] },
      { actions: ['BatchGetItem'], partitions: ['subject'] },
    ],
    lists: ['history'],
    secret: true,
  },
  'get-overview': {
    table: [
      { actions: ['Query'], partitions: ['overview', 'cases'] },
      { actions: ['Query', 'GetItem'], partitions: ['tally'] },
    ],
  },
  'get-case': { table: [{ actions: ['GetItem'], partitions: ['subject'] }] },
  // Version 0.1 still puts audit items here, under the same role, while a deployment shifts traffic to this one.
  'resolve-case': { table: OUTCOME_ACCESS },
  desk: {
    table: [
      ...OUTCOME_ACCESS,
      { actions: ['Query'], partitions: ['subject', ...KEY_LIST] },
      { actions: ['GetItem', 'PutItem'], partitions: ['idempotency'] },
    ],
    // A hundred cases in one request.
    timeoutSeconds: 25,
  },
  'create-webhook': {
    table: [
      { actions: ['GetItem', 'PutItem', 'UpdateItem'], partitions: ['webhooks'] },
      { actions: ['GetItem', 'PutItem'], partitions: ['idempotency'] },
    ],
    secret: true,
  },
  'list-webhooks': { table: [{ actions: ['Query'], partitions: ['webhooks'] }] },
  'delete-webhook': { table: [{ actions: ['DeleteItem', 'UpdateItem'], partitions: ['webhooks'] }] },
  webhooks: {
    table: [
      { actions: ['GetItem'], partitions: ['webhooks'] },
      { actions: ['GetItem', 'Query', 'PutItem'], partitions: ['deliveries'] },
      { actions: ['PutItem', 'UpdateItem'], partitions: ['message'] },
      { actions: ['GetItem', 'PutItem'], partitions: ['idempotency'] },
    ],
  },
  outcomes: {
    table: [
      ...HELD_OUTCOME_ACCESS,
      { actions: ['GetItem', 'UpdateItem'], partitions: ['subject'] },
      { actions: ['GetItem', 'PutItem'], partitions: ['idempotency', 'inbound'] },
    ],
    secret: true,
  },
  lists: {
    table: [
      { actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'], partitions: ['lists', 'listEntry'] },
      { actions: ['Query'], partitions: KEY_LIST },
      { actions: ['BatchGetItem'], partitions: ['listEntry', 'entity'] },
      { actions: ['UpdateItem', 'DeleteItem'], partitions: ['entity'] },
      { actions: ['GetItem', 'PutItem'], partitions: ['idempotency'] },
    ],
    secret: true,
    // A thousand entries are 21 transactions of a hundred items, one after another.
    timeoutSeconds: 25,
  },
  explore: {
    table: [
      { actions: ['Query'], partitions: ['cases', 'tally', 'links', 'subject', 'lists'] },
      { actions: ['BatchGetItem'], partitions: ['subject', 'entity', 'kept', 'listEntry'] },
      { actions: ['GetItem', 'UpdateItem', 'DeleteItem'], partitions: ['entity'] },
      { actions: ['GetItem', 'PutItem', 'UpdateItem'], partitions: ['erasure'] },
      { actions: ['GetItem'], partitions: ['kept', 'rules', 'reference', 'subject'] },
      { actions: ['PutItem'], partitions: ['subject'] },
      { actions: ['GetItem', 'PutItem'], partitions: ['idempotency'] },
    ],
    lists: ['history', 'decided'],
    secret: true,
  },
  rules: {
    table: [
      { actions: ['GetItem', 'Query', 'PutItem'], partitions: ['rules'] },
      { actions: ['Query'], partitions: ['overview', 'lists', 'label', 'cases', 'tally'] },
      { actions: ['BatchGetItem'], partitions: ['subject'] },
      { actions: ['GetItem', 'PutItem'], partitions: ['idempotency'] },
    ],
    lists: ['decided'],
    // A test compares values with those that are stored by pseudonym, in up to 7,000 screenings.
    secret: true,
    timeoutSeconds: 25,
  },
  declarations: {
    table: [
      { actions: ['GetItem', 'PutItem'], partitions: ['rules'] },
      // Whether the values of an attribute are entities is a setting of the account.
      { actions: ['GetItem', 'UpdateItem'], partitions: ['account'] },
    ],
  },
  'get-openapi': {},
  'get-docs': {},
  'get-docs-script': {},
};

/** Amazon's client names events by its own IDs, which are not references, and repeats them without `Idempotency-Key`. */
const NOT_OF_AFD = ['idempotency', 'reference'] as const;

/** Amazon Fraud Detector's own client: screens, labels, and keeps which event was which screening. */
export const AFD_ACCESS: FunctionAccess = {
  table: [
    ...SCREENING_ACCESS.filter(({ partitions }) => !NOT_OF_AFD.some((each) => partitions.includes(each))),
    ...OUTCOME_ACCESS,
    { actions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], partitions: ['afd'] },
    // That client's declarations are stored here; whether an attribute's values are entities stays unchanged.
    { actions: ['PutItem'], partitions: ['rules'] },
    { actions: ['GetItem'], partitions: ['account'] },
  ],
  models: true,
  secret: true,
};

export const AUTHORIZER_ACCESS: readonly TableAccess[] = [
  { actions: ['GetItem'], partitions: ['keyHash', 'account'] },
  { actions: ['PutItem'], partitions: ['keyUse'] },
];
