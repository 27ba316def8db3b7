import fc from 'fast-check';
import { CASE_LIFE_MS, CLAIM_MS, claimAt } from '../../../shared/domain/cases/review-case';
import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { caseTimeline } from '../../../shared/usecases/cases/case-timeline';
import { claimCase, releaseCase } from '../../../shared/usecases/cases/claim-case';
import { commentCase, MAX_COMMENTS } from '../../../shared/usecases/cases/comment-case';
import { type FoldStepsDeps, foldSteps } from '../../../shared/usecases/cases/fold-steps';
import { resolveCase, reviewDecision } from '../../../shared/usecases/cases/record-outcome';
import { resolveCases } from '../../../shared/usecases/cases/resolve-cases';
import { recordOutsideOutcome } from '../../../shared/usecases/outcomes/record-outside-outcome';
import { interpose } from '../../support/memory/interpose';
import { sized } from '../../support/sized';
import { deskInMemory, nobody, personal } from '../../support/stores/desk-in-memory';

describe('claim case', () => {
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
      await expect(claimCase(deps, { ...ana, account_id: 'acc_2' }, id, {})).rejects.toMatchObject({
        code: 'not_found',
      });
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

  /** An action of somebody, at some time, in some order with the actions of the others. */
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
        // Every call of the table waits until the scheduler lets it through, in its own order.
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
      { numRuns: sized(150, 40) },
    );
  });
});

