import { SCREENING_STAND_INS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { decideScreening } from '../../../shared/usecases/screening/decide-screening';
import { EFFECTS, undoEffects, writeEffects } from '../../../shared/usecases/screening/effects';
import { readSources } from '../../../shared/usecases/screening/sources';
import { memoryTable } from '../../support/memory/memory-table';
import { payment, preparedOf } from '../../support/payment';

const lost = () => Promise.reject(new Error('throttled'));

/** An allowed payment before its second trip, and what is taken back of it. */
async function world() {
  const { entities } = memoryTable();
  const unearned: string[] = [];
  const deps = {
    ...SCREENING_STAND_INS,
    entities: {
      ...entities,
      unearn: async (_account: string, { kind }: { readonly kind: string }) => void unearned.push(kind),
    },
  };
  const prepared = preparedOf(payment());
  const screened = decideScreening(prepared, await readSources(deps, prepared));
  return { deps, screened, unearned };
}

it('fail the screening only if they must not be lost, which is the result alone', async () => {
  expect(EFFECTS.filter(({ mayBeLost }) => !mayBeLost).map(({ name }) => name)).toEqual(['result']);
  const { deps, screened } = await world();
  const without = await writeEffects({ ...deps, entities: { ...deps.entities, earn: lost } }, screened);
  expect([without.error, without.done.map(({ name }) => name).includes('familiarity')]).toEqual([undefined, false]);
  const { error } = await writeEffects({ ...deps, screenings: { ...deps.screenings, insert: lost } }, screened);
  expect(error).toMatchObject({ message: 'throttled' });
});

it('that throw count as failed, and the others are written', async () => {
  const { deps, screened } = await world();
  const insert = (): never => {
    throw new Error('cannot be stored');
  };
  const { error, done } = await writeEffects({ ...deps, screenings: { ...deps.screenings, insert } }, screened);
  expect(error).toMatchObject({ message: 'cannot be stored' });
  expect(done).toHaveLength(EFFECTS.length - 1);
});

it('are taken back if they were written, and only then', async () => {
  const { deps, screened, unearned } = await world();
  await undoEffects(deps, screened, await writeEffects(deps, screened));
  expect(unearned).toEqual(['user']);
  const failing = { ...deps, entities: { ...deps.entities, earn: lost } };
  await undoEffects(failing, screened, await writeEffects(failing, screened));
  expect(unearned).toHaveLength(1);
});
