import fc from 'fast-check';
import { requestMark } from '../../../shared/domain/entities/request-mark';
import { type IdempotencyClaim, idempotencyClaim } from '../../../shared/domain/idempotency';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../../shared/runtime/ids';
import { readHistory } from '../../../shared/store/entities/read-history';
import { readTouched } from '../../../shared/store/entities/read-touched';
import { countedBy, touchUpdate, untouchUpdate } from '../../../shared/store/entities/touch-update';
import { applyInPlace } from '../../../shared/store/memory/apply-update';
import { type LiveItem, plainItem } from '../../../shared/store/sdk/attribute-value';
import { type ScreenSubjectDeps, screenSubject } from '../../../shared/usecases/screening/screen-subject';
import { callerOf, payment } from '../../support/screening-deps';

/*
 * Requests with one Idempotency-Key, in every order that their calls to the table can arrive in: fast-check picks it.
 * The table is in memory; updates and conditions are the ones that are sent to DynamoDB.
 */
type Step = <Value>(call: string, apply: () => Value) => Promise<Value>;

function tableInMemory(step: Step) {
  const items = new Map<string, LiveItem>();
  const claims = new Map<string, { ulid: string; body_hash: string; claimed_at_ms: number }>();
  const records = new Map<string, ScreeningRecord>();
  const itemOf = (key: string): LiveItem => {
    const item = items.get(key) ?? new Map();
    items.set(key, item);
    return item;
  };
  const entities: ScreenSubjectDeps['entities'] = {
    touch: (_account, ref, attempt) =>
      step(`touch ${ref.name}`, () => {
        const item = itemOf(ref.key);
        const before = item.size === 0 ? undefined : plainItem(item);
        if (applyInPlace(item, touchUpdate(ref.kind, attempt))) {
          const { history } = readTouched(ref.kind, before, attempt);
          return { ref, counted_by: requestMark(attempt), history, trim: undefined };
        }
        const counted = countedBy(before ?? {}, attempt);
        const { history } = readTouched(ref.kind, before, attempt, counted.at_ms);
        return { ref, counted_by: counted.request, history, trim: undefined };
      }),
    untouch: (_account, ref, attempt, { isCertain }) =>
      step(`untouch ${ref.name}`, () => {
        applyInPlace(itemOf(ref.key), untouchUpdate(ref.kind, attempt, isCertain));
      }),
  };
  const deps = (nowMs: () => number): ScreenSubjectDeps => ({
    clock: { now: nowMs },
    newUlid,
    pause: () => step('pause', () => undefined),
    ips: { lookup: () => ({ country: 'DE', network: 'other' }) },
    entities,
    claims: {
      claim: (_account, claim, { ulid, nowMs: claimed_at_ms }) =>
        step('claim', () => {
          const holder = claims.get(claim.scope);
          if (!holder) claims.set(claim.scope, { ulid, body_hash: claim.body_hash, claimed_at_ms });
          return holder;
        }),
      takeOver: () => step('take over', () => false),
      release: (_account, claim, ulid) =>
        step('release', () => {
          if (claims.get(claim.scope)?.ulid === ulid) claims.delete(claim.scope);
        }),
    },
    screenings: {
      find: (_account, ulid) => step('find', () => records.get(ulid)),
      insert: (_account, record) => step('insert', () => void records.set(record.ulid, record)),
      insertWithCase: (_account, record) => step('insert', () => void records.set(record.ulid, record)),
      countDecision: () => step('count decision', () => undefined),
    },
    observe: () => undefined,
  });
  return { items, records, deps };
}

type Table = ReturnType<typeof tableInMemory>;

const START_MS = Date.UTC(2026, 10, 16, 12);
const ACCOUNT = 'acc_1';
const KEY_CLAIM = idempotencyClaim('POST', '/v1/transactions/screen', 'one-key', payment());

const totals = ({ items }: Table, keys: readonly string[]): number[] =>
  keys.map((key) => readHistory('attribute', items.get(key), START_MS + 5_000).transactions.total);

/** Sends it as a client does that repeats what failed, until it has an answer. */
async function send(deps: ScreenSubjectDeps, subject: Subject, claim: IdempotencyClaim) {
  for (let tries = 0; tries < 5; tries++) {
    const reply = await screenSubject(deps, callerOf(ACCOUNT), subject, claim).catch((error: Error) => error);
    if (!(reply instanceof Error)) return reply;
  }
  return undefined;
}

