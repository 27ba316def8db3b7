import { type Asked, audit, type Evidence, type Row, type Said, type Told } from '../../../bench/chaos/audit';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { encodeUlid } from '../../../shared/domain/ulid';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { counterName, dayName, hourName, shardOf, tallyPosition } from '../../../shared/store/cases/case-index';
import { declinedUpdate } from '../../../shared/store/entities/familiarity-update';
import { recordAttemptUpdate } from '../../../shared/store/entities/record-attempt-update';
import {
  caseKey,
  caseListPk,
  dayTallyPk,
  dayTallySk,
  entityKey,
  hourTallyKey,
  keptKey,
  resultKey,
  sourceKey,
} from '../../../shared/store/keys';
import { applyUpdate } from '../../../shared/store/memory/apply-update';
import type { EntityItem } from '../../../shared/store/sdk/attribute-value';

const ACCOUNT = 'acc_1';
const NOW = Date.parse('2026-11-14T12:00:00Z');
const ulidOf = (n: number): string =>
  encodeUlid(
    NOW,
    Uint8Array.from({ length: 16 }, (_, at) => (at === 15 ? n : 7)),
  );
const [ALLOWED, REVIEWED] = [ulidOf(1), ulidOf(2)];
const USER = entityNames(ACCOUNT, PUBLIC_PSEUDONYMS).user('u').key;

const row = (key: { pk: string; sk: string }, entity: string, value: object, wire: EntityItem = {}): Row => ({
  ...key,
  entity,
  value: { ...key, entity, ...value },
  wire,
});
const result = (ulid: string, automated_decision: string, more: object = {}): Row =>
  row(resultKey(ACCOUNT, ulid), 'screening', {
    ulid,
    subject_type: 'transaction',
    automated_decision,
    risk_score: 7,
    entities: [USER],
    review: undefined,
    review_count: 0,
    ...more,
  });

const DECLINE = { at_ms: NOW, ulid: ulidOf(3), card: 'c', is_wrong_cvc: true, is_shared: false };
/** A processor's answer to a payment, and the part of it that is kept. */
const outcomeRows: readonly Row[] = [
  row(sourceKey(ACCOUNT, 'ch_1', 'declined'), 'outcome', {
    ...{ subject_id: `txn_${ALLOWED}`, source: 'ch_1', type: 'declined', decline_reason: 'incorrect_cvc' },
  }),
  row(keptKey(ACCOUNT, ALLOWED), 'kept', {
    ...{ screening: { ulid: ALLOWED }, entities: [USER], statements: { x: { type: 'declined' } } },
  }),
];
const said: Said = { account_id: ACCOUNT, subject_id: `txn_${ALLOWED}`, type: 'declined', isRecorded: true };

/** The user's history after these payments, the first of which was declined. */
function userRow(...ulids: readonly string[]): Row {
  const item = ulids.reduce<EntityItem | undefined>((before, ulid, at) => {
    const attempt = {
      attempt_id: `txn_${ulid}`,
      at_ms: NOW + at,
      action: 'transaction',
      outcome: 'succeeded',
      user_id: 'u',
    } as const;
    return applyUpdate(before, recordAttemptUpdate('user', attempt)).item;
  }, undefined);
  const payment = { entities: [USER] } as unknown as Parameters<typeof declinedUpdate>[0];
  const declined = declinedUpdate(payment, USER, { decline: DECLINE }, NOW);
  return row(entityKey(ACCOUNT, USER), '', {}, (declined && applyUpdate(item, declined).item) ?? {});
}

function caseRows(ulid: string): Row[] {
  const { dayMs, hour, hourMs, minute } = tallyPosition(ulid);
  const [day, shard] = [dayName(dayMs), shardOf(ulid)];
  const entry = (list: string): Row =>
    row({ pk: caseListPk(ACCOUNT, day, shard, list), sk: ulid }, 'case-entry', { ulid, status: 'open' });
  return [
    row(caseKey(ACCOUNT, ulid), 'case', { ulid, status: 'open', created_at_ms: NOW }),
    entry('unresolved'),
    row({ pk: dayTallyPk(ACCOUNT, shard), sk: dayTallySk(day) }, 'case-tally', {
      [counterName('unresolved', hour)]: 1,
    }),
    row(hourTallyKey(ACCOUNT, shard, day, hourName(hourMs)), 'case-tally', { [counterName('unresolved', minute)]: 1 }),
  ];
}

const answered = (ulid: string, decision: string): Asked => ({
  account_id: ACCOUNT,
  user_id: 'u',
  subject_type: 'transaction',
  answers: [
    { status: 200, replayed: false, text: JSON.stringify({ decision_id: `dec_${ulid}`, risk_score: 7, decision }) },
  ],
});
const told = (type: string, ulid: string, message_id = `msg_${type}_${ulid}`): Told => ({
  account_id: ACCOUNT,
  message_id,
  type,
  body: JSON.stringify({ type, data: { decision_id: `dec_${ulid}`, subject_id: `txn_${ulid}` } }),
});

