import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { RETENTION_MS, type ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { newUlid } from '../../../shared/runtime/ids';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { getDecision, getReportedDecision } from '../../../shared/usecases/screening/get-decision';
import { getTransaction } from '../../../shared/usecases/screening/get-transaction';
import { type DecisionFilter, listDecisions } from '../../../shared/usecases/screening/list-decisions';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { callerOf } from '../../support/traffic/payment';
import { openCase, screened } from '../../support/webhooks/changes';
import { caller as outcomesCaller, world as outcomesWorld } from '../outcomes/outcomes-world';
import { BORN_MS, storedScreening } from './stored-screening';

describe('get decision', () => {
  const caller = callerOf('acc_1');

  it('finds a decision by its own id, and by that of its transaction', async () => {
    const { deps, record, ulid } = await storedScreening();
    expect(await getDecision(deps, caller, `dec_${ulid}`)).toEqual(record);
    expect(await getDecision(deps, caller, `txn_${ulid}`)).toEqual(record);
  });

  it('comes with what was reported about it, and reads that only of what may have some', async () => {
    const { deps, ulid } = await storedScreening();
    const unread = { find: () => Promise.reject(new Error('must not be read')) };
    expect(await getReportedDecision({ ...deps, kept: unread }, caller, `dec_${ulid}`)).toMatchObject({
      kept: undefined,
    });
    const named = await storedScreening({ kept_until_ms: BORN_MS + RETENTION_MS });
    const find = async () => ({ version: 1 }) as never;
    expect(await getReportedDecision({ ...named.deps, kept: { find } }, caller, `dec_${named.ulid}`)).toMatchObject({
      kept: { version: 1 },
    });
  });

  it('finds the decision on an event by the id of the event, not of a transaction', async () => {
    const { deps, record, ulid } = await storedScreening({ subject_type: 'event', event_type: 'login' });
    expect(await getDecision(deps, caller, `dec_${ulid}`)).toEqual(record);
    expect(await getDecision(deps, caller, `evt_${ulid}`)).toEqual(record);
    await expect(getDecision(deps, caller, `txn_${ulid}`)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('shows what a review has made of the decision since', async () => {
    const { table, deps, record, ulid } = await storedScreening();
    const review = {
      decision: 'block',
      analyst_id: 'ann',
      notes: null,
      reviewed_at: '2026-03-01T00:00:30.000Z',
    } as const;
    table.screenings.replace('acc_1', { ...record, review, review_count: 1 });
    expect(await getDecision(deps, caller, `dec_${ulid}`)).toMatchObject({ automated_decision: 'allow', review });
  });

  it('returns a decision for exactly 90 days', async () => {
    const [last, over] = [await storedScreening({}, RETENTION_MS - 1), await storedScreening({}, RETENTION_MS)];
    expect(await getDecision(last.deps, caller, `dec_${last.ulid}`)).toEqual(last.record);
    await expect(getDecision(over.deps, caller, `dec_${over.ulid}`)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('gives another account the same answer as for a decision that never was', async () => {
    const { deps, ulid } = await storedScreening();
    const refusal = (who: typeof caller, id: string) => getDecision(deps, who, id).catch((error: Error) => error);
    const unknown = await refusal(caller, `dec_${newUlid(BORN_MS)}`);
    expect(unknown).toMatchObject({ code: 'not_found' });
    expect(await refusal(callerOf('acc_2'), `dec_${ulid}`)).toEqual(unknown);
  });

  it('takes the id of a case, or no id at all, for no decision; a table out of reach for a failure', async () => {
    const { table, deps, ulid } = await storedScreening();
    const screenings = interpose(
      table.screenings,
      failing(() => 'before'),
    );
    for (const id of [`case_${ulid}`, ulid, `dec_${ulid}/`, 'constructor', ''])
      await expect(getDecision({ ...deps, screenings }, caller, id)).rejects.toMatchObject({ code: 'not_found' });
    const down = getDecision({ ...deps, screenings }, caller, `dec_${ulid}`);
    await expect(down).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('get transaction', () => {
  const caller = callerOf('acc_1');

  it('returns the screening of a transaction as it is stored', async () => {
    const { deps, record, ulid } = await storedScreening();
    expect(await getTransaction(deps, caller, `txn_${ulid}`)).toEqual(record);
  });

  it('returns it for exactly 90 days', async () => {
    const [last, over] = [await storedScreening({}, RETENTION_MS - 1), await storedScreening({}, RETENTION_MS)];
    expect(await getTransaction(last.deps, caller, `txn_${last.ulid}`)).toEqual(last.record);
    await expect(getTransaction(over.deps, caller, `txn_${over.ulid}`)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('does not show an event as a transaction, although they could share an id', async () => {
    const { deps, ulid } = await storedScreening({ subject_type: 'event', event_type: 'login' });
    await expect(getTransaction(deps, caller, `txn_${ulid}`)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('gives another account the same answer as for a transaction that never was', async () => {
    const { deps, ulid } = await storedScreening();
    const refusal = (who: typeof caller, id: string) => getTransaction(deps, who, id).catch((error: Error) => error);
    const unknown = await refusal(caller, `txn_${newUlid(BORN_MS)}`);
    expect(unknown).toMatchObject({ code: 'not_found' });
    expect(await refusal(callerOf('acc_2'), `txn_${ulid}`)).toEqual(unknown);
  });

  it('takes an id of another kind for no transaction; a table out of reach for a failure', async () => {
    const { table, deps, ulid } = await storedScreening();
    const screenings = interpose(
      table.screenings,
      failing(() => 'before'),
    );
    for (const id of [`dec_${ulid}`, `evt_${ulid}`, `case_${ulid}`, ulid, ''])
      await expect(getTransaction({ ...deps, screenings }, caller, id)).rejects.toMatchObject({ code: 'not_found' });
    const down = getTransaction({ ...deps, screenings }, caller, `txn_${ulid}`);
    await expect(down).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('list decisions', () => {
  const MINUTE = 60_000;
  const NOW = Date.UTC(2026, 2, 20, 10);
  const caller = { account_id: 'acc_1', key_id: 'key_1', role: 'admin', settings: DEFAULT_SETTINGS } as const;
  const names = entityNames('acc_1', PUBLIC_PSEUDONYMS);

  function world() {
    const table = memoryTable();
    const reads: number[] = [];
    const decisions = interpose(table.decisions, async (call, apply) => {
      const answer = await apply();
      if (call === 'findAll') reads.push((answer as unknown[]).length);
      return answer;
    });
    const deps = { clock: { now: () => NOW }, pseudonyms: () => PUBLIC_PSEUDONYMS, decisions, cases: table.cases };
    return {
      reads,
      async screen(user: string, agoMs: number, change: Partial<ScreeningRecord> = {}): Promise<string> {
        const record = screened(NOW - agoMs, { user_id: user, entities: [names.user(user).key], ...change });
        if (record.automated_decision === 'review') {
          const opened = openCase(NOW - agoMs, { ulid: record.ulid, user_id: user });
          await table.screenings.insertWithCase('acc_1', record, opened);
        } else await table.screenings.insert('acc_1', record);
        return record.ulid;
      },
      list: (filter: Partial<DecisionFilter>, settings = caller.settings) =>
        listDecisions(deps, { ...caller, settings }, { limit: 20, ...filter }),
    };
  }

  const ulidsOf = ({ decisions }: { readonly decisions: readonly ScreeningRecord[] }): string[] =>
    decisions.map(({ ulid }) => ulid);
  const reviewed = (decision: 'allow' | 'block'): Partial<ScreeningRecord> => ({
    review: { decision, analyst_id: null, notes: null, reviewed_at: new Date(NOW).toISOString() },
    review_count: 1,
  });

  it("lists a user's decisions newest first, page by page, at the same cost on every page", async () => {
    const { screen, list, reads } = world();
    const made: string[] = [];
    for (let at = 0; at < 60; at++) made.push(await screen('ann', at * MINUTE));
    await screen('bob', 0);
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list({ user_id: 'ann', limit: 10, cursor });
      found.push(...ulidsOf(page));
      cursor = page.nextCursor;
    }
    expect(found).toEqual(made);
    expect(new Set(reads.slice(0, -1).map((count) => count <= 11))).toEqual(new Set([true]));
  });

  it('finds a user however the ID is written, within dates and retention', async () => {
    const { screen, list } = world();
    await screen('Ann', RETENTION_MS);
    const old = await screen('Ann', RETENTION_MS - 1);
    const young = await screen(' Ann', MINUTE);
    expect(ulidsOf(await list({ user_id: 'Ann​' }))).toEqual([young, old]);
    expect(ulidsOf(await list({ user_id: 'Ann', startMs: NOW - MINUTE }))).toEqual([young]);
    expect(ulidsOf(await list({ user_id: 'Ann', endMs: NOW - MINUTE }))).toEqual([old]);
    expect(ulidsOf(await list({ user_id: 'Ann', startMs: NOW, endMs: NOW - MINUTE }))).toEqual([]);
  });

  it('lists by the decision in force, with and without a user', async () => {
    const { screen, list } = world();
    const blocked = await screen('ann', MINUTE, { automated_decision: 'block' });
    const pardoned = await screen('ann', 2 * MINUTE, { automated_decision: 'block', ...reviewed('allow') });
    const held = await screen('ann', 3 * MINUTE, { automated_decision: 'review' });
    const condemned = await screen('bob', 4 * MINUTE, { automated_decision: 'review', ...reviewed('block') });
    const allowed = await screen('ann', 5 * MINUTE);
    expect(ulidsOf(await list({ decision: 'block' }))).toEqual([blocked, condemned]);
    expect(ulidsOf(await list({ decision: 'review' }))).toEqual([held]);
    expect(ulidsOf(await list({ decision: 'challenge' }))).toEqual([]);
    expect(ulidsOf(await list({ user_id: 'ann', decision: 'block' }))).toEqual([blocked]);
    expect(ulidsOf(await list({ user_id: 'ann', decision: 'allow' }))).toEqual([pardoned, allowed]);
    expect(ulidsOf(await list({ user_id: 'bob', decision: 'block' }))).toEqual([condemned]);
  });

  it('pages through what is under review by the lists of cases', async () => {
    const { screen, list } = world();
    const made: string[] = [];
    // Several in one millisecond: a page may end between them.
    for (let at = 0; at < 9; at++) made.push(await screen('ann', Math.floor(at / 3), { automated_decision: 'review' }));
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list({ decision: 'review', limit: 2, cursor });
      found.push(...ulidsOf(page));
      cursor = page.nextCursor;
    }
    expect(found).toEqual([...made].sort().reverse());
  });

  it.each([{}, { decision: 'allow' }])('asks for a user or a kind of decision: %j', async (filter) => {
    await expect(world().list(filter)).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'user_id', message: expect.stringContaining('is required') }],
    });
  });

  it('lists the fraud that was missed, with what was reported, until it is withdrawn', async () => {
    const { record, deps, table, report, review } = await outcomesWorld();
    const lister = { ...deps, decisions: table.decisions, cases: table.cases };
    const missed = async () => listDecisions(lister, outcomesCaller, { outcome: 'missed_fraud', limit: 10 });
    expect(await missed()).toMatchObject({ decisions: [], nextCursor: null });
    await report();
    const { decisions, kept } = await missed();
    expect(decisions.map(({ ulid }) => ulid)).toEqual([record.ulid]);
    expect(Object.values(kept.get(record.ulid)?.statements ?? {})).toMatchObject([
      { type: 'chargeback', label: 'fraud' },
    ]);
    // A person who says the same makes it a blocked one.
    await review('block');
    expect(ulidsOf(await missed())).toEqual([]);
    expect(ulidsOf(await listDecisions(lister, outcomesCaller, { decision: 'block', limit: 10 }))).toEqual([
      record.ulid,
    ]);
    const both = { outcome: 'missed_fraud', decision: 'block', limit: 1 } as const;
    await expect(listDecisions(lister, outcomesCaller, both)).rejects.toMatchObject({
      details: [{ field: 'outcome' }],
    });
  });

  it('says when the account keeps no history', async () => {
    const { list } = world();
    expect(await list({ user_id: 'ann' })).toMatchObject({ isListing: true });
    expect(await list({ user_id: 'ann' }, { ...DEFAULT_SETTINGS, keep_history: false })).toMatchObject({
      isListing: false,
      decisions: [],
    });
  });
});
