import { addReferences } from '../../../shared/usecases/outcomes/add-references';
import { sweepHeldOutcomes } from '../../../shared/usecases/outcomes/apply-held-outcomes';
import { screened } from '../../support/changes';
import { failing, interpose } from '../../support/memory/interpose';
import { BORN_MS, caller, DAY_MS, FRAUD, names, world } from './outcomes-world';

describe('a reference that is unknown', () => {
  it('holds the outcome; adding the reference applies it', async () => {
    const { report, link, counted, id } = await world([]);
    const held = await report();
    expect(held).toMatchObject({ subject_id: null, label: 'fraud', label_in_force: null });
    expect(await report()).toEqual(held);
    await link('order-1', 'pi_1');
    expect(await counted()).toEqual(FRAUD);
    expect(await report()).toMatchObject({ ulid: held.ulid, subject_id: id, label_in_force: 'fraud' });
  });

  it('is applied by the sweep if a screening brings it, once, whichever of its references that is', async () => {
    const { report, table, sweep, counted, pass } = await world();
    await report({ references: ['pi_2', 'ch_2'] });
    expect((await sweep()).applied).toBe(0);
    const second = screened(BORN_MS + 90_000, {
      ...{ entities: ['user#1', 'device#1'], references: names('ch_2'), kept_until_ms: BORN_MS + 180 * DAY_MS },
    });
    await table.screenings.insert('acc_1', second);
    pass(40_000);
    expect(await sweep()).toEqual({ applied: 1, isUnfinished: false });
    expect(await counted()).toEqual(FRAUD);
    await table.screenings.insert('acc_1', {
      ...screened(BORN_MS + 95_000, { references: names('pi_2') }),
      kept_until_ms: 9e15,
    });
    expect((await sweep()).applied).toBe(0);
    expect(await counted()).toEqual(FRAUD);
  });

  it('that comes within seven days is in time even if the sweep is late; one that comes later is not', async () => {
    for (const [afterDays, expected] of [
      [6.9, 1],
      [7, 0],
    ] as const) {
      const { report, table, sweep, pass } = await world([]);
      await report();
      pass(afterDays * DAY_MS);
      const atMs = BORN_MS + 60_000 + afterDays * DAY_MS;
      const late = screened(atMs, { references: names('pi_1'), kept_until_ms: atMs + 180 * DAY_MS });
      await table.screenings.insert('acc_1', late);
      pass(DAY_MS);
      expect((await sweep()).applied).toBe(expected);
      expect(await table.outsideOutcomes.due(0, atMs + 9 * DAY_MS)).toEqual([]);
    }
  });

  it('the sweep reports what fails and tries it again', async () => {
    const { report, deps, table, record, counted } = await world([]);
    await report();
    const around = failing((call) => (call === 'apply' ? 'before' : undefined));
    const dying = { ...deps, outside: interpose(deps.outside, around) };
    await expect(addReferences(dying, caller, `txn_${record.ulid}`, { references: ['pi_1'] })).rejects.toThrow();
    const problems: string[] = [];
    const sweeping = { shards: [0], held: table.outsideOutcomes, report: (said: string) => void problems.push(said) };
    expect(await sweepHeldOutcomes({ ...dying, ...sweeping }, 9e15)).toEqual({ applied: 0, isUnfinished: true });
    expect(problems).toHaveLength(1);
    expect(await sweepHeldOutcomes({ ...deps, ...sweeping }, 9e15)).toEqual({ applied: 1, isUnfinished: false });
    expect(await counted()).toEqual(FRAUD);
  });
});
