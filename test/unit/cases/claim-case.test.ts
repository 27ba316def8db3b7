import fc from 'fast-check';
import { CASE_LIFE_MS, CLAIM_MS, claimAt } from '../../../shared/domain/cases/review-case';
import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { claimCase, releaseCase } from '../../../shared/usecases/cases/claim-case';
import { commentCase } from '../../../shared/usecases/cases/comment-case';
import { resolveCase } from '../../../shared/usecases/cases/record-outcome';
import { resolveCases } from '../../../shared/usecases/cases/resolve-cases';
import { deskInMemory, nobody, personal } from '../../support/desk-in-memory';
import { interpose } from '../../support/memory/interpose';

const [ana, bo] = [personal('ana.silva'), personal('bo')];

describe('a claim', () => {
  it('lasts 15 minutes, can be renewed by its holder, and tells others who has it', async () => {
    const { deps, id, pass, now, found } = await deskInMemory();
    const first = await claimCase(deps, ana, id, {});
    expect(first.reviewCase.claim).toEqual({ assignee: 'ana.silva', until_ms: now() + CLAIM_MS });
    pass(CLAIM_MS - 1);
    await expect(claimCase(deps, bo, id, {})).rejects.toMatchObject({
      code: 'case_claimed',
      message: expect.stringContaining('ana.silva'),
      details: [{ field: 'assignee', message: 'ana.silva' }],
    });
    await claimCase(deps, ana, id, {});
    pass(CLAIM_MS - 1);
    await expect(claimCase(deps, bo, id, {})).rejects.toMatchObject({ code: 'case_claimed' });
    pass(1);
    expect((await claimCase(deps, bo, id, {})).reviewCase.claim?.assignee).toBe('bo');
    expect(claimAt((await found()) ?? (null as never), now())?.assignee).toBe('bo');
  });

  it('is logged once, not with every renewal', async () => {
    const { deps, id, table, pass } = await deskInMemory();
    for (let i = 0; i < 3; i++) {
      await claimCase(deps, ana, id, {});
      pass(60_000);
    }
    const { desk } = await table.desk.history('acc_1', id.slice(5));
    expect(desk).toMatchObject([{ kind: 'claimed', actor: 'ana.silva', proven: true, key_id: 'key_ana.silva' }]);
  });

  it('is of whom the request names, or of the key itself, when the key is nobody’s', async () => {
    const { deps, ids } = await deskInMemory(2);
    const named = await claimCase(deps, nobody, ids[0] ?? '', { analyst_id: 'cy' });
    expect(named.reviewCase.claim?.assignee).toBe('cy');
    const unnamed = await claimCase(deps, nobody, ids[1] ?? '', {});
    expect(unnamed.reviewCase.claim?.assignee).toBe('key_0');
  });

  it('needs an open case of the account that is still kept', async () => {
    const { deps, id, pass } = await deskInMemory();
    await expect(claimCase(deps, { ...ana, account_id: 'acc_2' }, id, {})).rejects.toMatchObject({ code: 'not_found' });
    await expect(claimCase(deps, ana, 'case_no', {})).rejects.toMatchObject({ code: 'not_found' });
    pass(CASE_LIFE_MS);
    await expect(claimCase(deps, ana, id, {})).rejects.toMatchObject({
      code: 'case_not_open',
      message: 'The case is already expired; only an open case can be claimed.',
    });
    pass(RETENTION_MS);
    await expect(claimCase(deps, ana, id, {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is released by its holder or by the account, not by a colleague', async () => {
    const { deps, id, found, table } = await deskInMemory();
    await releaseCase(deps, ana, id);
    await claimCase(deps, ana, id, {});
    await expect(releaseCase(deps, bo, id)).rejects.toMatchObject({ code: 'case_claimed' });
    await expect(releaseCase(deps, nobody, id, 'cy')).rejects.toMatchObject({ code: 'case_claimed' });
    await releaseCase(deps, ana, id);
    expect((await found())?.claim).toBeUndefined();
    await claimCase(deps, bo, id, {});
    await releaseCase(deps, nobody, id);
    expect((await found())?.claim).toBeUndefined();
    const { desk } = await table.desk.history('acc_1', id.slice(5));
    expect(desk.map(({ kind, actor }) => `${actor} ${kind}`)).toEqual([
      'ana.silva claimed',
      'ana.silva released',
      'bo claimed',
      'key_0 released',
    ]);
  });

  it('keeps others from resolving, unless they insist; its holder needs nothing', async () => {
    const { deps, ids } = await deskInMemory(3);
    const [first = '', second = '', third = ''] = ids;
    for (const id of ids) await claimCase(deps, ana, id, {});
    const byBo = { decision: 'block', analyst_id: 'bo' } as const;
    await expect(resolveCase(deps, bo, first, byBo)).rejects.toMatchObject({ code: 'case_claimed' });
    expect(await resolveCase(deps, bo, first, { ...byBo, force: true })).toMatchObject({ resolved_by: 'bo' });
    expect(await resolveCase(deps, ana, second, { decision: 'allow', analyst_id: 'ana.silva' })).not.toHaveProperty(
      'claim',
    );
    expect(await resolveCase(deps, nobody, third, { decision: 'allow', analyst_id: 'ana.silva' })).toBeDefined();
  });
});

/** What somebody does, at some time, in some order with what the others do. */
const acts = fc.record({
  who: fc.constantFrom('ana', 'bo', 'cy'),
  act: fc.constantFrom('claim', 'release', 'comment', 'approve', 'reject', 'force', 'bulk', 'wait'),
});

it('of any interleaving: at most one holder at a time, nothing decided twice, and all of it on record', async () => {
  const lists = fc.array(acts, { minLength: 2, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lists, fc.scheduler(), async (plan, scheduler) => {
      const world = await deskInMemory();
      const { table, id, now } = world;
      const holders: string[] = [];
      let openClaim: { who: string; untilMs: number } | undefined;
      // Every call of the table waits until the scheduler lets it through, in an order of its own.
      const around = <Value>(_call: string, apply: () => Promise<Value>) =>
        scheduler.schedule(Promise.resolve()).then(apply);
      const desk = interpose(
        {
          ...table.desk,
          save: async (...args: Parameters<typeof table.desk.save>) => {
            const isSaved = await table.desk.save(...args);
            const { after, entry } = args[1];
            if (!isSaved) return false;
            if (entry?.kind === 'claimed' || (!entry && after.claim)) {
              const who = after.claim?.assignee ?? '';
              if (openClaim && openClaim.who !== who && now() < openClaim.untilMs)
                holders.push(`${openClaim.who}>${who}`);
              openClaim = { who, untilMs: after.claim?.until_ms ?? 0 };
            }
            if (entry?.kind === 'released') openClaim = undefined;
            return true;
          },
        },
        around,
      );
      const outcomes = interpose({ findSubject: table.outcomes.findSubject, save: table.outcomes.save }, around);
      const deps = { ...world.deps, desk, outcomes };
      const decided: string[] = [];
      const run = async ({ who, act }: { who: string; act: string }): Promise<void> => {
        const caller = personal(who);
        const stated = { analyst_id: who, decision: act === 'approve' ? 'allow' : 'block' } as const;
        if (act === 'wait') world.pass(CLAIM_MS / 2);
        if (act === 'claim') await claimCase(deps, caller, id, {});
        if (act === 'release') await releaseCase(deps, caller, id);
        if (act === 'comment') await commentCase(deps, caller, id, { text: 'seen' });
        if (act === 'approve' || act === 'reject') decided.push((await resolveCase(deps, caller, id, stated)).status);
        if (act === 'force') decided.push((await resolveCase(deps, caller, id, { ...stated, force: true })).status);
        if (act === 'bulk') {
          const [result] = await resolveCases(deps, caller, [id], stated);
          if (result?.status === 'ok') decided.push('rejected');
        }
      };
      const all = Promise.allSettled(plan.map(run));
      await scheduler.waitFor(all);
      for (const settled of await all) {
        if (settled.status === 'rejected') {
          expect(['case_claimed', 'case_not_open', 'unavailable']).toContain(settled.reason.code);
        }
      }
      expect(holders).toEqual([]);
      expect(decided.length).toBeLessThanOrEqual(1);
      const history = await table.desk.history('acc_1', id.slice(5));
      expect(history.audits).toHaveLength(decided.length);
      expect(history.reviewCase?.status).toBe(decided[0] ?? 'open');
      const comments = history.desk.filter(({ kind }) => kind === 'commented').length;
      expect(history.reviewCase?.comments ?? 0).toBe(comments);
    }),
    { numRuns: 150 },
  );
});
