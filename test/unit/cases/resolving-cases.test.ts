import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { outcomeChange } from '../../../shared/domain/cases/outcome';
import { CASE_LIFE_MS } from '../../../shared/domain/cases/review-case';
import { unavailable } from '../../../shared/domain/errors';
import { ClaimTaken } from '../../../shared/domain/idempotency';
import {
  RETENTION_MS,
  type Review,
  type ScreeningRecord,
} from '../../../shared/domain/screening/subjects/screening-record';
import { changeCase } from '../../../shared/usecases/cases/change-case';
import { claimCase } from '../../../shared/usecases/cases/claim-case';
import { type RecordOutcomeDeps, resolveCase, reviewDecision } from '../../../shared/usecases/cases/record-outcome';
import { LIMIT_MS, resolveCases } from '../../../shared/usecases/cases/resolve-cases';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { deskInMemory, nobody, personal } from '../../support/stores/desk-in-memory';
import { openCase, screened } from '../../support/webhooks/changes';

describe('change case', () => {
  it('gives up on a case that changes each time it was read, and has written nothing', async () => {
    const { deps, id, found } = await deskInMemory();
    const before = await found();
    const busy = { ...deps, desk: { ...deps.desk, save: async () => false } };
    const changing = changeCase(busy, nobody, id, ({ reviewCase }) => ({
      save: { before: reviewCase, after: reviewCase, entry: undefined },
      result: undefined,
    }));
    await expect(changing).rejects.toMatchObject({ code: 'unavailable' });
    expect(await found()).toEqual(before);
  });

  it('writes nothing when nothing is left to do', async () => {
    const { deps, id } = await deskInMemory();
    const desk = { ...deps.desk, save: () => Promise.reject(new Error('written')) };
    expect(await changeCase({ ...deps, desk }, nobody, id, ({ nowMs }) => ({ result: nowMs }))).toBe(deps.clock.now());
  });
});

