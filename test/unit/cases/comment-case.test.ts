import { commentCase, MAX_COMMENTS } from '../../../shared/usecases/cases/comment-case';
import { resolveCase } from '../../../shared/usecases/cases/record-outcome';
import { deskInMemory, nobody, personal } from '../../support/desk-in-memory';

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
