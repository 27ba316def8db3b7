/** Types of columns, as Glue names them. */
export type ColumnType = 'string' | 'bigint' | 'double' | 'boolean' | 'timestamp';

type Columns = Readonly<Record<string, readonly [type: ColumnType, comment: string]>>;

const EVENT = {
  event_id: ['string', 'unique: one event may be in the files twice, and is in the view once'],
  account_id: ['string', 'the account'],
  occurred_at: ['timestamp', 'when it happened, UTC'],
} as const satisfies Columns;

const PERSON = {
  user_pseudonym: [
    'string',
    'the user by pseudonym: the same in all rows of an account until the identity key is rotated',
  ],
  user_id: ['string', 'the user as they were sent, only with -c warehouseUsers=plain'],
} as const satisfies Columns;

/**
 * The tables of the warehouse. People are in them by pseudonym, so that an erasure finds their rows (`erased-people.ts`).
 * Lists and objects are JSON texts, which Athena reads with `json_extract`. Append only: files keep their columns.
 */
export const WAREHOUSE_TABLES = {
  decisions: {
    ...EVENT,
    decision_id: ['string', 'as GET /v1/decisions/{id} takes it'],
    subject_type: ['string', 'transaction or event'],
    event_type: ['string', 'of an event'],
    amount: ['double', 'in its own currency'],
    currency: ['string', 'ISO 4217'],
    amount_usd: ['double', 'in US dollars, if there is a rate'],
    risk_score: ['bigint', '0 to 100'],
    risk_level: ['string', 'low, medium or high'],
    decision: ['string', 'allow, challenge, review or block'],
    decided_by_kind: ['string', 'score, rule, list or sandbox'],
    decided_by_name: ['string', 'the rule or list'],
    rules: ['string', 'JSON: names of rules that matched'],
    shadow_rules: ['string', 'JSON: names of rules in shadow that matched'],
    lists: ['string', 'JSON: names of lists that matched'],
    signals: ['string', 'JSON: signals that added points, most first'],
    contributions: ['string', 'JSON: points by signal'],
    model_version: ['string', 'the model that scored it'],
    features: ['string', 'JSON: features by name'],
    counters: ['string', 'JSON: counters by name'],
    attributes: ['string', 'JSON: observed attributes by name, as hashes of 16 bits or rounded numbers'],
    ...PERSON,
    stored: ['string', 'JSON: the screening as rules are tested on it and models learn from it (packed)'],
  },
  outcomes: {
    ...EVENT,
    decision_id: ['string', 'the decision that it is about; null while none is known'],
    kind: ['string', 'review (of a person) or outcome (from outside)'],
    type: ['string', 'of an outcome: chargeback, refund, authorized, …'],
    label: ['string', 'fraud, legitimate or none'],
    reason: ['string', 'the reason code, if there is one'],
    amount: ['double', 'of an outcome'],
    currency: ['string', 'ISO 4217'],
    ...PERSON,
  },
  cases: {
    ...EVENT,
    case_id: ['string', 'as GET /v1/cases/{id} takes it'],
    decision_id: ['string', 'the decision under review'],
    status: ['string', 'open, approved or rejected'],
    risk_score: ['bigint', '0 to 100'],
    opened_at: ['timestamp', 'when it was opened, UTC'],
    resolved_by: ['string', 'who resolved it, as the request named them'],
    ...PERSON,
  },
} as const satisfies Readonly<Record<string, Columns>>;

export type WarehouseTable = keyof typeof WAREHOUSE_TABLES;

export const WAREHOUSE_TABLE_NAMES = Object.keys(WAREHOUSE_TABLES) as readonly WarehouseTable[];

/** A row's values by column; a member that is missing or null is null. */
export type WarehouseValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A row as a file or Athena holds it: instants are dates or texts, numbers may be texts. */
export type ReadRow = Readonly<Record<string, unknown>>;

export interface WarehouseRow {
  readonly table: WarehouseTable;
  readonly values: WarehouseValues;
}
