import { CASE_CLASSES, type CaseClass, classOf } from '../../shared/domain/cases/case-tally';
import { entityNames, kindOfKey } from '../../shared/domain/entities/entity-ref';
import type { Pseudonyms } from '../../shared/domain/entities/pseudonyms';
import { declinedEntities } from '../../shared/domain/outcomes/kept-subject';
import { isCountedDecline } from '../../shared/domain/outcomes/processor-word';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { counterName, tallyPosition } from '../../shared/store/cases/case-index';
import { TALLY_STEP } from '../../shared/store/cases/tally-updates';
import { readHistory } from '../../shared/store/entities/read-history';
import { entityKey, isEntityShard } from '../../shared/store/keys';
import { toKept } from '../../shared/store/outcomes/kept-items';
import { digitsOf, type EntityItem } from '../../shared/store/sdk/attribute-value';

/** A screening that a client requested, with every response it got: a client retries with the same key. */
export interface Asked {
  readonly account_id: string;
  readonly user_id: string;
  readonly subject_type: ScreeningRecord['subject_type'];
  readonly answers: ReadonlyArray<{ readonly status: number; readonly text: string; readonly replayed: boolean }>;
}

/** A processor's answer to a payment, and whether the client knows that it was recorded. */
export interface Said {
  readonly account_id: string;
  readonly subject_id: string;
  readonly type: string;
  readonly isRecorded: boolean;
}

export interface Told {
  readonly account_id: string;
  readonly message_id: string;
  readonly type: string;
  readonly body: string;
  readonly atMs?: number;
}

/** An item of the table with its attributes as values, and as it was sent. */
export interface Row {
  readonly pk: string;
  readonly sk: string;
  readonly entity: string;
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind.
  readonly value: any;
  readonly wire: EntityItem;
}

/** The rows of the warehouse's views by their `event_id`, and how many more its files hold. */
export interface Kept {
  readonly rows: ReadonlyArray<string | null>;
  readonly duplicates: number;
}

export interface Evidence {
  readonly asked: readonly Asked[];
  readonly said: readonly Said[];
  readonly told: readonly Told[];
  readonly rows: readonly Row[];
  readonly nowMs: number;
  readonly pseudonyms: Pseudonyms;
  /** @default there is no warehouse */
  readonly kept?: Kept;
}

export interface Finding {
  readonly kind: 'lost' | 'phantom' | 'half-written' | 'not durable' | 'inconsistent';
  readonly what: string;
}

/** The account of a row, from its key: the account is always the second part. */
export const accountOf = ({ pk }: Row): string => pk.split('#')[1] ?? '';

const firstAnswer = ({ answers }: Asked) => answers.find(({ status }) => status === 200);

function byUlid(rows: readonly Row[], entity: string): Map<string, Row> {
  return new Map(rows.filter((row) => row.entity === entity).map((row) => [row.value.ulid as string, row]));
}

/** Every 200 has a row with the same content; the same key never gets two different responses. */
function durability({ asked, rows }: Evidence): Finding[] {
  const results = byUlid(rows, 'screening');
  return asked.flatMap((request): Finding[] => {
    const answer = firstAnswer(request);
    if (!answer) return [];
    const said = JSON.parse(answer.text);
    const ulid = said.decision_id.slice('dec_'.length);
    const row = results.get(ulid);
    const what = `${said.decision_id}, answered 200`;
    const texts = new Set(request.answers.filter(({ status }) => status === 200).map(({ text }) => text));
    if (texts.size > 1) return [{ kind: 'inconsistent', what: `${what}: the same key gave ${texts.size} answers` }];
    if (!row) return [{ kind: 'not durable', what: `${what}: not in the table` }];
    if (row.value.risk_score !== said.risk_score || row.value.automated_decision !== said.decision) {
      return [{ kind: 'inconsistent', what: `${what}: the table has ${row.value.automated_decision}` }];
    }
    return [];
  });
}

