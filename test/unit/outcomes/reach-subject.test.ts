import { reachSubject } from '../../../shared/usecases/outcomes/reach-subject';
import { BORN_MS, caller, DAY_MS, world } from './outcomes-world';

it('keeps a subject for as long as its account keeps labels, and at least as long as its result', async () => {
  for (const [label_window_days, days] of [
    [undefined, 180],
    [550, 550],
    [30, 90],
  ] as const) {
    const { deps, record } = await world([]);
    const owner = { ...caller, settings: { ...caller.settings, ...(label_window_days ? { label_window_days } : {}) } };
    const subject = await reachSubject(deps, owner, record.ulid, BORN_MS + 1);
    expect(subject).toMatchObject({ kept_until_ms: BORN_MS + days * DAY_MS });
    expect(await reachSubject(deps, owner, record.ulid, BORN_MS + days * DAY_MS)).toBeUndefined();
  }
});

it('says that a subject has changed when somebody else kept it in between', async () => {
  const { deps, record, table } = await world([]);
  const rival = { ...table.outsideOutcomes, kept: async () => undefined };
  expect(await reachSubject(deps, caller, record.ulid, BORN_MS + 1)).toMatchObject({ version: 0 });
  expect(await reachSubject({ ...deps, outside: rival }, caller, record.ulid, BORN_MS + 1)).toBe('changed');
});

it('finds nothing after 90 days if nothing was kept', async () => {
  const { deps, record } = await world([]);
  expect(await reachSubject(deps, caller, record.ulid, BORN_MS + 90 * DAY_MS)).toBeUndefined();
});
