import { CASE_LIFE_MS } from '../../../shared/domain/cases/review-case';
import { PUBLIC_PSEUDONYMS } from '../../../shared/domain/entities/pseudonyms';
import { RETENTION_MS } from '../../../shared/domain/screening/subjects/screening-record';
import { caseTimeline } from '../../../shared/usecases/cases/case-timeline';
import { claimCase, releaseCase } from '../../../shared/usecases/cases/claim-case';
import { commentCase } from '../../../shared/usecases/cases/comment-case';
import { resolveCase, reviewDecision } from '../../../shared/usecases/cases/record-outcome';
import { recordOutsideOutcome } from '../../../shared/usecases/outcomes/record-outside-outcome';
import { deskInMemory, nobody, personal } from '../../support/desk-in-memory';

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
  expect(entries[5]).toMatchObject({ decision: 'allow', previous_decision: 'review', notes: 'fine', key_id: 'key_0' });
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
    ...{ reason_code: '10.4', network: 'visa', amount: 12.5, currency: 'EUR', occurred_at: '2026-02-28T00:00:00.000Z' },
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