/** A result for each case and a case for each review, in its list, counted in its tallies; outcomes all or nothing. */
function wholeness({ rows }: Evidence): Finding[] {
  const [results, cases] = [byUlid(rows, 'screening'), byUlid(rows, 'case')];
  const entries = rows.filter(({ entity }) => entity === 'case-entry');
  const keys = new Set(rows.map(({ pk, sk }) => `${pk} ${sk}`));
  const labels = new Set(rows.filter(({ entity }) => entity === 'label').map(({ sk }) => sk));
  const findings: Finding[] = [];
  const half = (what: string) => findings.push({ kind: 'half-written', what });

  for (const [ulid, { value: result, pk }] of results) {
    const isReview = result.automated_decision === 'review';
    if (isReview && !cases.has(ulid)) half(`${ulid}: a review without its case`);
    if (!isReview && cases.has(ulid)) half(`${ulid}: a case without a review decision`);
    for (let number = 1; number <= result.review_count; number++) {
      const padded = String(number).padStart(6, '0');
      const isAudited = cases.get(ulid)?.value.resolution?.number === number || keys.has(`${pk} AUDIT#${padded}`);
      if (!isAudited) half(`${ulid}: review ${number} without its audit entry`);
      if (!labels.has(`${ulid}#${padded}`)) half(`${ulid}: review ${number} without its label`);
    }
  }
  for (const [ulid, row] of cases) {
    const result = results.get(ulid)?.value;
    if (!result) half(`${ulid}: a case without its result`);
    const own = entries.filter(({ sk }) => sk === ulid).map(({ pk }) => pk.split('#').at(-1));
    const expected = classOf(row.value.status);
    if (own.join() !== expected) half(`${ulid}: in the lists ${own}, not ${expected}`);
    const isResolved = row.value.status !== 'open' && row.value.status !== 'expired';
    if (isResolved && !result?.review) half(`${ulid}: resolved without a review of its decision`);
  }
  return [...findings, ...tallies(rows, cases)];
}

function tallies(rows: readonly Row[], cases: ReadonlyMap<string, Row>): Finding[] {
  const counted = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, by: number) => to.set(key, (to.get(key) ?? 0) + by);
  for (const { pk, sk, value } of rows.filter(({ entity }) => entity === 'case-tally')) {
    // Tallies by hour and by minute count the same cases: sum up one, and compare it with the other.
    const level = sk.startsWith('DAY#') ? 'hours' : 'minutes';
    for (const caseClass of CASE_CLASSES) {
      for (let part = 0; part < 60; part++) {
        add(counted, `${level} ${pk.split('#')[1]} ${caseClass}`, value[counterName(caseClass, part)] ?? 0);
      }
    }
  }
  // Changes on busy days are noted next to the tallies until they are folded into them, and count for both.
  for (const { pk, value } of rows.filter(({ entity }) => entity === TALLY_STEP)) {
    for (const [caseClass, step] of Object.entries<number>(value.steps)) {
      for (const level of ['hours', 'minutes']) add(counted, `${level} ${pk.split('#')[1]} ${caseClass}`, step);
    }
  }
  const expected = new Map<string, number>();
  for (const row of cases.values()) {
    // A case without a valid position would have no tally at all; this throws.
    tallyPosition(row.value.ulid);
    const caseClass: CaseClass = classOf(row.value.status);
    for (const level of ['hours', 'minutes']) add(expected, `${level} ${accountOf(row)} ${caseClass}`, 1);
  }
  return [...new Set([...counted.keys(), ...expected.keys()])]
    .filter((key) => (counted.get(key) ?? 0) !== (expected.get(key) ?? 0))
    .map((key) => ({
      kind: 'half-written',
      what: `the tally of ${key} is ${counted.get(key) ?? 0}, expected ${expected.get(key) ?? 0}`,
    }));
}

/** The events that merchants were promised, by the rows in the table, not by the responses. */
function promisedEvents(rows: readonly Row[]): Map<string, string> {
  const promised = new Map<string, string>();
  const promise = (account: string, type: string, ulid: string, number = 0) =>
    promised.set(`${account} ${type} ${ulid} ${number}`, `${type} of ${ulid}`);
  for (const row of rows) {
    const { ulid } = row.value;
    const account = accountOf(row);
    if (row.entity === 'screening') {
      promise(account, row.value.subject_type === 'event' ? 'event.screened' : 'transaction.screened', ulid);
      const isBlocked = row.value.subject_type === 'transaction' && row.value.automated_decision === 'block';
      if (isBlocked) promise(account, 'transaction.decision.block', ulid);
      for (let number = 1; number <= row.value.review_count; number++)
        promise(account, 'decision.reviewed', ulid, number);
    }
    if (row.entity === 'case') {
      promise(account, 'case.created', ulid);
      if (['approved', 'rejected'].includes(row.value.status)) promise(account, 'case.resolved', ulid);
    }
  }
  return promised;
}

