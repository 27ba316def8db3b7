import fc from 'fast-check';
import { ClaimTaken } from '../../../shared/domain/idempotency';
import { moveOn, outcomeOnSubject, reviewOnSubject } from '../../../shared/domain/outcomes/kept-change';
import { type KeptSubject, keptSubject } from '../../../shared/domain/outcomes/kept-subject';
import { labelOfOutcome, OUTCOME_TYPES, type StoredOutcome } from '../../../shared/domain/outcomes/outside-outcome';
import { independentReports } from '../../../shared/domain/outcomes/processors/independent-reports';
import type { ReportedOutcome } from '../../../shared/domain/outcomes/processors/notification';
import { ReferencesTaken } from '../../../shared/domain/screening/subjects/screening-record';
import { addReferences } from '../../../shared/usecases/outcomes/add-references';
import { sweepHeldOutcomes } from '../../../shared/usecases/outcomes/apply-held-outcomes';
import { reachSubject } from '../../../shared/usecases/outcomes/reach-subject';
import { recordOutsideOutcome } from '../../../shared/usecases/outcomes/record-outside-outcome';
import { failing, failingAt, interpose } from '../../support/memory/interpose';
import { screened } from '../../support/webhooks/changes';
import { BORN_MS, CHARGEBACK, caller, DAY_MS, FRAUD, LEGITIMATE, NONE, names, world } from './outcomes-world';