describe('record outcome', () => {
  const BORN_MS = Date.UTC(2026, 2, 1);
  const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };
  const answer = { scope: 'scope', body_hash: 'hash', status: 200, body: '{}' };

  /** A payment under review, a minute later. */
  async function world() {
    const table = memoryTable();
    let nowMs = BORN_MS + 60_000;
    const record = screened(BORN_MS, { automated_decision: 'review', entities: ['user#1'] });
    await table.screenings.insertWithCase('acc_1', record, openCase(BORN_MS, { ulid: record.ulid }));
    const deps: RecordOutcomeDeps = { clock: { now: () => nowMs }, outcomes: table.outcomes };
    return {
      ...{ table, deps, ulid: record.ulid },
      pass: (ms: number): void => {
        nowMs += ms;
      },
      review: (decision: 'allow' | 'block', over = deps) =>
        reviewDecision(over, caller, `dec_${record.ulid}`, { decision }),
      resolve: (decision: 'allow' | 'block', over = deps) =>
        resolveCase(over, caller, `case_${record.ulid}`, { decision }),
      labels: async () => (await table.labels.storedInMonth('acc_1', '2026-03')).map(({ label }) => label),
      counted: async () => (await table.entities.profile('acc_1', 'user', 'user#1', nowMs))?.labels,
    };
  }

  describe('a review', () => {
    it('overrides the decision, resolves the case, and leaves a label and an audit entry', async () => {
      const { review, table, ulid, labels, counted } = await world();
      expect(await review('block')).toMatchObject({ review: { decision: 'block', analyst_id: null }, review_count: 1 });
      expect(await table.cases.find('acc_1', ulid)).toMatchObject({ status: 'rejected' });
      expect(await labels()).toEqual(['fraud']);
      expect(await counted()).toEqual({ fraud: 1, legitimate: 0 });
      expect(table.outcomes.audits).toEqual([
        expect.objectContaining({ source: 'decision_review', previous_decision: 'review', key_id: 'key_1' }),
      ]);
    });

    it('may be made again, of a resolved or expired case too: the newest holds, and all are on record', async () => {
      const { review, table, ulid, labels, counted, pass } = await world();
      await review('block');
      pass(CASE_LIFE_MS);
      await review('allow');
      expect(await table.cases.find('acc_1', ulid)).toMatchObject({ status: 'rejected' });
      expect(await labels()).toEqual(['legitimate']);
      expect(await counted()).toEqual({ fraud: 0, legitimate: 1 });
      expect(table.outcomes.audits.map(({ previous_decision }) => previous_decision)).toEqual(['review', 'block']);
    });

    it('of several at once: each that agrees is recorded; whoever lost the case to the opposite learns it', async () => {
      const { review, resolve, table, ulid, counted } = await world();
      const asked = [review('allow'), resolve('block'), review('block'), review('allow')];
      const settled = (await Promise.allSettled(asked)).map((each) => each.status === 'fulfilled' || each.reason.code);
      expect(settled).toEqual([true, 'case_not_open', 'case_not_open', true]);
      expect(await table.cases.find('acc_1', ulid)).toMatchObject({ status: 'approved' });
      expect(table.screenings.get('acc_1', ulid)).toMatchObject({ review_count: 2, review: { decision: 'allow' } });
      expect(await counted()).toEqual({ fraud: 0, legitimate: 1 });
      // Said again, knowingly, it holds.
      expect(await review('block')).toMatchObject({ review: { decision: 'block' } });
    });

    it('is made beside seven rivals who were faster', async () => {
      const { review, deps } = await world();
      let faster = 7;
      const save: typeof deps.outcomes.save = async (...change) => faster-- <= 0 && deps.outcomes.save(...change);
      expect(await review('block', { ...deps, outcomes: { ...deps.outcomes, save } })).toMatchObject({
        review: { decision: 'block' },
      });
    });

    it('gives up on a subject that changes each time, and has written nothing', async () => {
      const { review, deps, labels } = await world();
      const busy = { ...deps, outcomes: { ...deps.outcomes, save: async () => false } };
      await expect(review('block', busy)).rejects.toMatchObject({ code: 'unavailable' });
      expect(await labels()).toEqual([]);
    });

    it('whose answer was lost is there; repeated under its key it is not made twice', async () => {
      const { deps, ulid, table } = await world();
      const losing = {
        ...deps,
        outcomes: interpose(
          deps.outcomes,
          failing((call) => (call === 'save' ? 'after' : undefined)),
        ),
      };
      const ask = (over: RecordOutcomeDeps) =>
        reviewDecision(over, caller, `dec_${ulid}`, { decision: 'block', recordOf: () => answer });
      await expect(ask(losing)).rejects.toMatchObject({ code: 'unavailable' });
      await expect(ask(deps)).rejects.toBeInstanceOf(ClaimTaken);
      expect(table.screenings.get('acc_1', ulid)?.review_count).toBe(1);
      expect(table.outcomes.audits).toHaveLength(1);
    });

    it.each(['dec_none', 'case_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0', 'dec_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0', ''])(
      'of %p is not found',
      async (id) => {
        const { deps } = await world();
        await expect(reviewDecision(deps, caller, id, { decision: 'block' })).rejects.toMatchObject({
          code: 'not_found',
        });
      },
    );

    it('is made by the id of the subject as well, not by that of another kind, another account or after 90 days', async () => {
      const { deps, ulid, pass } = await world();
      const ask = (id: string, who = caller) => reviewDecision(deps, who, id, { decision: 'allow' });
      expect(await ask(`txn_${ulid}`)).toMatchObject({ ulid });
      await expect(ask(`evt_${ulid}`)).rejects.toMatchObject({ code: 'not_found' });
      await expect(ask(`dec_${ulid}`, { ...caller, account_id: 'acc_2' })).rejects.toMatchObject({ code: 'not_found' });
      pass(RETENTION_MS);
      await expect(ask(`dec_${ulid}`)).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('resolving a case', () => {
    it('has one winner of several at once; the others learn what the case became', async () => {
      const { resolve, labels } = await world();
      const settled = await Promise.allSettled([resolve('block'), resolve('allow'), resolve('allow')]);
      const won = settled.filter((each) => each.status === 'fulfilled');
      expect(won).toHaveLength(1);
      const { status } = won[0]!.value;
      for (const each of settled) {
        if (each.status === 'rejected') {
          expect(each.reason).toMatchObject({ code: 'case_not_open', message: expect.stringContaining(status) });
        }
      }
      expect(await labels()).toEqual([status === 'rejected' ? 'fraud' : 'legitimate']);
    });

    it('is refused from the very millisecond of its expiry on, swept or not', async () => {
      const { resolve, pass, table, ulid } = await world();
      pass(CASE_LIFE_MS - 60_001);
      const late = await world();
      late.pass(CASE_LIFE_MS - 60_000);
      await expect(late.resolve('block')).rejects.toMatchObject({ code: 'case_not_open', message: /expired/ });
      expect(await resolve('block')).toMatchObject({ status: 'rejected' });
      expect(await table.cases.find('acc_1', ulid)).toMatchObject({ status: 'rejected' });
    });

    it('that expires between look and write is refused at the next look', async () => {
      const { resolve, pass, deps, table } = await world();
      const slow = {
        ...deps,
        outcomes: {
          ...deps.outcomes,
          save: async (...[account, change, , given]: Parameters<typeof deps.outcomes.save>) => {
            pass(CASE_LIFE_MS);
            return table.outcomes.save(account, change, deps.clock.now(), given);
          },
        },
      };
      await expect(resolve('block', slow)).rejects.toMatchObject({ code: 'case_not_open' });
    });

    it('of another account, of no review or of no shape is not found', async () => {
      const { deps, ulid, table } = await world();
      const allowed = screened(BORN_MS);
      await table.screenings.insert('acc_1', allowed);
      const ask = (id: string, who = caller) => resolveCase(deps, who, id, { decision: 'allow' });
      for (const id of [`case_${allowed.ulid}`, `dec_${ulid}`, 'case_x']) {
        await expect(ask(id)).rejects.toMatchObject({ code: 'not_found' });
      }
      await expect(ask(`case_${ulid}`, { ...caller, account_id: 'acc_2' })).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  });
});

describe('resolve cases', () => {
  const ana = personal('ana.silva');
  const stated = { decision: 'block', analyst_id: 'ana.silva', reason_code: 'card_testing' } as const;
  const statuses = (results: readonly { status: string }[]): string[] => results.map(({ status }) => status);

  it('resolves each as it can, and tells of each, in the order given', async () => {
    const { deps, ids, found } = await deskInMemory(4);
    const [free = '', taken = '', done = '', mine = ''] = ids;
    await claimCase(deps, personal('bo'), taken, {});
    await claimCase(deps, ana, mine, {});
    await resolveCase(deps, nobody, done, { decision: 'allow' });
    const unknown = 'case_00000000000000000000000000';
    const given = [free, taken, done, unknown, 'nonsense', mine, free];
    const results = await resolveCases(deps, ana, given, stated);
    expect(results.map(({ case_id }) => case_id)).toEqual(given);
    expect(statuses(results)).toEqual(['ok', 'case_claimed', 'case_not_open', 'not_found', 'not_found', 'ok', 'ok']);
    expect(await found(0)).toMatchObject({ status: 'rejected', resolved_by: 'ana.silva', reason_code: 'card_testing' });
    expect(await found(2)).toMatchObject({ status: 'approved' });
  });

  it('takes what others have claimed if told to', async () => {
    const { deps, id } = await deskInMemory();
    await claimCase(deps, personal('bo'), id, {});
    expect(statuses(await resolveCases(deps, ana, [id], { ...stated, force: true }))).toEqual(['ok']);
  });

  it('counts as done what an interrupted request under the same key had resolved, and nothing else', async () => {
    const { deps, ids, table } = await deskInMemory(3);
    const [first = '', second = '', third = ''] = ids;
    await resolveCase(deps, ana, first, { ...stated, scope: 'scope' });
    await resolveCase(deps, ana, third, stated);
    expect(statuses(await resolveCases(deps, ana, [first, second, third], { ...stated, scope: 'scope' }))).toEqual([
      'ok',
      'ok',
      'case_not_open',
    ]);
    expect(table.outcomes.audits).toHaveLength(3);
  });

  it('goes on after one that failed, and names what there was no time for', async () => {
    const { deps, ids, pass } = await deskInMemory(4);
    let calls = 0;
    const outcomes = {
      ...deps.outcomes,
      findSubject: async (accountId: string, ulid: string) => {
        calls += 1;
        if (calls === 1) throw unavailable(new Error('no table'));
        if (calls === 2) throw new Error('a bug');
        pass(LIMIT_MS);
        return deps.outcomes.findSubject(accountId, ulid);
      },
    };
    const logged: string[] = [];
    const log = { error: (message: string) => void logged.push(message) };
    const results = await resolveCases({ ...deps, outcomes, log }, ana, ids, stated);
    expect(statuses(results)).toEqual(['unavailable', 'internal_error', 'ok', 'unavailable']);
    expect(logged).toEqual(['unhandled error']);
  });

  it('refuses a reason that the account does not have, before anything is decided', async () => {
    const { deps, ids, table } = await deskInMemory(2);
    const resolving = resolveCases(deps, ana, ids, { ...stated, reason_code: 'other' });
    await expect(resolving).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'reason_code', message: 'must be one of card_testing, stolen_card' }],
    });
    expect(table.outcomes.audits).toEqual([]);
  });
});

describe('outcome', () => {
  const AT = '2026-03-01T10:00:00.000Z';

  const review = (decision: Review['decision'], reviewed_at: string): Review => ({
    decision,
    analyst_id: null,
    notes: null,
    reviewed_at,
  });

  const record = (earlier: Review | null): ScreeningRecord => ({
    ulid: '01J9Z3K8Q4V7W2X5Y6Z7A8B9C0',
    subject_type: 'transaction',
    user_id: 'ann',
    risk_score: 40,
    risk_level: 'low',
    automated_decision: 'allow',
    base: 5,
    contributions: [],
    model_version: 'rules-1',
    feature_version: 2,
    vector: new Uint8Array(),
    entities: [],
    missing: [],
    screened_at_ms: Date.parse(AT) - 1_000,
    review: earlier,
    review_count: earlier ? 1 : 0,
  });

  const labelsOf = (earlier: Review | null, now: Review) => {
    const state = { record: record(earlier), reviewCase: undefined };
    const origin = { source: 'decision_review', keyId: 'key_1' } as const;
    const { label, move } = outcomeChange(state, now, origin, Date.parse(now.reviewed_at));
    return { label, previous: move.from };
  };

  test('a review labels its subject from its own time on, and replaces the label of the review before', () => {
    const first = review('block', AT);
    expect(labelsOf(null, first)).toEqual({
      label: { label: 'fraud', known_at_ms: Date.parse(AT) },
      previous: null,
    });
    expect(labelsOf(first, review('allow', '2026-03-09T10:00:00.000Z'))).toEqual({
      label: { label: 'legitimate', known_at_ms: Date.UTC(2026, 2, 9, 10) },
      previous: { label: 'fraud', known_at_ms: Date.parse(AT), source: 'review' },
    });
  });
});