const ULID_AT_END = /[0-9A-HJKMNP-TV-Z]{26}$/;

/** Every promised event arrived and nothing else did; duplicates had the same ID and bytes. */
function delivery({ told, rows }: Evidence): Finding[] {
  const promised = promisedEvents(rows);
  const reviews = new Map<string, Set<string>>();
  const bodies = new Map<string, string>();
  const heard = new Set<string>();
  const findings: Finding[] = [];
  for (const { account_id, message_id, type, body } of told) {
    const known = bodies.get(message_id);
    if (known === undefined) bodies.set(message_id, body);
    else if (known !== body) findings.push({ kind: 'inconsistent', what: `${message_id} came with other bytes` });
    const { data } = JSON.parse(body);
    const [ulid = ''] = ULID_AT_END.exec(data.decision_id ?? data.subject_id ?? '') ?? [];
    if (type === 'decision.reviewed') {
      // Messages about one subject's reviews differ in their ID: there are as many as reviews.
      const ids = reviews.get(`${account_id} ${ulid}`) ?? new Set();
      reviews.set(`${account_id} ${ulid}`, ids.add(message_id));
      heard.add(`${account_id} ${type} ${ulid} ${ids.size}`);
    } else heard.add(`${account_id} ${type} ${ulid} 0`);
  }
  for (const [key, what] of promised)
    if (!heard.has(key)) findings.push({ kind: 'lost', what: `${what} was never delivered` });
  for (const key of heard)
    if (!promised.has(key)) findings.push({ kind: 'phantom', what: `${key}: no such event happened` });
  return findings;
}

interface Tries {
  committed: number;
  left: number;
  failed: number;
}

/**
 * Histories count every committed attempt. Each failed request may be off by one: one more if it died before its
 * compensation; one less if it was compensated and its write was stored after all. Also one less for each that reports that it
 * was scored without this history. Labels are exact.
 */
function counters({ asked, rows, nowMs, pseudonyms }: Evidence): Finding[] {
  const tries = new Map<string, Tries>();
  const labels = new Map<string, { fraud: number; legitimate: number }>();
  const triesOf = (pk: string): Tries => {
    const known = tries.get(pk) ?? { committed: 0, left: 0, failed: 0 };
    tries.set(pk, known);
    return known;
  };
  for (const row of rows.filter(({ entity }) => entity === 'screening')) {
    for (const key of row.value.entities as string[]) {
      const { pk } = entityKey(accountOf(row), key);
      if (row.value.subject_type === 'transaction' && kindOfKey(key) === 'user') {
        triesOf(pk).committed += 1;
        if (row.value.missing?.includes('user')) triesOf(pk).left += 1;
      }
      if (!row.value.review) continue;
      const count = labels.get(pk) ?? { fraud: 0, legitimate: 0 };
      count[row.value.review.decision === 'block' ? 'fraud' : 'legitimate'] += 1;
      labels.set(pk, count);
    }
  }
  for (const { account_id, user_id, answers } of asked.filter((each) => each.subject_type === 'transaction')) {
    const { pk } = entityKey(account_id, entityNames(account_id, pseudonyms).user(user_id).key);
    // Every request but the one answered first: failed ones, and repeats, which are compensated.
    triesOf(pk).failed +=
      answers.length - (answers.some(({ status, replayed }) => status === 200 && !replayed) ? 1 : 0);
  }
  return rows
    .filter(({ entity, pk }) => entity === 'entity' || pk.startsWith('ENTITY#'))
    .flatMap(({ pk, wire }): Finding[] => {
      const name = pk.split('#').slice(2).join('#');
      // A shard has no labels, and users have no shards.
      if (isEntityShard(name)) return [];
      const kind = kindOfKey(name);
      const history = readHistory(kind, wire, nowMs);
      const findings: Finding[] = [];
      const { committed, left, failed } = triesOf(pk);
      const { total } = history.transactions;
      const least = Math.max(0, committed - left - failed);
      if (kind === 'user' && (total < least || total > committed + failed)) {
        const bounds = `${least} to ${committed + failed}`;
        findings.push({ kind: 'inconsistent', what: `${pk} counts ${total} payments, ${bounds} can be` });
      }
      const { fraud, legitimate } = labels.get(pk) ?? { fraud: 0, legitimate: 0 };
      if (history.labels.fraud !== fraud || history.labels.legitimate !== legitimate) {
        const has = `${history.labels.fraud} and ${history.labels.legitimate}`;
        findings.push({ kind: 'half-written', what: `${pk} counts ${has} labels, not ${fraud} and ${legitimate}` });
      }
      return findings;
    });
}