/** A day on which all went well: one payment allowed, one reviewed. */
const GOOD: Evidence = {
  nowMs: NOW + 1000,
  pseudonyms: PUBLIC_PSEUDONYMS,
  asked: [answered(ALLOWED, 'allow'), answered(REVIEWED, 'review')],
  said: [said],
  rows: [
    ...[result(ALLOWED, 'allow'), result(REVIEWED, 'review'), ...caseRows(REVIEWED)],
    ...[userRow(ALLOWED, REVIEWED), ...outcomeRows],
  ],
  told: [told('transaction.screened', ALLOWED), told('transaction.screened', REVIEWED), told('case.created', REVIEWED)],
};
const without = (matches: (row: Row) => boolean): Evidence => ({
  ...GOOD,
  rows: GOOD.rows.filter((each) => !matches(each)),
});
const kindsOf = (evidence: Evidence): string[] => [...new Set(audit(evidence).map(({ kind }) => kind))];

describe('an audit', () => {
  it('finds nothing where nothing is wrong, also when a webhook came twice and a screening failed', () => {
    expect(audit(GOOD)).toEqual([]);
    const twice = { ...GOOD, told: [...GOOD.told, told('transaction.screened', ALLOWED)] };
    expect(audit(twice)).toEqual([]);
    const failed = { ...answered(ulidOf(3), 'allow'), answers: [{ status: 503, replayed: false, text: '' }] };
    expect(audit({ ...GOOD, asked: [...GOOD.asked, failed] })).toEqual([]);
  });

  it('of the warehouse finds what is missing, what is there twice, and what never happened', () => {
    const ids = [`decided:${ALLOWED}`, `decided:${REVIEWED}`, `case:${REVIEWED}:open`, 'outcome:ch_1:declined'];
    const found = (rows: readonly string[]) =>
      audit({ ...GOOD, kept: { rows, duplicates: 0 } }).map(({ kind, what }) => `${kind}: ${what}`);
    expect(found(ids)).toEqual([]);
    expect(found(ids.slice(1))).toEqual([`lost: ${ids[0]} is not in the warehouse`]);
    expect(found([...ids, ...ids.slice(3)])).toEqual([`phantom: ${ids[3]} is in the view 2 times`]);
    expect(found([...ids, 'case:x:open'])).toEqual(['phantom: case:x:open is in the warehouse, and never happened']);
  });

  const WRONG: ReadonlyArray<readonly [string, Evidence, string]> = [
    ['an answer without its row', { ...GOOD, asked: [...GOOD.asked, answered(ulidOf(9), 'allow')] }, 'not durable'],
    [
      'a row that says something else',
      { ...GOOD, asked: [answered(ALLOWED, 'block'), answered(REVIEWED, 'review')] },
      'inconsistent',
    ],
    ['a webhook that never came', { ...GOOD, told: GOOD.told.slice(1) }, 'lost'],
    ['a case nobody was told of', { ...GOOD, told: GOOD.told.slice(0, 2) }, 'lost'],
    ['a webhook about nothing', { ...GOOD, told: [...GOOD.told, told('transaction.screened', ulidOf(8))] }, 'phantom'],
    [
      'a block that was none',
      { ...GOOD, told: [...GOOD.told, told('transaction.decision.block', ALLOWED)] },
      'phantom',
    ],
    [
      'the same id with other bytes',
      {
        ...GOOD,
        told: [
          ...GOOD.told,
          { ...told('transaction.screened', ALLOWED), body: '{"type":"x","data":{"decision_id":""}}' },
        ],
      },
      'inconsistent',
    ],
    ['a review without its case', without(({ entity }) => entity === 'case'), 'half-written'],
    [
      'a case without its result',
      without(({ pk, entity }) => entity === 'screening' && pk.endsWith(REVIEWED)),
      'half-written',
    ],
    ['a case that is in no list', without(({ pk }) => pk.endsWith('#unresolved')), 'half-written'],
    ['a tally that was not counted', without(({ sk }) => sk.startsWith('HOUR#')), 'half-written'],
    [
      'a review without audit entry and label',
      {
        ...GOOD,
        rows: GOOD.rows.map((each) =>
          each.value.ulid === ALLOWED ? result(ALLOWED, 'allow', { review_count: 1 }) : each,
        ),
      },
      'half-written',
    ],
    ['a report without its row', without(({ entity }) => entity === 'outcome'), 'not durable'],
    ['a report that its payment does not show', without(({ entity }) => entity === 'kept'), 'half-written'],
    [
      'a decline that a history counts once too often',
      {
        ...GOOD,
        rows: GOOD.rows.map((each) =>
          each.entity === 'outcome' ? { ...each, value: { ...each.value, decline_reason: 'other' } } : each,
        ),
      },
      'half-written',
    ],
    [
      'a history that counts too few',
      { ...GOOD, rows: [...without(({ pk }) => pk.startsWith('ENTITY#')).rows, userRow(ALLOWED)] },
      'inconsistent',
    ],
    [
      'a history that counts too many',
      { ...GOOD, rows: [...without(({ pk }) => pk.startsWith('ENTITY#')).rows, userRow(ALLOWED, REVIEWED, ulidOf(5))] },
      'inconsistent',
    ],
    [
      'a label that no history counts',
      {
        ...GOOD,
        rows: GOOD.rows.map((each) =>
          each.value.ulid === ALLOWED && each.entity === 'screening'
            ? result(ALLOWED, 'allow', { review: { decision: 'block' } })
            : each,
        ),
      },
      'half-written',
    ],
  ];
  it.each(WRONG)('finds %s', (_name, evidence, kind) => {
    expect(kindsOf(evidence)).toContain(kind);
  });
});
