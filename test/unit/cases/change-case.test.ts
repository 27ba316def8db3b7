import { changeCase } from '../../../shared/usecases/cases/change-case';
import { deskInMemory, nobody } from '../../support/desk-in-memory';

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