describe('add references', () => {
  it('refuses references for what is not a transaction of the account', async () => {
    const { deps, record } = await world();
    for (const id of [`txn_${'0'.repeat(26)}`, `evt_${record.ulid}`]) {
      await expect(addReferences(deps, caller, id, { references: ['x'] })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('adds references after the result is gone, to what is kept of it', async () => {
    const { link, pass, report, counted, table, record } = await world();
    pass(100 * DAY_MS);
    table.screenings.remove('acc_1', record.ulid);
    await link('ch_1');
    await report({ references: ['ch_1'] });
    expect(await counted()).toEqual(FRAUD);
    expect(table.screenings.get('acc_1', record.ulid)).toBeUndefined();
    expect(record.screened_at_ms).toBe(BORN_MS);
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

describe('independent reports', () => {
  const report = (source_id: string, ...references: string[]): ReportedOutcome => ({
    ...{ type: 'chargeback', source_id, references, occurred_at: '2026-03-02T00:00:00Z' },
  });
  const grouped = (...reports: ReportedOutcome[]) =>
    independentReports(reports).map((group) => group.map(({ source_id, references }) => `${source_id} ${references}`));

  it('reports of different payments are independent', () => {
    expect(grouped(report('d1', 'p1'), report('d2', 'p2'))).toEqual([['d1 p1'], ['d2 p2']]);
    expect(grouped()).toEqual([]);
  });

  it('reports that share a dispute or a reference stay together, in their order', () => {
    expect(grouped(report('d1', 'p1'), report('d2', 'p2'), report('d1', 'p3'))).toEqual([
      ['d2 p2'],
      ['d1 p1', 'd1 p3'],
    ]);
    const linking = [report('d1', 'p1'), report('d2', 'p2'), report('d3', 'p2', 'p1'), report('d4', 'p4')];
    expect(grouped(...linking)).toEqual([['d1 p1', 'd2 p2', 'd3 p2,p1'], ['d4 p4']]);
  });
});

describe('kept change', () => {
  const BORN_MS = Date.UTC(2026, 2, 1);
  const subject = (): KeptSubject => keptSubject(screened(BORN_MS), BORN_MS + 1e10);

  const outcome = (type: StoredOutcome['type'], ulid: string, more: Partial<StoredOutcome> = {}): StoredOutcome => {
    const stated = { type, occurred_at: '2026-03-02T00:00:00Z', ...more };
    const label = labelOfOutcome(stated);
    const stored = { source: 's', key_id: 'k', recorded_at_ms: BORN_MS + 1, subject_id: null, label_in_force: null };
    return { ...stored, ...stated, ulid, label };
  };

  const inForce = (kept: KeptSubject) => kept.in_force && [kept.in_force.label, kept.in_force.source];
  const after = (kept: KeptSubject, said: StoredOutcome, siblings: string[] = []) =>
    outcomeOnSubject(kept, said, siblings, BORN_MS + 5).after;

  it('a stronger source replaces a weaker one, and never the other way round', () => {
    const reported = after(subject(), outcome('user_report', 'a'));
    const charged = after(reported, outcome('chargeback', 'b'));
    const warned = after(charged, outcome('early_fraud_warning', 'c'));
    expect([reported, charged, warned].map(inForce)).toEqual([
      ['fraud', 'user_report'],
      ['fraud', 'chargeback'],
      ['fraud', 'chargeback'],
    ]);
    const approved = reviewOnSubject(warned, { label: 'legitimate', known_at_ms: BORN_MS + 9 });
    expect(inForce(after(approved, outcome('chargeback', 'd')))).toEqual(['legitimate', 'review']);
    expect(inForce(after(reported, outcome('challenge_passed', 'e')))).toEqual(['fraud', 'user_report']);
  });

  it('moves counters only if the label changes, and the label keeps the time since which it counts', () => {
    const reported = outcomeOnSubject(subject(), outcome('user_report', 'a'), [], BORN_MS + 5);
    expect(reported.move).toMatchObject({ from: null, to: { label: 'fraud', known_at_ms: BORN_MS + 5 } });
    const charged = outcomeOnSubject(reported.after, outcome('chargeback', 'b'), [], BORN_MS + 9);
    expect(charged.move).toBeUndefined();
    expect(charged.after.in_force).toEqual({ label: 'fraud', source: 'chargeback', known_at_ms: BORN_MS + 5 });
    expect([charged.after.label_changes, charged.after.version]).toEqual([1, 2]);
  });

  it('a chargeback that is not about fraud labels nothing', () => {
    const { after: kept, move } = outcomeOnSubject(
      subject(),
      outcome('chargeback', 'a', { reason_code: '13.1' }),
      [],
      9,
    );
    expect([inForce(kept), move]).toEqual([null, undefined]);
    expect(kept.statements.a).toMatchObject({ type: 'chargeback', label: 'none', reason_code: '13.1' });
  });

  it('a won dispute withdraws what its dispute said, and nothing else', () => {
    const charged = after(after(subject(), outcome('user_report', 'r')), outcome('chargeback', 'a'));
    const won = outcomeOnSubject(charged, outcome('dispute_won', 'w'), ['a'], BORN_MS + 9);
    expect(inForce(won.after)).toEqual(['fraud', 'user_report']);
    const alone = outcomeOnSubject(
      after(subject(), outcome('chargeback', 'a')),
      outcome('dispute_won', 'w'),
      ['a'],
      99,
    );
    expect(alone.after.in_force).toBeNull();
    expect(alone.move).toMatchObject({ from: { label: 'fraud' }, to: null, at_ms: 99 });
    const approved = reviewOnSubject(charged, { label: 'legitimate', known_at_ms: 1 });
    expect(inForce(after(approved, outcome('dispute_won', 'w'), ['a']))).toEqual(['legitimate', 'review']);
  });

  it('the label does not depend on the order in which outcomes arrive', () => {
    // Two disputes with everything that each of them may say.
    const all = ['x', 'y'].flatMap((source) =>
      OUTCOME_TYPES.map((type) => outcome(type, `${source}-${type}`, { source })),
    );
    const play = (order: readonly StoredOutcome[]): KeptSubject =>
      order.reduce((kept, said) => {
        const siblings = all.filter((each) => each.source === said.source && each !== said).map(({ ulid }) => ulid);
        return after(kept, said, siblings);
      }, subject());
    fc.assert(
      fc.property(fc.subarray(all), fc.func(fc.integer()), (some, weight) => {
        const shuffled = [...some].sort((a, b) => weight(a.ulid) - weight(b.ulid));
        expect(play(shuffled).in_force?.label).toBe(play(some).in_force?.label);
      }),
      { numRuns: 200 },
    );
  });

  it('whoever passes a challenge vouches for the user, and for no device or card', () => {
    const passed = outcomeOnSubject(subject(), outcome('challenge_passed', 'a'), [], 9);
    const move = passed.move;
    if (!move) throw new Error('nothing moved');
    expect(moveOn(move, 'user#1')).toMatchObject({ label: { label: 'legitimate' }, previousLabel: undefined });
    expect(moveOn(move, 'device#1')).toBeUndefined();
    const charged = outcomeOnSubject(passed.after, outcome('chargeback', 'b'), [], 10).move;
    if (!charged) throw new Error('nothing moved');
    expect(moveOn(charged, 'user#1')).toMatchObject({
      label: { label: 'fraud' },
      previousLabel: { label: 'legitimate' },
    });
    expect(moveOn(charged, 'device#1')).toMatchObject({ label: { label: 'fraud' }, previousLabel: undefined });
  });
});

describe('reach subject', () => {
  it('keeps a subject for as long as its account keeps labels, and at least as long as its result', async () => {
    for (const [label_window_days, days] of [
      [undefined, 180],
      [550, 550],
      [30, 90],
    ] as const) {
      const { deps, record } = await world([]);
      const owner = {
        ...caller,
        settings: { ...caller.settings, ...(label_window_days ? { label_window_days } : {}) },
      };
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
});

describe('record outside outcome', () => {
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
      // The table has deleted these by then.
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

  describe('references belong to the first user who names them', () => {
    const named = (user: string, atMs: number) =>
      screened(atMs, { entities: [user], references: names('pi_1'), kept_until_ms: BORN_MS + 180 * DAY_MS });

    it("and to that user's last payment: an order is paid at the second try", async () => {
      const { report, table } = await world();
      const retried = named('user#1', BORN_MS + 1);
      await table.screenings.insert('acc_1', retried);
      expect((await report()).subject_id).toBe(`txn_${retried.ulid}`);
    });

    it('whether another user is screened with them or is given them later', async () => {
      const { deps, report, table, id } = await world();
      await expect(table.screenings.insert('acc_1', named('user#2', BORN_MS + 1))).rejects.toThrow(ReferencesTaken);
      const other = screened(BORN_MS + 2, { entities: ['user#2'] });
      await table.screenings.insert('acc_1', other);
      const added: string[][] = [];
      const recordOf = (some: readonly string[]) => {
        added.push([...some]);
        return { scope: 's', body_hash: 'h', status: 200, body: JSON.stringify(some) };
      };
      const sent = { references: ['pi_1', 'order 2'], recordOf };
      expect(await addReferences(deps, caller, `txn_${other.ulid}`, sent)).toEqual(['order 2']);
      expect(added).toEqual([['pi_1', 'order 2'], ['order 2']]);
      expect(await table.answers.find('acc_1', 's', BORN_MS)).toMatchObject({ body: '["order 2"]' });
      expect((await report()).subject_id).toBe(id);
      expect(await report({ source_id: 'dp_2', references: ['order 2'] })).toMatchObject({
        subject_id: `txn_${other.ulid}`,
      });
    });
  });
});
