import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { PUBLIC_PSEUDONYMS } from '../../../shared/domain/entities/pseudonyms';
import { ClaimTaken } from '../../../shared/domain/idempotency';
import { referenceNames } from '../../../shared/domain/outcomes/outcome-names';
import type { StoredOutcome } from '../../../shared/domain/outcomes/outside-outcome';
import { reviewDecision } from '../../../shared/usecases/cases/record-outcome';
import { addReferences } from '../../../shared/usecases/outcomes/add-references';
import { sweepHeldOutcomes } from '../../../shared/usecases/outcomes/apply-held-outcomes';
import type { OutsideOutcomesDeps } from '../../../shared/usecases/outcomes/outside-outcomes-port';
import { type ArrivingOutcome, recordOutsideOutcome } from '../../../shared/usecases/outcomes/record-outside-outcome';
import { screened } from '../../support/changes';
import { failing, failingAt, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';

const BORN_MS = Date.UTC(2026, 2, 1);
const DAY_MS = 86_400_000;
const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };
const names = (...references: string[]) => referenceNames(PUBLIC_PSEUDONYMS, 'acc_1', references);
const CHARGEBACK = { type: 'chargeback', source_id: 'dp_1', occurred_at: '2026-03-02T00:00:00Z' } as const;

/** A payment that was allowed, screened with the reference `pi_1` unless told otherwise. */
async function world(references: readonly string[] = names('pi_1')) {
  const table = memoryTable();
  let nowMs = BORN_MS + 60_000;
  let ulids = 0;
  const kept_until_ms = BORN_MS + 180 * DAY_MS;
  const record = screened(BORN_MS, {
    automated_decision: 'allow',
    entities: ['user#1', 'device#1'],
    ...(references.length > 0 ? { references, kept_until_ms } : {}),
  });
  await table.screenings.insert('acc_1', record);
  const deps: OutsideOutcomesDeps = {
    clock: { now: () => nowMs },
    newUlid: () => `OUTCOME${String(++ulids).padStart(19, '0')}`,
    pseudonyms: () => PUBLIC_PSEUDONYMS,
    outside: table.outsideOutcomes,
    screenings: table.screenings,
  };
  return {
    ...{ table, deps, record, id: `txn_${record.ulid}` },
    pass: (ms: number): void => {
      nowMs += ms;
    },
    report: (more: Partial<ArrivingOutcome> = {}, over = deps) =>
      recordOutsideOutcome(over, caller, { ...CHARGEBACK, references: ['pi_1'], ...more }),
    review: (decision: 'allow' | 'block') =>
      reviewDecision({ clock: deps.clock, outcomes: table.outcomes }, caller, `dec_${record.ulid}`, { decision }),
    link: (...added: string[]) => addReferences(deps, caller, `txn_${record.ulid}`, { references: added }),
    sweep: () =>
      sweepHeldOutcomes(
        { ...deps, shards: [0, 1], held: table.outsideOutcomes, report: () => undefined },
        nowMs + 1_000,
      ),
    labels: async () =>
      (await table.labels.storedInMonth('acc_1', '2026-03')).map(({ label, source }) => `${label} by ${source}`),
    counted: async (kind: 'user' | 'device' = 'user') =>
      (await table.entities.profile('acc_1', kind, `${kind}#1`, nowMs))?.labels,
  };
}

const NONE = { fraud: 0, legitimate: 0 };
const FRAUD = { fraud: 1, legitimate: 0 };
const LEGITIMATE = { fraud: 0, legitimate: 1 };

