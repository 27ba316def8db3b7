import { ClaimTaken } from '../../../shared/domain/idempotency';
import type { StoredOutcome } from '../../../shared/domain/outcomes/outside-outcome';
import { recordOutsideOutcome } from '../../../shared/usecases/outcomes/record-outside-outcome';
import { screened } from '../../support/changes';
import { failingAt } from '../../support/memory/interpose';
import { BORN_MS, CHARGEBACK, caller, DAY_MS, FRAUD, LEGITIMATE, NONE, names, world } from './outcomes-world';

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

  it('has one effect by reference, too, wherever the first request died', async () => {
    for (const moment of ['before', 'after'] as const) {
      for (const at of [0, 1, 2]) {
        const { report, counted, labels, deps } = await world();
        const { deps: dying } = failingAt(deps, ['outside', 'screenings'], at, moment);
        await expect(report({}, dying)).rejects.toMatchObject({ code: 'unavailable' });
        await report();
        expect([await counted(), await labels()]).toEqual([FRAUD, ['fraud by chargeback']]);
      }
    }
  });

  it('that is the first of its payment takes two reads and one write', async () => {
    const { report, deps } = await world();
    const { deps: counting, calls } = failingAt(deps, ['outside', 'screenings'], -1, 'before');
    await report({}, counting);
    expect(calls).toEqual(['outside.reference', 'outside.kept', 'outside.apply']);
  });

  it('that waited and comes again is applied as it arrived first', async () => {
    const { report, table, labels, pass } = await world([]);
    const held = await report();
    expect(held.subject_id).toBeNull();
    pass(1_000);
    const paid = screened(BORN_MS + 1, { references: names('pi_1'), kept_until_ms: BORN_MS + 180 * DAY_MS });
    await table.screenings.insert('acc_1', paid);
    const { ulid, recorded_at_ms } = held;
    expect(await report()).toMatchObject({ ulid, recorded_at_ms, subject_id: `txn_${paid.ulid}` });
    const kept = await table.outsideOutcomes.kept('acc_1', paid.ulid);
    expect([Object.keys(kept?.statements ?? {}), await labels()]).toEqual([[ulid], ['fraud by chargeback']]);
  });

  it('that its source said of another payment already has no effect on a second', async () => {
    const { report, table, labels } = await world();
    const first = await report();
    const other = screened(BORN_MS + 1, { references: names('pi_2'), kept_until_ms: BORN_MS + 180 * DAY_MS });
    await table.screenings.insert('acc_1', other);
    expect(await report({ references: ['pi_2'] })).toEqual(first);
    expect((await table.outsideOutcomes.kept('acc_1', other.ulid))?.statements).toEqual({});
    expect(await labels()).toEqual(['fraud by chargeback']);
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

it('references belong to the transaction that named them last', async () => {
  const { report, table, id } = await world();
  const retried = screened(BORN_MS + 1, { references: names('pi_1'), kept_until_ms: BORN_MS + 180 * DAY_MS });
  await table.screenings.insert('acc_1', retried);
  expect((await report()).subject_id).toBe(`txn_${retried.ulid}`);
  expect(id).not.toBe(`txn_${retried.ulid}`);
});
