import { idempotencyClaim } from '../../../shared/domain/idempotency';
import type { ScoringModel } from '../../../shared/domain/screening/screen';
import { riskProfileAnswer } from '../../../shared/http/presenters/risk-profile-answer';
import { newUlid } from '../../../shared/runtime/ids';
import { SCREENING_STAND_INS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { userRiskProfile } from '../../../shared/usecases/entities/user-risk-profile';
import {
  type ScreeningObservation,
  type ScreenSubjectDeps,
  screenSubject,
} from '../../../shared/usecases/screening/screen-subject';
import { failing, interpose, type Moment } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { callerOf, payment } from '../../support/payment';

const ACCOUNT = 'acc_1';
const START_MS = Date.UTC(2026, 2, 1, 12);
const caller = callerOf(ACCOUNT);
const claim = idempotencyClaim('POST', '/v1/transactions/screen', 'key', payment());

/** A model that gives every screening the same odds. */
const always = (log_odds: number): ScoringModel => ({
  opinion: () => ({ version: 'm1', log_odds, parts: [], detail: 'always', role: 'replace' }),
});

function world() {
  const table = memoryTable();
  let nowMs = START_MS;
  const observed: ScreeningObservation[] = [];
  const deps: ScreenSubjectDeps = {
    ...SCREENING_STAND_INS,
    clock: { now: () => nowMs },
    newUlid,
    pause: async (ms) => {
      nowMs += ms;
    },
    ips: { lookup: () => ({ country: 'DE', network: 'other' }) },
    entities: table.entities,
    claims: table.claims,
    screenings: table.screenings,
    samples: table.labels,
    observe: (each) => observed.push(each),
  };
  return {
    ...{ table, deps, observed },
    pass: (ms: number): void => {
      nowMs += ms;
    },
    /** Payments that the user's history counts; none when there is no such user. */
    counted: async () =>
      userRiskProfile({ clock: deps.clock, entities: table.entities }, caller, 'user-1').then(
        (profile) => riskProfileAnswer(profile).transactions.count,
        () => 0,
      ),
  };
}

type World = ReturnType<typeof world>;

/** The same dependencies, of which one call fails. */
const withFault = ({ deps }: World, port: 'claims' | 'screenings' | 'entities', call: string, moment: Moment) => ({
  ...deps,
  [port]: interpose(
    deps[port],
    failing((name) => (name === call ? moment : undefined)),
  ),
});

describe('a screening', () => {
  it('is stored as it is answered, counted on its entities and reported', async () => {
    const { deps, table, observed, counted } = world();
    const { record, replayed } = await screenSubject(deps, caller, payment());
    expect(replayed).toBe(false);
    expect(await table.screenings.find(ACCOUNT, record.ulid)).toEqual(record);
    expect(record).toMatchObject({ automated_decision: 'allow', missing: [], screened_at_ms: START_MS });
    expect(record.entities).toHaveLength(4);
    expect(await counted()).toBe(1);
    expect(observed.map((each) => each.record)).toEqual([record]);
  });

  it('under review opens its case, and is counted against the user', async () => {
    const { deps, table } = world();
    const strict = { ...caller, settings: { ...caller.settings, review_threshold: 0, block_threshold: 101 } };
    const { record } = await screenSubject(deps, strict, payment());
    expect(await table.cases.find(ACCOUNT, record.ulid)).toMatchObject({
      status: 'open',
      amount: '25',
      currency: 'EUR',
    });
    expect(record.thresholds).toEqual({ review_threshold: 0, block_threshold: 101 });
    const profile = await table.entities.profile(ACCOUNT, 'user', record.entities[0] ?? '', START_MS);
    expect(profile?.decisions).toEqual({ review: 1, block: 0 });
  });

  it('whose write failed is not counted against the user, nor on any entity', async () => {
    const here = world();
    const strict = { ...caller, settings: { ...caller.settings, review_threshold: 0, block_threshold: 101 } };
    await screenSubject(here.deps, caller, payment());
    const failed = screenSubject(withFault(here, 'screenings', 'insertWithCase', 'before'), strict, payment());
    await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
    expect(await here.counted()).toBe(1);
    const [first] = here.table.screenings.all();
    const profile = await here.table.entities.profile(ACCOUNT, 'user', first?.entities[0] ?? '', START_MS);
    expect(profile?.decisions).toEqual({ review: 0, block: 0 });
  });

  it('whose write landed although its answer did not is answered as stored', async () => {
    const here = world();
    const { record } = await screenSubject(withFault(here, 'screenings', 'insert', 'after'), caller, payment());
    expect(here.table.screenings.all()).toEqual([record]);
    expect(await here.counted()).toBe(1);
  });

  it('of which nobody can say whether it was written is left as it is, and refused', async () => {
    const here = world();
    const blind = {
      ...here.deps,
      screenings: interpose(
        here.deps.screenings,
        failing((call) => (/insert|find/.test(call) ? 'after' : undefined)),
      ),
    };
    await expect(screenSubject(blind, caller, payment())).rejects.toMatchObject({ code: 'unavailable' });
    // Taken back, a screening that was written after all would be missing from the history.
    expect(await here.counted()).toBe(1);
  });

  it('is scored without a history that does not come, and says which one', async () => {
    const { deps, table, counted } = world();
    const recordAttempt: typeof deps.entities.recordAttempt = (account, ref, attempt) =>
      ref.kind === 'device'
        ? Promise.reject(new Error('timed out'))
        : table.entities.recordAttempt(account, ref, attempt);
    const { record } = await screenSubject(
      { ...deps, entities: { ...deps.entities, recordAttempt } },
      caller,
      payment(),
    );
    expect(record.missing).toEqual(['device']);
    expect(record.entities).toHaveLength(4);
    expect(await counted()).toBe(1);
  });

  it('does not depend on the sample, on what it earns beside, or on models that cannot be refreshed', async () => {
    const { deps, table } = world();
    const lost = () => Promise.reject(new Error('throttled'));
    const { record } = await screenSubject(
      {
        ...deps,
        newUlid: () => '01JCM0DE00000000000000000A',
        samples: { keep: lost },
        entities: { ...table.entities, earn: lost, trust: lost },
        models: { current: lost },
      },
      caller,
      payment(),
    );
    expect(table.screenings.all()).toEqual([record]);
  });

  it('in the sample is kept for training', async () => {
    const { deps, table } = world();
    const { record } = await screenSubject({ ...deps, newUlid: () => '01JCM0DE00000000000000000A' }, caller, payment());
    const stored = await table.labels.storedInMonth(ACCOUNT, '2026-03');
    expect(stored).toEqual([expect.objectContaining({ subject_id: `txn_${record.ulid}`, source: 'sample' })]);
  });

  it('is scored by the champion, while a shadow says what it would have said', async () => {
    const { deps, observed } = world();
    const current = { champion: always(3), shadow: { version: 'm2', model: always(-9) } };
    const models = { current: () => current };
    const { record } = await screenSubject({ ...deps, models }, caller, payment());
    expect(record.model_version).toBe('m1');
    expect(record.shadow).toEqual({ version: 'm2', risk_score: expect.any(Number) });
    expect(record.risk_score).toBeGreaterThan(record.shadow?.risk_score ?? 100);
    expect(observed[0]?.shadow).toMatchObject({ version: 'm2' });
  });
});

describe('a screening under an Idempotency-Key', () => {
  it('is made once; its repeats get the stored one', async () => {
    const { deps, counted } = world();
    const first = await screenSubject(deps, caller, payment(), claim);
    const again = await screenSubject(deps, caller, payment(), claim);
    expect(again).toEqual({ record: first.record, replayed: true });
    expect(await counted()).toBe(1);
  });

  it('whose claim may have landed gives it back, so that the next try need not wait', async () => {
    const here = world();
    const lost = screenSubject(withFault(here, 'claims', 'claim', 'after'), caller, payment(), claim);
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' });
    expect((await screenSubject(here.deps, caller, payment(), claim)).replayed).toBe(false);
    expect(await here.counted()).toBe(1);
  });

  it('whose write failed gives the key back and leaves the count to the next try', async () => {
    const here = world();
    const failed = screenSubject(withFault(here, 'screenings', 'insert', 'before'), caller, payment(), claim);
    await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
    const { record, replayed } = await screenSubject(here.deps, caller, payment(), claim);
    expect(replayed).toBe(false);
    expect(here.table.screenings.all()).toEqual([record]);
    expect(await here.counted()).toBe(1);
  });

  it('is refused as too early while the first one is at work', async () => {
    const { deps, table, counted } = world();
    await table.claims.claim(ACCOUNT, claim, { ulid: newUlid(START_MS), nowMs: START_MS, limitMs: 1 });
    const early = screenSubject(deps, caller, payment(), claim);
    await expect(early).rejects.toMatchObject({ code: 'idempotency_in_progress', retryAfterSeconds: 1 });
    // The count belongs to the key, whose holder will find it.
    expect(await counted()).toBe(1);
  });

  it('finishes what died ten seconds ago, under its id and at its time', async () => {
    const { deps, table, pass, counted } = world();
    const ulid = newUlid(START_MS);
    await table.claims.claim(ACCOUNT, claim, { ulid, nowMs: START_MS, limitMs: 1 });
    pass(10_000);
    const { record, replayed } = await screenSubject(deps, caller, payment(), claim);
    expect([record.ulid, record.screened_at_ms, replayed]).toEqual([ulid, START_MS, false]);
    expect(table.screenings.all()).toEqual([record]);
    expect(await counted()).toBe(1);
  });

  it('of several that find the dead one, one finishes it', async () => {
    const { deps, table, pass, counted } = world();
    await table.claims.claim(ACCOUNT, claim, { ulid: newUlid(START_MS), nowMs: START_MS, limitMs: 1 });
    pass(10_000);
    const settled = await Promise.allSettled([1, 2, 3].map(() => screenSubject(deps, caller, payment(), claim)));
    const codes = settled.map((each) => (each.status === 'fulfilled' ? 'done' : each.reason.code));
    expect(codes.filter((code) => code !== 'done' && code !== 'idempotency_in_progress')).toEqual([]);
    expect(codes).toContain('done');
    expect(table.screenings.all()).toHaveLength(1);
    expect(await counted()).toBe(1);
  });

  it('that waits on a holder who gives up is asked to try again, not told of a fault', async () => {
    const { deps, table, pass } = world();
    const ulid = newUlid(START_MS);
    await table.claims.claim(ACCOUNT, claim, { ulid, nowMs: START_MS, limitMs: 1 });
    pass(10_000);
    const takeOver: typeof deps.claims.takeOver = async (...args) => {
      await table.claims.release(ACCOUNT, claim, ulid, 1);
      return table.claims.takeOver(...args);
    };
    const waiting = screenSubject({ ...deps, claims: { ...deps.claims, takeOver } }, caller, payment(), claim);
    await expect(waiting).rejects.toMatchObject({ code: 'idempotency_in_progress' });
  });
});