describe('requests with one Idempotency-Key', () => {
  it('count once on every entity, in whatever order their calls arrive, and nothing has to be taken back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 6 }), async (scheduler, requests) => {
        const calls: string[] = [];
        const table = tableInMemory((call, apply) => {
          calls.push(call);
          return scheduler.schedule(Promise.resolve(), call).then(apply);
        });
        let clock = START_MS;
        const deps = table.deps(() => clock++);
        const sending = Promise.all(Array.from({ length: requests }, () => send(deps, payment(), KEY_CLAIM)));
        await scheduler.waitFor(sending);
        const [record] = table.records.values();
        expect(table.records.size).toBe(1);
        expect(totals(table, record?.entities ?? [])).toEqual([1, 1, 1, 1]);
        expect(calls.filter((call) => call.startsWith('untouch'))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('count once on a busy entity too, whose marks others overwrite in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, requests) => {
        const table = tableInMemory((call, apply) => scheduler.schedule(Promise.resolve(), call).then(apply));
        let clock = START_MS;
        const deps = table.deps(() => clock++);
        const others = 6;
        const sending = Promise.all([
          ...Array.from({ length: requests }, () => send(deps, payment(), KEY_CLAIM)),
          ...Array.from({ length: others }, () => screenSubject(deps, callerOf(ACCOUNT), payment())),
        ]);
        await scheduler.waitFor(sending);
        const [record] = table.records.values();
        expect(table.records.size).toBe(1 + others);
        expect(totals(table, record?.entities ?? [])).toEqual(Array.from({ length: 4 }, () => 1 + others));
      }),
      { numRuns: 50 },
    );
  });

  it('count once although calls fail, when the client repeats them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.uniqueArray(fc.nat({ max: 30 }), { maxLength: 4 }),
        async (scheduler, faults) => {
          let calls = 0;
          const failing = /^(claim|insert)/;
          const table = tableInMemory((call, apply) =>
            scheduler.schedule(Promise.resolve(), call).then(() => {
              if (failing.test(call) && faults.includes(calls++)) throw new Error(`${call} failed`);
              return apply();
            }),
          );
          let clock = START_MS;
          const deps = table.deps(() => clock++);
          const sending = Promise.all(Array.from({ length: 3 }, () => send(deps, payment(), KEY_CLAIM)));
          await scheduler.waitFor(sending);
          const [record] = table.records.values();
          expect(table.records.size).toBe(1);
          expect(totals(table, record?.entities ?? [])).toEqual([1, 1, 1, 1]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('give the first one the history as it was before all of them', async () => {
    const table = tableInMemory(async (_call, apply) => apply());
    let clock = START_MS;
    const deps = table.deps(() => clock++);
    // The repeat is faster on the way to the entities and slower on the way to the claim.
    const late = { ...deps, claims: { ...deps.claims, claim: () => Promise.reject(new Error('timed out')) } };
    await screenSubject(late, callerOf(ACCOUNT), payment(), KEY_CLAIM).catch(() => undefined);
    const after = await screenSubject(deps, callerOf(ACCOUNT), payment(), KEY_CLAIM);
    const fresh = tableInMemory(async (_call, apply) => apply());
    const alone = await screenSubject(
      fresh.deps(() => START_MS + 1),
      callerOf(ACCOUNT),
      payment(),
    );
    expect(after.record.vector).toEqual(alone.record.vector);
    expect(totals(table, after.record.entities)).toEqual([1, 1, 1, 1]);
  });

  it('count nothing with another body', async () => {
    const table = tableInMemory(async (_call, apply) => apply());
    let clock = START_MS;
    const deps = table.deps(() => clock++);
    const { record } = await screenSubject(deps, callerOf(ACCOUNT), payment(), KEY_CLAIM);
    const other = payment({ amount: 26 });
    const claim = idempotencyClaim('POST', '/v1/transactions/screen', 'one-key', other);
    for (let tries = 0; tries < 3; tries++) {
      const refused = screenSubject(deps, callerOf(ACCOUNT), other, claim);
      await expect(refused).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    }
    expect(totals(table, record.entities)).toEqual([1, 1, 1, 1]);
  });
});
