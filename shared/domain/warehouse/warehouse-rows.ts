import type { ReviewCase } from '../cases/review-case';
import { userOf } from '../entities/entity-ref';
import type { StoredOutcome } from '../outcomes/outside-outcome';
import { unpackObserved } from '../screening/attributes/observed-codec';
import { toUsd } from '../screening/currency-rates';
import { FEATURE_NAMES } from '../screening/features';
import { unpackVector } from '../screening/subjects/feature-vector-codec';
import type { ScreeningRecord } from '../screening/subjects/screening-record';
import { decisionId, ulidOf } from '../screening/subjects/subject-id';
import { timestamp } from './erased-people';
import type { ReadRow, WarehouseRow, WarehouseTable, WarehouseValues } from './warehouse-tables';

const json = (value: object): string => JSON.stringify(value);
const names = (all: ReadonlyArray<{ readonly name: string }> = []): string => json(all.map(({ name }) => name));

function featuresOf({ vector }: ScreeningRecord): string {
  const values = [...unpackVector(vector)].map((value, slot) => [FEATURE_NAMES[slot], value] as const);
  return json(Object.fromEntries(values.filter(([name, value]) => name !== undefined && !Number.isNaN(value))));
}

function attributesOf({ observed }: ScreeningRecord): string {
  const all = observed === undefined ? [] : unpackObserved(observed);
  const values = all.map(({ name, bucket, number }) => [name, Number.isNaN(number) ? bucket : number]);
  return json(Object.fromEntries(values));
}

/** Whose decision it is; with `plain`, by the name that the account uses, too. */
export type PersonOf = (record: Pick<ScreeningRecord, 'entities' | 'listed_user' | 'user_id'>) => WarehouseValues;

export const personOf =
  (users: 'pseudonym' | 'plain'): PersonOf =>
  (record) => ({
    user_pseudonym: userOf(record) ?? record.listed_user,
    user_id: users === 'plain' ? record.user_id : undefined,
  });

const base64 = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('base64');

/** Columns by which a decision is read back: as the API shows it, as rules are tested on it, and as models learn from it. */
const STORED = [
  ...['subject_type', 'amount', 'currency', 'event_type', 'risk_score', 'risk_level', 'automated_decision', 'base'],
  ...['decided_by', 'thresholds', 'rules', 'lists', 'counters', 'contributions', 'what_if', 'intelligence'],
  ...['model_version', 'feature_version', 'agent', 'entities', 'missing'],
];

const storedOf = (record: ScreeningRecord): string => {
  const kept = Object.entries(record).filter(([name]) => STORED.includes(name));
  const packed = { vector: base64(record.vector), observed: base64(record.observed) };
  return json({ ...Object.fromEntries(kept), ...packed });
};

const unpacked = (text: unknown): Uint8Array | undefined =>
  typeof text === 'string' ? Buffer.from(text, 'base64') : undefined;

/** The screening that a row was made of; its person as the row names them. */
export function recordOfRow({ stored, decision_id, occurred_at, user_id }: ReadRow): ScreeningRecord {
  const { vector, observed, ...rest } = JSON.parse(String(stored));
  return {
    ...{ missing: [], review: null, review_count: 0, ...rest },
    ...{ vector: unpacked(vector), observed: unpacked(observed) },
    ...{ ulid: String(decision_id).slice('dec_'.length), screened_at_ms: timeOf(occurred_at), user_id: user_id ?? '' },
  } as ScreeningRecord;
}

/** An instant of a row, from Athena (a text) or from a file. */
export const timeOf = (value: unknown): number =>
  value instanceof Date ? value.getTime() : Date.parse(`${String(value).replace(' ', 'T')}Z`);

/** What all rows have. */
function rowOf(
  table: WarehouseTable,
  event: readonly [id: string, account_id: string, at: string | number],
  { ulid }: { readonly ulid: string },
  values: WarehouseValues,
): WarehouseRow {
  const [event_id, account_id, at] = event;
  const occurred_at = timestamp(new Date(at).getTime());
  return { table, values: { event_id, account_id, occurred_at, decision_id: decisionId(ulid), ...values } };
}

/** A screening with its decision; the person is in it as `personOf` says. */
export function decisionRow(account_id: string, record: ScreeningRecord, person: PersonOf): WarehouseRow {
  const { subject_type, event_type, amount, currency, risk_score, risk_level, model_version } = record;
  const { contributions, decided_by } = record;
  const pushed = contributions.filter(({ points }) => points > 0).sort((a, b) => b.points - a.points);
  return rowOf('decisions', [`decided:${record.ulid}`, account_id, record.screened_at_ms], record, {
    ...{ subject_type, event_type, amount, currency, risk_score, risk_level, model_version },
    amount_usd: amount === undefined || currency === undefined ? undefined : toUsd(amount, currency),
    decision: record.automated_decision,
    decided_by_kind: decided_by?.kind ?? 'score',
    decided_by_name: decided_by?.name,
    rules: names(record.rules),
    shadow_rules: names(record.shadow_rules),
    lists: json(record.lists ?? []),
    signals: json(pushed.map(({ signal }) => signal)),
    contributions: json(Object.fromEntries(contributions.map(({ signal, points }) => [signal, points]))),
    features: featuresOf(record),
    counters: json(record.counters ?? {}),
    attributes: attributesOf(record),
    ...person(record),
    stored: storedOf(record),
  });
}

const LABEL_OF = { allow: 'legitimate', block: 'fraud' } as const;

/** A person's review of a decision. */
export function reviewRow(account_id: string, record: ScreeningRecord, person: PersonOf): WarehouseRow[] {
  const { ulid, review, review_count } = record;
  if (review === null) return [];
  const label = LABEL_OF[review.decision];
  return [
    rowOf('outcomes', [`reviewed:${ulid}:${review_count}`, account_id, review.reviewed_at], record, {
      ...{ kind: 'review', label, label_in_force: label, reason: review.reason_code },
      recorded_at: timestamp(Date.parse(review.reviewed_at)),
      ...person(record),
    }),
  ];
}

/** An outcome from outside, once its decision is known; whose it is, the screening says. */
export function outcomeRow(account_id: string, outcome: StoredOutcome): WarehouseRow[] {
  const { subject_id, source, type, label, label_in_force = 'none', amount, currency } = outcome;
  const ulid = subject_id === null ? undefined : ulidOf(subject_id, 'txn', 'evt');
  if (ulid === undefined) return [];
  const event = [`outcome:${source}:${type}`, account_id, outcome.occurred_at] as const;
  const said = { kind: 'outcome', type, label, label_in_force, reason: outcome.reason_code, amount, currency };
  return [rowOf('outcomes', event, { ulid }, { ...said, recorded_at: timestamp(outcome.recorded_at_ms) })];
}

/** A case that was opened or resolved; whose it is, the screening says. */
export function caseRow(account_id: string, reviewCase: ReviewCase): WarehouseRow {
  const { ulid, status, created_at_ms, resolved_at, resolved_by, risk_score } = reviewCase;
  const values = { case_id: `case_${ulid}`, status, risk_score, opened_at: timestamp(created_at_ms), resolved_by };
  return rowOf('cases', [`case:${ulid}:${status}`, account_id, resolved_at ?? created_at_ms], reviewCase, values);
}