const COUNTED_DECLINES = /^do.{3}$/;

/** Each outcome is stored once, with its payment's kept record, and each entity of the payment counts a decline once. */
function outcomes({ said, rows }: Evidence): Finding[] {
  const stored = rows.filter(({ entity }) => entity === 'outcome');
  const kept = new Map(
    rows.filter(({ entity }) => entity === 'kept').map(({ value }) => [value.screening.ulid as string, toKept(value)]),
  );
  const keptOf = (subject_id: string) => kept.get(ULID_AT_END.exec(subject_id)?.[0] ?? '');
  const timesOf = ({ account_id, subject_id, type }: Said): number =>
    stored.filter(
      (row) => accountOf(row) === account_id && row.value.subject_id === subject_id && row.value.type === type,
    ).length;
  const findings: Finding[] = [];
  for (const each of said.filter(({ isRecorded }) => isRecorded)) {
    const what = `${each.type} of ${each.subject_id}`;
    const times = timesOf(each);
    if (times !== 1)
      findings.push({
        kind: times === 0 ? 'not durable' : 'inconsistent',
        what: `${what}: ${times} times in the table`,
      });
    const statements = Object.values(keptOf(each.subject_id)?.statements ?? {});
    if (!statements.some(({ type }) => type === each.type))
      findings.push({ kind: 'half-written', what: `${what}: not with its payment` });
  }
  const expected = new Map<string, number>();
  for (const row of stored.filter(({ value }) => isCountedDecline(value))) {
    const payment = keptOf(row.value.subject_id)?.screening;
    for (const key of payment ? declinedEntities(payment) : []) {
      const { pk } = entityKey(accountOf(row), key);
      expected.set(pk, (expected.get(pk) ?? 0) + 1);
    }
  }
  for (const { pk, wire } of rows.filter((row) => row.pk.startsWith('ENTITY#'))) {
    const names = Object.keys(wire).filter((name) => COUNTED_DECLINES.test(name));
    const counted = names.reduce((sum, name) => sum + Number(digitsOf(wire[name]) ?? 0), 0);
    if (counted !== (expected.get(pk) ?? 0))
      findings.push({ kind: 'half-written', what: `${pk} counts ${counted} declines, not ${expected.get(pk) ?? 0}` });
  }
  return findings;
}

/** The events of a row, by their IDs in the warehouse. */
function eventsOf({ entity, value: { ulid, status, review_count, source, type, subject_id } }: Row): string[] {
  if (entity === 'case') return [`case:${ulid}:open`, `case:${ulid}:${status}`];
  if (entity === 'outcome') return subject_id ? [`outcome:${source}:${type}`] : [];
  if (entity !== 'screening') return [];
  return [`decided:${ulid}`, ...Array.from({ length: review_count }, (_, n) => `reviewed:${ulid}:${n + 1}`)];
}

/** Every event of the table is in the views once, and nothing else is. Unit tests compare the values. */
function warehouse({ rows, kept }: Evidence): Finding[] {
  if (!kept) return [];
  const seen = new Map<unknown, number>();
  for (const id of kept.rows) seen.set(id, (seen.get(id) ?? 0) + 1);
  const expected = new Set<unknown>(rows.flatMap(eventsOf));
  const lost = [...expected].filter((id) => !seen.has(id));
  const phantoms = [...seen].filter(([id, times]) => times > 1 || !expected.has(id));
  return [
    ...lost.map((id): Finding => ({ kind: 'lost', what: `${id} is not in the warehouse` })),
    ...phantoms.map(([id, times]): Finding => {
      const what = times > 1 ? `${id} is in the view ${times} times` : `${id} is in the warehouse, and never happened`;
      return { kind: 'phantom', what };
    }),
  ];
}

export const audit = (evidence: Evidence): Finding[] => [
  ...durability(evidence),
  ...wholeness(evidence),
  ...delivery(evidence),
  ...counters(evidence),
  ...outcomes(evidence),
  ...warehouse(evidence),
];
