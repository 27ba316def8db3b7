import { unavailable } from '../../../shared/domain/errors';
import { claimCase } from '../../../shared/usecases/cases/claim-case';
import { resolveCase } from '../../../shared/usecases/cases/record-outcome';
import { LIMIT_MS, resolveCases } from '../../../shared/usecases/cases/resolve-cases';
import { deskInMemory, nobody, personal } from '../../support/desk-in-memory';

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
