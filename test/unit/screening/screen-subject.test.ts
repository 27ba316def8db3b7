import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { idempotencyClaim } from '../../../shared/domain/idempotency';
import { extractFeatures, featureSlot } from '../../../shared/domain/screening/features';
import { forcedScreening, sandboxWarnings } from '../../../shared/domain/screening/sandbox-decision';
import type { ScoringModel } from '../../../shared/domain/screening/screen';
import { agentRef } from '../../../shared/domain/screening/subjects/attempt-of';
import { packVector, unpackVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import type { TransactionRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { decisionAnswer } from '../../../shared/http/presenters/decision-answer';
import { riskProfileAnswer } from '../../../shared/http/presenters/risk-profile-answer';
import { transactionAnswer } from '../../../shared/http/presenters/screening-answer';
import { newUlid } from '../../../shared/runtime/ids';
import {
  PUBLIC_PSEUDONYMS,
  SCREENING_STAND_INS,
  standInIntelligence,
} from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { toScreening } from '../../../shared/store/screening/screening-reader';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import { userRiskProfile } from '../../../shared/usecases/entities/user-risk-profile';
import { screenEvent } from '../../../shared/usecases/screening/screen-event';
import {
  type ScreeningObservation,
  type ScreenSubjectDeps,
  screenSubject,
} from '../../../shared/usecases/screening/screen-subject';
import { screenTransaction } from '../../../shared/usecases/screening/screen-transaction';
import { failing, interpose, type Moment } from '../../support/memory/interpose';
import { memoryRules } from '../../support/memory/memory-rules';
import { memoryTable } from '../../support/memory/memory-table';
import { purchase } from '../../support/screening/build-history';
import { DAY, HOUR, IP, shopInMemory, THIEF, VICTIM } from '../../support/shop-in-memory';
import { callerOf, payment } from '../../support/traffic/payment';

describe('screen subject', () => {
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
      intelligence: standInIntelligence({ lookup: () => ({ country: 'DE', network: 'other' }) }),
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
        userRiskProfile({ ...deps, entities: table.entities, books: memoryRules() }, caller, 'user-1').then(
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

    it("is stored without references that belong to another user's, and says so", async () => {
      const { deps, table, observed } = world();
      const order = (user_id: string, ...references: string[]) => ({ ...payment(), user_id, references });
      const first = await screenSubject(deps, caller, order('user-1', 'order 1'));
      const strict = { ...caller, settings: { ...caller.settings, review_threshold: 0, block_threshold: 101 } };
      for (const by of [caller, strict]) {
        const { record } = await screenSubject(deps, by, order('user-2', 'order 1', `own ${observed.length}`));
        expect(record).toMatchObject({ taken_references: [0], references: [expect.any(String)] });
        expect(await table.screenings.find(ACCOUNT, record.ulid)).toEqual(record);
        expect(observed.at(-1)?.record).toBe(record);
        expect(transactionAnswer(record as TransactionRecord).warnings).toEqual([
          "references[0] belongs to another user's payment and was not added.",
        ]);
      }
      const { record } = await screenSubject(deps, caller, order('user-2', 'order 1'));
      expect([record.references, record.kept_until_ms]).toEqual([undefined, undefined]);
      const [name = ''] = first.record.references ?? [];
      expect(await table.outsideOutcomes.reference(ACCOUNT, name, START_MS)).toMatchObject({ ulid: first.record.ulid });
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
      const { record } = await screenSubject(
        { ...deps, newUlid: () => '01JCM0DE00000000000000000A' },
        caller,
        payment(),
      );
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
});

describe('screen event', () => {
  const NOW = Date.UTC(2026, 2, 1, 12);
  const caller = callerOf('acc_1');
  const body = { event_type: 'login', user_id: 'ann', device_fingerprint: 'phone' } as const;
  const claim = idempotencyClaim('POST', '/v1/events', 'key', body);

  function world() {
    const table = memoryTable();
    const outcomes: string[] = [];
    const deps: ScreenSubjectDeps = {
      ...SCREENING_STAND_INS,
      clock: { now: () => NOW },
      newUlid,
      entities: {
        ...table.entities,
        recordAttempt: (account, ref, attempt) => {
          outcomes.push(`${attempt.action} ${attempt.outcome}`);
          return table.entities.recordAttempt(account, ref, attempt);
        },
      },
      claims: table.claims,
      screenings: table.screenings,
    };
    return { table, deps, outcomes };
  }

  it('screens the body as an event of its type, without an amount', async () => {
    const { table, deps } = world();
    const { record, replayed } = await screenEvent(deps, caller, body);
    expect(replayed).toBe(false);
    expect(record).toMatchObject({ subject_type: 'event', event_type: 'login', user_id: 'ann' });
    expect(record).not.toHaveProperty('amount');
    expect(table.screenings.all()).toEqual([record]);
  });

  it('takes an event for one that succeeded unless it says otherwise', async () => {
    const { deps, outcomes } = world();
    await screenEvent(deps, caller, body);
    await screenEvent(deps, caller, { ...body, outcome: 'failed' });
    expect(new Set(outcomes)).toEqual(new Set(['login succeeded', 'login failed']));
  });

  it('does not let a body choose to be a transaction', async () => {
    const { deps } = world();
    const sly = { ...body, subject_type: 'transaction', action: 'transaction' };
    expect((await screenEvent(deps, caller, sly)).record).toMatchObject({ subject_type: 'event', event_type: 'login' });
  });

  it('answers a repeat with the event that the first request stored', async () => {
    const { table, deps } = world();
    const { record } = await screenEvent(deps, caller, body, claim);
    expect(await screenEvent(deps, caller, body, claim)).toEqual({ record, replayed: true });
    expect(table.screenings.all()).toEqual([record]);
  });

  it('never answers with a transaction, should a claim lead to one', async () => {
    const { deps } = world();
    const payment = { user_id: 'ann', amount: 25, currency: 'EUR' };
    const { record } = await screenTransaction(deps, caller, payment, claim);
    await expect(screenEvent(deps, caller, body, claim)).rejects.toThrow(`led to transaction ${record.ulid}`);
  });

  it('refuses what it could not store', async () => {
    const { table, deps } = world();
    const screenings = interpose(
      deps.screenings,
      failing((call) => (call === 'insert' ? 'before' : undefined)),
    );
    await expect(screenEvent({ ...deps, screenings }, caller, body)).rejects.toMatchObject({ code: 'unavailable' });
    expect(table.screenings.all()).toEqual([]);
  });
});

describe('screen transaction', () => {
  const NOW = Date.UTC(2026, 2, 1, 12);
  const caller = callerOf('acc_1');
  const body = { user_id: 'ann', amount: 25, currency: 'EUR', device_fingerprint: 'phone' };
  const claim = idempotencyClaim('POST', '/v1/transactions/screen', 'key', body);

  function world() {
    const table = memoryTable();
    const deps: ScreenSubjectDeps = {
      ...SCREENING_STAND_INS,
      clock: { now: () => NOW },
      newUlid,
      entities: table.entities,
      claims: table.claims,
      screenings: table.screenings,
    };
    return { table, deps };
  }

  it('keeps the trace of the request, and the first one of a repeat', async () => {
    const { table, deps } = world();
    const [first, second] = ['S_kvNXezTaajzpKdDg5HNgDwZ6oLqQK3AQ', 'S_kvNXezTaajzpKdDg5HNgDwZ6oLqQK3AA'];
    await screenTransaction(deps, { ...caller, trace: first }, body, claim);
    expect((await screenTransaction(deps, { ...caller, trace: second }, body, claim)).replayed).toBe(true);
    expect(table.screenings.all().map(({ trace }) => trace)).toEqual([first]);
  });

  it('screens the body as a payment that succeeded', async () => {
    const { table, deps } = world();
    const { record, replayed } = await screenTransaction(deps, caller, body);
    expect(replayed).toBe(false);
    expect(record).toMatchObject({ subject_type: 'transaction', user_id: 'ann', amount: 25, currency: 'EUR' });
    expect(record).not.toHaveProperty('event_type');
    expect(table.screenings.all()).toEqual([record]);
    const profile = await table.entities.profile('acc_1', 'user', record.entities[0] ?? '', NOW);
    expect(profile?.transactions.total).toBe(1);
  });

  it('does not let a body choose what it is screened as', async () => {
    const { deps } = world();
    const sly = { ...body, subject_type: 'event', action: 'login', outcome: 'failed' };
    expect((await screenTransaction(deps, caller, sly)).record).toMatchObject({ subject_type: 'transaction' });
  });

  it('answers a repeat with the transaction that the first request stored', async () => {
    const { table, deps } = world();
    const { record } = await screenTransaction(deps, caller, body, claim);
    expect(await screenTransaction(deps, caller, body, claim)).toEqual({ record, replayed: true });
    expect(table.screenings.all()).toEqual([record]);
  });

  it('never answers with an event, should a claim lead to one', async () => {
    const { deps } = world();
    const { record } = await screenEvent(deps, caller, { event_type: 'login', user_id: 'ann' }, claim);
    await expect(screenTransaction(deps, caller, body, claim)).rejects.toThrow(`led to event ${record.ulid}`);
  });

  it('refuses what it could not store', async () => {
    const { table, deps } = world();
    const screenings = interpose(
      deps.screenings,
      failing((call) => (call === 'insert' ? 'before' : undefined)),
    );
    const refused = screenTransaction({ ...deps, screenings }, caller, body);
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
    expect(table.screenings.all()).toEqual([]);
  });
});

describe('sandbox decision', () => {
  type Answered = Parameters<typeof transactionAnswer>[0];

  const asking = (sandbox_decision: string) =>
    payment({ custom_attributes: { card_fingerprint: 'c', sandbox_decision } });

  describe('in the sandbox', () => {
    it.each([
      ['allow', 29, 'low'],
      ['challenge', 59, 'elevated'],
      ['review', 72, 'elevated'],
      ['block', 92, 'high'],
    ])('%s is the decision, with a score in the middle of its band', async (decision, score, level) => {
      const { deps, table } = shopInMemory();
      const { record } = await screenSubject({ ...deps, stage: 'sandbox' }, callerOf('acc_1'), asking(decision));
      const answer = transactionAnswer(record as Answered);
      expect(answer).toMatchObject({
        decision,
        risk_score: score,
        risk_level: level,
        decided_by: { kind: 'sandbox', name: null },
        signals: ['sandbox_decision'],
      });
      const { base, contributions, what_if } = answer.explanation;
      expect(contributions).toHaveLength(1);
      expect(base + (contributions[0]?.points ?? 0)).toBe(score);
      expect(what_if).toEqual(decision === 'allow' ? undefined : []);
      expect((await table.cases.find('acc_1', record.ulid))?.status).toBe(decision === 'review' ? 'open' : undefined);
    });

    it('leaves no history, sample or label, whatever people say about it', async () => {
      const shop = shopInMemory();
      const sandbox = { ...shop.deps, samples: shop.table.labels, stage: 'sandbox' as const };
      for (let i = 0; i < 200; i++) await screenSubject(sandbox, callerOf('acc_1'), asking('allow'));
      const { record } = await screenSubject(sandbox, callerOf('acc_1'), asking('review'));
      await shop.resolve(record, 'block');
      expect(record).toMatchObject({ entities: [], listed_user: expect.stringMatching(/^1\./) });
      expect(await shop.table.labels.storedInMonth('acc_1', '2026-03')).toEqual([]);
      const { record: next } = await screenSubject(shop.deps, callerOf('acc_1'), payment());
      const { record: elsewhere } = await screenSubject(shopInMemory().deps, callerOf('acc_1'), payment());
      expect(next.risk_score).toBe(elsewhere.risk_score);
      expect(next.vector).toEqual(elsewhere.vector);
    });

    it('follows the thresholds of the account', () => {
      const settings = { ...DEFAULT_SETTINGS, challenge_threshold: 45 };
      const scoreOf = (decision: 'allow' | 'challenge' | 'review' | 'block', over: object = {}) =>
        forcedScreening(decision, { ...settings, ...over }).decision.risk_score;
      expect([scoreOf('allow'), scoreOf('challenge')]).toEqual([22, 52]);
      // The account never reviews or blocks by score: the nearest score stands for it.
      expect([
        scoreOf('block', { block_threshold: 101 }),
        scoreOf('review', { review_threshold: 101, block_threshold: 101 }),
      ]).toEqual([100, 100]);
    });

    it('warns about a value that is not a decision, and scores as usual', async () => {
      const { deps } = shopInMemory();
      const { record } = await screenSubject({ ...deps, stage: 'sandbox' }, callerOf('acc_1'), asking('maybe'));
      expect(record.decided_by).toBeUndefined();
      expect(sandboxWarnings('sandbox', { sandbox_decision: 'maybe' })).toEqual([
        'custom_attributes.sandbox_decision has no effect: it must be one of allow, challenge, review, block.',
      ]);
    });
  });

  it('has no effect in production, is named in warnings, and no model learns from it', async () => {
    const run = (subject: ReturnType<typeof payment>) =>
      screenSubject({ ...shopInMemory().deps, stage: 'production' }, callerOf('acc_1'), subject);
    const { record } = await run(asking('block'));
    const { record: plain } = await run(payment({ custom_attributes: { card_fingerprint: 'c' } }));
    // The evidence is sealed for each record alone.
    expect(record).toEqual({ ...plain, ulid: record.ulid, sent: record.sent });
    expect(sandboxWarnings('production', { sandbox_decision: 'block' })).toEqual([
      'custom_attributes.sandbox_decision has no effect in production.',
    ]);
    expect(sandboxWarnings('production', { email: 'a@b.c' })).toEqual([]);
  });
});

it('somebody whom nobody reviews is not stopped for ever, only because they keep trying', async () => {
  const shop = shopInMemory();
  await shop.act('signup', 'newcomer', VICTIM);
  shop.pass(HOUR / 20);
  const from = { ...VICTIM, device_fingerprint: 'phone', ip_address: IP.farAway };
  const decisions = [(await shop.pay('newcomer', 27, from)).automated_decision];
  for (let day = 4; day <= 32; day += 4) {
    shop.pass(4 * DAY);
    decisions.push((await shop.pay('newcomer', 27, from)).automated_decision);
  }
  expect(decisions).toEqual([...Array(8).fill('review'), 'allow']);
});

describe('agents', () => {
  const PROVEN = { operator: 'agents.example.com', key_id: 'k1', verified: true };
  const CLAIMED = { operator: 'agents.example.com', verified: false };

  describe('an agent', () => {
    const names = entityNames('acc_1', PUBLIC_PSEUDONYMS);

    it('is its operator, whatever the key and the spelling; what is claimed is apart from what is proven', () => {
      const key = (agent: Parameters<typeof agentRef>[1]) => agentRef(names, agent)?.key;
      expect(key({ ...PROVEN, key_id: 'k2' })).toBe(key(PROVEN));
      expect(key({ ...PROVEN, operator: ' Agents.Example.COM ' })).toBe(key(PROVEN));
      expect(key(CLAIMED)).not.toBe(key(PROVEN));
      expect(key(PROVEN)).toMatch(/^agent#/);
      expect(key({ ...PROVEN, operator: '\u200b' })).toBeUndefined();
    });

    it('has a history: a confirmed fraud counts against what was claimed, not against what was proven', async () => {
      const shop = shopInMemory();
      const stolen = await shop.pay('mule', 900, { ...THIEF, agent: CLAIMED });
      expect(stolen.contributions.map(({ signal }) => signal)).toContain('unverified_agent');
      await shop.review(stolen, 'block');
      shop.pass(DAY);
      const claimed = await shop.pay('ann', 25, { ...VICTIM, agent: CLAIMED });
      const proven = await shop.pay('bob', 25, { device_fingerprint: 'bobs', agent: PROVEN });
      const found = claimed.contributions.find(({ signal }) => signal === 'unverified_agent');
      expect(found?.detail).toContain('1 confirmed fraud');
      expect(proven.contributions.map(({ signal }) => signal)).not.toContain('unverified_agent');
      expect(proven.automated_decision).toBe('allow');
    });

    it('links nobody: its users have nothing else in common', async () => {
      const shop = shopInMemory();
      const record = await shop.pay('ann', 25, { ...VICTIM, agent: PROVEN });
      const position = record.entities.findIndex((key) => key.startsWith('agent#'));
      expect(position).toBeGreaterThan(0);
      expect(record.linked).toBeDefined();
      expect(record.linked).not.toContain(position.toString(36));
    });

    it('is kept as it was sent, and shown with the decision', async () => {
      const shop = shopInMemory();
      const record = await shop.pay('ann', 25, { ...VICTIM, agent: PROVEN });
      expect(decisionAnswer(toScreening(screeningItem('acc_1', record))).agent).toEqual(PROVEN);
      shop.pass(HOUR);
      expect(decisionAnswer(await shop.pay('ann', 25, VICTIM))).not.toHaveProperty('agent');
    });
  });

  it('takes no entity, no attribute and no byte of the vector where there is none', async () => {
    const shop = shopInMemory();
    const record = await shop.pay('ann', 25, VICTIM);
    expect(record.entities.filter((key) => key.startsWith('agent'))).toEqual([]);
    expect(Object.keys(screeningItem('acc_1', record)).filter((name) => name.includes('agent'))).toEqual([]);
    const vector = extractFeatures(purchase()).slice(0, featureSlot('user_declines_10m'));
    const first = featureSlot('agent_verified');
    const upToThese = vector.slice(0, featureSlot('email_pattern_buyers_1h'));
    expect([...upToThese.slice(first)].every(Number.isNaN)).toBe(true);
    // Codes of slots that are all missing are left out, and the map has room for them.
    expect(packVector(upToThese).length).toBe(packVector(vector.slice(0, first)).length);
    expect(unpackVector(packVector(vector)).length).toBe(vector.length);
  });
});