describe('comment case', () => {
  it('is by the person whose key it is, on a case in any state', async () => {
    const { deps, id, found } = await deskInMemory();
    const comment = await commentCase(deps, personal('ana.silva'), id, { text: 'Called: no answer.' });
    expect(comment).toMatchObject({ kind: 'commented', actor: 'ana.silva', proven: true, text: 'Called: no answer.' });
    await resolveCase(deps, nobody, id, { decision: 'allow' });
    expect(await commentCase(deps, nobody, id, { text: 'Fine.', analyst_id: 'bo' })).toMatchObject({
      actor: 'bo',
      proven: false,
    });
    expect(await found()).toMatchObject({ status: 'approved', comments: 2 });
  });

  it('of several at once: each is kept and counted', async () => {
    const { deps, id, found, table } = await deskInMemory();
    await Promise.all(['a', 'b', 'c'].map((text) => commentCase(deps, nobody, id, { text })));
    expect((await found())?.comments).toBe(3);
    const { desk } = await table.desk.history('acc_1', id.slice(5));
    expect(desk.map(({ text }) => text).sort()).toEqual(['a', 'b', 'c']);
  });

  it('is refused once the case has as many as it takes', async () => {
    const { deps, id } = await deskInMemory();
    for (let i = 0; i < MAX_COMMENTS; i++) await commentCase(deps, nobody, id, { text: `${i}` });
    await expect(commentCase(deps, nobody, id, { text: 'one more' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: 'text' }],
    });
  });

  it('of another account’s case, or of none, is not found', async () => {
    const { deps, id } = await deskInMemory();
    for (const [caller, at] of [
      [{ ...nobody, account_id: 'acc_2' }, id],
      [nobody, 'case_x'],
    ] as const) {
      await expect(commentCase(deps, caller, at, { text: 'x' })).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('case timeline', () => {
  const ana = personal('ana.silva');

  it('tells everything that happened, oldest first, with who did it and whether that is proven', async () => {
    const { deps, id, pass } = await deskInMemory();
    const step = async (act: Promise<unknown>): Promise<void> => {
      await act;
      pass(1_000);
    };
    await step(claimCase(deps, ana, id, {}));
    await step(commentCase(deps, ana, id, { text: 'Odd.' }));
    await step(releaseCase(deps, ana, id));
    await step(resolveCase(deps, nobody, id, { decision: 'allow', analyst_id: 'bo', notes: 'fine' }));
    const correction = { decision: 'block', analyst_id: 'ana.silva', reason_code: 'stolen_card' } as const;
    await step(reviewDecision(deps, ana, id.replace('case', 'dec'), correction));
    const entries = await caseTimeline(deps, nobody, id);
    expect(entries.map(({ kind, actor, proven }) => [kind, actor, proven])).toEqual([
      ['screened', null, undefined],
      ['case_opened', null, undefined],
      ['claimed', 'ana.silva', true],
      ['commented', 'ana.silva', true],
      ['released', 'ana.silva', true],
      ['resolved', 'bo', false],
      ['corrected', 'ana.silva', true],
    ]);
    expect(entries[0]).toMatchObject({ decision: 'review', risk_score: expect.any(Number) });
    expect(entries[3]).toMatchObject({ text: 'Odd.' });
    expect(entries[5]).toMatchObject({
      decision: 'allow',
      previous_decision: 'review',
      notes: 'fine',
      key_id: 'key_0',
    });
    expect(entries[6]).toMatchObject({ decision: 'block', previous_decision: 'allow', reason_code: 'stolen_card' });
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort());
  });

  it('shows a chargeback after an approval beside it, and which of the two counts', async () => {
    const { deps, table, id, pass } = await deskInMemory();
    const outside = { ...deps, pseudonyms: () => PUBLIC_PSEUDONYMS, outside: table.outsideOutcomes };
    const report = (type: 'chargeback' | 'dispute_won') =>
      recordOutsideOutcome({ ...outside, screenings: table.screenings }, nobody, {
        ...{ type, subject_id: id.replace('case', 'txn'), source_id: 'dp_1', reason_code: '10.4', network: 'visa' },
        ...{ amount: 12.5, currency: 'EUR', occurred_at: '2026-02-28T00:00:00Z' },
      });
    await resolveCase(deps, ana, id, { decision: 'allow', analyst_id: 'ana.silva' });
    pass(1_000);
    await report('chargeback');
    const [, , resolved, charged] = await caseTimeline(deps, ana, id);
    expect(resolved).toMatchObject({ kind: 'resolved', decision: 'allow', actor: 'ana.silva' });
    expect(charged).toMatchObject({
      ...{ kind: 'outcome', actor: null, outcome: 'chargeback', label: 'fraud', in_force: false, withdrawn: false },
      ...{
        reason_code: '10.4',
        network: 'visa',
        amount: 12.5,
        currency: 'EUR',
        occurred_at: '2026-02-28T00:00:00.000Z',
      },
    });
    pass(1_000);
    await reviewDecision(deps, ana, id.replace('case', 'dec'), { decision: 'block' });
    pass(1_000);
    await report('dispute_won');
    expect(
      (await caseTimeline(deps, ana, id)).map(({ kind, outcome, withdrawn }) => [outcome ?? kind, withdrawn]),
    ).toEqual([
      ['screened', undefined],
      ['case_opened', undefined],
      ['resolved', undefined],
      ['chargeback', true],
      ['corrected', undefined],
      ['dispute_won', false],
    ]);
  });

  it('says when a case expired, and that a review is a review', async () => {
    const { deps, id, pass } = await deskInMemory();
    pass(CASE_LIFE_MS);
    await reviewDecision(deps, ana, id.replace('case', 'dec'), { decision: 'allow' });
    expect((await caseTimeline(deps, ana, id)).map(({ kind }) => kind)).toEqual([
      'screened',
      'case_opened',
      'expired',
      'reviewed',
    ]);
  });

  it('is of no other account, and not of a case that is no longer kept', async () => {
    const { deps, id, pass } = await deskInMemory();
    const other = { ...nobody, account_id: 'acc_2' };
    await expect(caseTimeline(deps, other, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(caseTimeline(deps, nobody, 'case_x')).rejects.toMatchObject({ code: 'not_found' });
    pass(RETENTION_MS);
    await expect(caseTimeline(deps, nobody, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('fold steps', () => {
  interface Step {
    readonly pk: string;
    readonly sk: string;
  }

  function world(fails = false) {
    const folded: Step[][] = [];
    const problems: string[] = [];
    const deps: FoldStepsDeps<Step | 'other' | 'spoilt', Step> = {
      readStep: (raw) => {
        if (raw === 'spoilt') throw new Error('not a step');
        return raw === 'other' ? undefined : raw;
      },
      steps: {
        fold: async (steps) => {
          if (fails) throw new Error('busy');
          folded.push([...steps]);
        },
      },
      report: (problem) => problems.push(problem),
    };
    return { deps, folded, problems };
  }

  const step = (pk: string, sk: string): Step => ({ pk, sk });

  it('folds the steps of each partition together, in their order, and leaves other changes alone', async () => {
    const { deps, folded, problems } = world();
    const records = [step('a', '1'), 'other', step('b', '1'), step('a', '2')] as const;
    expect(await foldSteps(deps, records)).toBe(3);
    expect(folded).toEqual([[step('a', '1'), step('a', '2')], [step('b', '1')]]);
    expect(problems).toEqual([]);
  });

  it('reports a record that cannot be read, and folds the others', async () => {
    const { deps, folded, problems } = world();
    expect(await foldSteps(deps, ['spoilt', step('a', '1')])).toBe(1);
    expect([folded, problems]).toEqual([[[step('a', '1')]], ['a record of the stream cannot be read']]);
  });

  it('fails with the first fold that does, so that the stream hands the batch over again', async () => {
    await expect(foldSteps(world(true).deps, [step('a', '1')])).rejects.toThrow('busy');
  });
});
