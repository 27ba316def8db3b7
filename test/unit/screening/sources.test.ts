import { NO_RULES } from '../../../shared/domain/rules/rule-set';
import { SCREENING_STAND_INS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { missingOf, readSources, SOURCES } from '../../../shared/usecases/screening/sources';
import { memoryTable } from '../../support/memory/memory-table';
import { payment, preparedOf } from '../../support/payment';

const prepared = preparedOf(payment());
const lost = () => Promise.reject(new Error('throttled'));
const deps = { ...SCREENING_STAND_INS, entities: memoryTable().entities };

it('are all asked before any has answered', () => {
  const asked: string[] = [];
  const never = (name: string) => () => {
    asked.push(name);
    return new Promise<never>(() => undefined);
  };
  const claim = { scope: 'POST /v1/transactions/screen key', body_hash: 'hash' };
  void readSources(
    {
      claims: { ...deps.claims, claim: never('claim') },
      entities: { ...deps.entities, recordAttempt: never('histories') },
      networks: { read: never('networks') },
      lists: { ...deps.lists, current: never('lists') },
      rules: { current: never('rules') },
      models: { current: never('models') },
    },
    { ...prepared, request: { ...prepared.request, claim } },
  );
  expect([...new Set(asked)]).toEqual(SOURCES.map(({ name }) => name));
});

it('are missing by name if they reject or throw, and all others are there', async () => {
  const throwing = () => {
    throw new Error('never read');
  };
  const { recordAttempt } = deps.entities;
  const readings = await readSources(
    {
      ...deps,
      entities: {
        ...deps.entities,
        recordAttempt: (account, ref, attempt) =>
          ref.kind === 'device' ? lost() : recordAttempt(account, ref, attempt),
      },
      networks: { read: lost },
      lists: { ...deps.lists, current: lost },
      rules: { current: throwing },
      models: { current: throwing },
    },
    prepared,
  );
  expect(missingOf(readings)).toEqual(['device', 'network', 'lists', 'rules', 'models']);
  expect(readings.histories.recorded.map(({ ref }) => ref.kind)).toEqual(['user', 'ip', 'attribute']);
  expect([readings.rules.rules, readings.lists.matches([])]).toEqual([NO_RULES, []]);
  expect(missingOf(await readSources(deps, prepared))).toEqual([]);
});