describe('an outcome', () => {
  it('by reference labels its subject on all entities and for training', async () => {
    const { report, labels, counted, id } = await world();
    expect(await report()).toMatchObject({ subject_id: id, label: 'fraud', label_in_force: 'fraud' });
    expect([await counted('user'), await counted('device')]).toEqual([FRAUD, FRAUD]);
    expect(await labels()).toEqual(['fraud by chargeback']);
  });

  it('by the ID of subject or decision keeps the subject from then on', async () => {
    const { report, counted, id, record, table } = await world([]);
    expect(table.screenings.get('acc_1', record.ulid)?.kept_until_ms).toBeUndefined();
    await report({ subject_id: id, references: undefined });
    expect(table.screenings.get('acc_1', record.ulid)?.kept_until_ms).toBe(BORN_MS + 180 * DAY_MS);
    const warned = { type: 'early_fraud_warning', source_id: 'w', subject_id: `dec_${record.ulid}` } as const;
    expect(await report({ ...warned, references: undefined })).toMatchObject({ subject_id: id, label: 'fraud' });
    expect(await counted()).toEqual(FRAUD);
  });

  it('of an unknown subject, another type of subject or another account is a 404', async () => {
    const { report, record, deps, id } = await world();
    for (const subject_id of [`txn_${'0'.repeat(26)}`, `evt_${record.ulid}`, 'nonsense']) {
      await expect(report({ subject_id, references: undefined })).rejects.toMatchObject({ code: 'not_found' });
    }
    const other = { ...caller, account_id: 'acc_2' };
    await expect(recordOutsideOutcome(deps, other, { ...CHARGEBACK, subject_id: id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('again from the same source has the same answer and no second effect', async () => {
    const { report, counted, labels } = await world();
    const first = await report();
    expect(await report()).toEqual(first);
    expect(await report({ references: ['something else'], occurred_at: '2026-03-09T00:00:00Z' })).toEqual(first);
    expect(await counted()).toEqual(FRAUD);
    expect(await labels()).toHaveLength(1);
  });

  it('twenty times at once has one effect', async () => {
    const { report, counted, labels, table, record } = await world();
    const answers = await Promise.all(Array.from({ length: 20 }, () => report()));
    expect(new Set(answers.map(({ ulid }) => ulid)).size).toBe(1);
    expect([await counted(), await labels()]).toEqual([FRAUD, ['fraud by chargeback']]);
    expect(Object.keys((await table.outsideOutcomes.kept('acc_1', record.ulid))?.statements ?? {})).toHaveLength(1);
  });

  it('has one effect if the first request died between any two of its calls, carried out or not', async () => {
    for (const moment of ['before', 'after'] as const) {
      for (let at = 0; ; at++) {
        const { report, counted, labels, deps, id } = await world([]);
        const { deps: dying, calls } = failingAt(deps, ['outside', 'screenings'], at, moment);
        const byId = { subject_id: id, references: undefined };
        await report(byId, dying).catch(() => undefined);
        await report(byId);
        expect([await counted(), await labels()]).toEqual([FRAUD, ['fraud by chargeback']]);
        if (calls.length <= at) break;
        expect(at).toBeLessThan(20);
      }
    }
  });

  it('works after the result is gone, until the label window ends', async () => {
    const { report, pass, counted, table, record } = await world();
    pass(100 * DAY_MS);
    // What the table has deleted by then.
    table.screenings.remove('acc_1', record.ulid);
    await report();
    expect(await counted('device')).toEqual(FRAUD);
    pass(80 * DAY_MS);
    const late = await report({ source_id: 'dp_2' });
    expect([late.subject_id, late.held_until_ms]).toEqual([null, expect.any(Number)]);
    const byId = { source_id: 'dp_3', subject_id: `txn_${record.ulid}`, references: undefined };
    await expect(report(byId)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('commits with the record of its answer, or not at all', async () => {
    const { report, counted, table } = await world();
    const recordOf = ({ ulid }: StoredOutcome) => ({ scope: 's', body_hash: 'h', status: 200, body: ulid });
    await table.answers.record('acc_1', { scope: 's', body_hash: 'h', status: 200, body: 'first' }, BORN_MS);
    await expect(report({ recordOf })).rejects.toBeInstanceOf(ClaimTaken);
    expect(await counted()).toBeUndefined();
  });
});

describe('precedence', () => {
  it('a chargeback does not replace an approval, and both are kept', async () => {
    const { report, review, counted, labels, table, record } = await world();
    await review('allow');
    expect(await report()).toMatchObject({ label: 'fraud', label_in_force: 'legitimate' });
    expect([await counted('user'), await counted('device')]).toEqual([LEGITIMATE, LEGITIMATE]);
    expect(await labels()).toEqual(['legitimate by decision_review']);
    const kept = await table.outsideOutcomes.kept('acc_1', record.ulid);
    expect(Object.values(kept?.statements ?? {})).toEqual([expect.objectContaining({ type: 'chargeback' })]);
  });

  it('a review replaces a chargeback, in the counters and for training', async () => {
    const { report, review, counted, labels } = await world();
    await report();
    await review('allow');
    expect([await counted('user'), await counted('device')]).toEqual([LEGITIMATE, LEGITIMATE]);
    expect(await labels()).toEqual(['legitimate by decision_review']);
    await review('block');
    expect([await counted(), await labels()]).toEqual([FRAUD, ['fraud by decision_review']]);
  });

  it('a won dispute takes everything back, whichever comes first', async () => {
    const { report, counted, labels } = await world();
    await report();
    const won = await report({ type: 'dispute_won' });
    expect(won).toMatchObject({ label: 'none', label_in_force: null });
    expect([await counted('user'), await counted('device'), await labels()]).toEqual([NONE, NONE, []]);
    await report({ type: 'dispute_won', source_id: 'dp_2' });
    expect(await report({ source_id: 'dp_2' })).toMatchObject({ label: 'fraud', label_in_force: null });
    expect([await counted(), await labels()]).toEqual([NONE, []]);
  });

  it('what was sampled is presumed legitimate again when a dispute is won', async () => {
    const { report, labels, table, record } = await world();
    await table.labels.keep('acc_1', record);
    await report();
    expect(await labels()).toEqual(['fraud by chargeback']);
    await report({ type: 'dispute_won' });
    expect(await labels()).toEqual(['legitimate by sample']);
  });
});

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

it('references belong to the transaction that named them last', async () => {
  const { report, table, id } = await world();
  const retried = screened(BORN_MS + 1, { references: names('pi_1'), kept_until_ms: BORN_MS + 180 * DAY_MS });
  await table.screenings.insert('acc_1', retried);
  expect((await report()).subject_id).toBe(`txn_${retried.ulid}`);
  expect(id).not.toBe(`txn_${retried.ulid}`);
});

it('refuses references for what is not a transaction of the account', async () => {
  const { deps, record } = await world();
  for (const id of [`txn_${'0'.repeat(26)}`, `evt_${record.ulid}`]) {
    await expect(addReferences(deps, caller, id, { references: ['x'] })).rejects.toMatchObject({ code: 'not_found' });
  }
});
