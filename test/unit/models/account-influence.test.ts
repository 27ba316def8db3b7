import { importLightgbm } from '../../../shared/domain/models/import-lightgbm';
import type { ModelArtefact } from '../../../shared/domain/models/model-artefact';
import { accountScope } from '../../../shared/domain/models/scoring-model';
import { FEATURE_NAMES, featureSlot } from '../../../shared/domain/screening/features';
import { packVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import {
  accountInfluence,
  accountsToHold,
  accountsToLeaveOut,
  NEWCOMER,
} from '../../../shared/usecases/models/account-influence';
import type { LabelledRow } from '../../../shared/usecases/models/labelled-rows';
import { writeLightgbm } from '../../../training/engine/lightgbm/write-lightgbm';
import { train } from '../../../training/engine/trainer/train';

/** A model that finds amounts above a limit suspicious. */
function modelAbove(dollars: number): ModelArtefact {
  const values = Float32Array.from({ length: 200 }, (_, i) => Math.log(dollars) + (i - 99.5) / 10);
  const labels = Uint8Array.from(values, (value) => Number(value > Math.log(dollars)));
  const settings = { num_iterations: 40, num_leaves: 2, learning_rate: 0.5 };
  const text = writeLightgbm(train({ featureNames: ['amount_ln_usd'], values, labels }, { settings }));
  return importLightgbm(text, { calibration: { slope: 1, intercept: 0, role: 'replace' } });
}

function rowsOf(account: number, dollars: number, count = 100): LabelledRow[] {
  return Array.from({ length: count }, (_, i) => {
    const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
    vector[featureSlot('is_transaction')] = 1;
    vector[featureSlot('amount_ln_usd')] = Math.log(dollars);
    const label = i % 2 === 0 ? 1 : 0;
    const owner = { account, account_id: `acc_${account}`, subject_id: `txn_${account}_${i}` };
    return { ...owner, vector: packVector(vector), label, screened_at_ms: i, labeled_at_ms: i };
  });
}

const [strict, lenient] = [modelAbove(50), modelAbove(5_000)];
const weightOf = (rows: readonly LabelledRow[], id: string) =>
  rows.filter(({ account_id }) => account_id === id).reduce((sum, { weight = 1 }) => sum + weight, 0);

describe('what an account does to the others', () => {
  const rows = [0, 1, 2].flatMap((account) => rowsOf(account, 100));
  /** Account 2 is why 100 dollars are suspicious: without it, they are not. */
  const influence = accountInfluence({
    ...{ rows, probes: rows, challenger: strict, base: undefined, reviews: [] },
    trainOn: (left) => (weightOf(left, 'acc_2') === 0 ? lenient : strict),
  });

  it('is measured by leaving it out', () => {
    expect(influence.map(({ account_id }) => account_id)[0]).toBe('acc_2');
    const [worst, ...others] = influence;
    expect(worst).toMatchObject({ accounts_moved: 3, turned_to_block: 1 });
    expect(worst?.points_moved).toBeGreaterThan(50);
    expect(others.map(({ points_moved }) => points_moved)).toEqual([0, 0]);
  });

  it('says whose labels are to be held', () => {
    expect(
      accountsToHold(influence, undefined, new Set(['acc_0', 'acc_1', 'acc_2'])).map(({ account_id }) => account_id),
    ).toEqual(['acc_2']);
  });

  it('is measured for accounts that have taught nothing too, if the model serves them', () => {
    // Ten rows of an account say nothing about it; those of two, as a newcomer would have them, do.
    const probes = [0, 1].flatMap((account) => rowsOf(account, 100, 10));
    const input = { rows, probes, base: undefined, reviews: [], trainOn: () => lenient };
    expect(accountInfluence({ ...input, challenger: strict })).toMatchObject([
      { account_id: 'acc_2', other_id: NEWCOMER, accounts_moved: 1 },
    ]);
    const served = { ...strict, audience: [0, 1, 2].map((account) => accountScope(`acc_${account}`)) };
    expect(accountInfluence({ ...input, challenger: served })).toEqual([]);
  });

  it('is nothing to an account that the model does not serve, and nothing where one teaches alone', () => {
    const served = { ...strict, audience: [accountScope('acc_2')] };
    const input = { rows, probes: rows, base: undefined, reviews: [], trainOn: () => lenient };
    expect(accountInfluence({ ...input, challenger: served })).toMatchObject([
      { account_id: expect.stringMatching('acc_[01]'), other_id: 'acc_2' },
      { account_id: expect.stringMatching('acc_[01]'), other_id: 'acc_2' },
      { account_id: 'acc_2', points_moved: 0 },
    ]);
    expect(accountInfluence({ ...input, challenger: strict, rows: rowsOf(0, 100) })).toEqual([]);
  });
});

describe('an account whose labels the others do not explain', () => {
  /** Fraud is above 50 dollars, except at account 3, which labels at random: by amounts it says nothing. */
  const told = [0, 1, 2, 3].flatMap((account) =>
    [20, 5_000].flatMap((dollars) =>
      rowsOf(account, dollars).map((row, i) => ({
        ...row,
        label: (account === 3 ? i % 2 : Number(dollars > 50)) as 0 | 1,
      })),
    ),
  );
  const input = { rows: told, probes: told, challenger: strict, base: undefined, trainOn: () => strict };
  const teaching = new Set(['acc_0', 'acc_1', 'acc_2', 'acc_3']);

  it('is held, although it moves nobody', () => {
    const influence = accountInfluence({ ...input, reviews: [] });
    expect(Object.fromEntries(influence.map(({ account_id, agreement }) => [account_id, agreement]))).toEqual({
      ...{ acc_0: 1, acc_1: 1, acc_2: 1 },
      acc_3: 0.5,
    });
    expect(influence.map(({ points_moved }) => points_moved)).toEqual([0, 0, 0, 0]);
    expect(accountsToHold(influence, undefined, teaching).map(({ account_id }) => account_id)).toEqual(['acc_3']);
  });

  it('is not held where the labels of most accounts are like that: then none stands out', () => {
    const guessed = told.map((row, i) => ({ ...row, label: (i % 2) as 0 | 1 }));
    const influence = accountInfluence({ ...input, rows: guessed, reviews: [] });
    expect(influence.map(({ agreement }) => agreement)).toEqual([null, null, null, null]);
    expect(accountsToHold(influence, undefined, teaching)).toEqual([]);
  });

  it('is examined below its limit too, since an attacker chooses how much to label', () => {
    // Of six accounts, the smallest has an eighth of the weight; a fifth is the limit.
    const six = [0, 1, 2, 4, 5].flatMap((account) =>
      told.filter((row) => row.account === 0).map((row) => ({ ...row, account, account_id: `acc_${account}` })),
    );
    const small = told.filter((row) => row.account === 3).filter((_, i) => i % 10 < 7);
    const influence = accountInfluence({ ...input, rows: [...six, ...small], reviews: [] });
    expect(influence.find(({ account_id }) => account_id === 'acc_3')?.agreement).toBeCloseTo(0.5, 1);
  });
});

describe('an account that the others explain worse than usual', () => {
  const explained = (account_id: string, agreement: number | null, is_accepted = false) => ({
    ...{ account_id, agreement, is_accepted },
    ...{ other_id: 'acc_0', points_moved: 1, turned_to_block: 0, accounts_moved: 0 },
  });
  const usual = [0.95, 0.97, 0.99].map((agreement, i) => explained(`acc_${i}`, agreement));
  const leftOut = (...asked: Parameters<typeof accountsToLeaveOut>) =>
    accountsToLeaveOut(...asked).map(({ account_id }) => account_id);

  it('does not teach a first model, unless an operator has accepted its labels', () => {
    expect(leftOut([...usual, explained('acc_3', 0.82)])).toEqual(['acc_3']);
    expect(leftOut([...usual, explained('acc_3', 0.82, true)])).toEqual([]);
  });

  it('is not one that is a little worse, nor one of several that are all explained badly, nor one that was not compared', () => {
    expect(leftOut([...usual, explained('acc_3', 0.88)])).toEqual([]);
    expect(leftOut([0.66, 0.7, 0.72, 0.95].map((agreement, i) => explained(`acc_${i}`, agreement)))).toEqual([]);
    expect(leftOut([explained('acc_0', null), explained('acc_1', null)])).toEqual([]);
  });
});

describe('of two that move each other', () => {
  const moved = (account_id: string, other_id: string) => ({
    ...{ account_id, other_id, points_moved: 9, turned_to_block: 0, accounts_moved: 1, is_accepted: false },
  });
  const [first, second] = [moved('acc_0', 'acc_1'), moved('acc_1', 'acc_0')];
  const teaching = new Set(['acc_0', 'acc_1']);
  const champion = { ...strict, audience: [accountScope('acc_0')] };
  const held = (...asked: Parameters<typeof accountsToHold>) =>
    accountsToHold(...asked).map(({ account_id }) => account_id);

  it('the one is held that did not teach the champion, even if only the other moves it', () => {
    expect(held([first, second], champion, teaching)).toEqual(['acc_1']);
    expect(held([first], champion, teaching)).toEqual(['acc_1']);
  });

  it('both are held if nobody can say which is wrong, and neither once it was accepted', () => {
    expect(held([first, second], undefined, teaching)).toEqual(['acc_0', 'acc_1']);
    const accepted = [first, second].map((one) => ({ ...one, is_accepted: true }));
    expect(held(accepted, champion, teaching)).toEqual([]);
  });
});
