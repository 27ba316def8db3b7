import { evaluate } from '../../../shared/domain/models/evaluation/evaluate';
import {
  type AccountInfluence,
  decidePromotion,
  isClearlyBetter,
  type PromotionEvidence,
} from '../../../shared/domain/models/promotion-rule';
import { comparedRows } from '../../support/traffic/compared-rows';

describe('an evaluation', () => {
  const rows = comparedRows({ champion: 0.5, challenger: 2 });
  const evaluation = evaluate(rows);

  it('accounts for every row, by its weight', () => {
    const total = rows.weights.reduce((sum, weight) => sum + weight, 0);
    const { table } = evaluation.flips;
    expect(table.reduce((sum, { fraud, legitimate }) => sum + fraud + legitimate, 0)).toBeCloseTo(total, 6);
    for (const { histogram, thresholds, calibration } of [evaluation.champion, evaluation.challenger]) {
      expect(histogram.reduce((sum, band) => sum + band.fraud + band.legitimate, 0)).toBeCloseTo(total, 6);
      expect(calibration.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(total, 6);
      const fraud = histogram.reduce((sum, band) => sum + band.fraud, 0);
      for (const { caught, missed } of thresholds) expect(caught + missed).toBeCloseTo(fraud, 6);
    }
  });

  it('puts money beside counts, and leaves out what has none', () => {
    const stake = rows.labels.reduce((sum, label, i) => {
      const amount = rows.amountsUsd[i] as number;
      return label === 1 && !Number.isNaN(amount) ? sum + amount * (rows.weights[i] as number) : sum;
    }, 0);
    for (const { caught_usd, missed_usd } of evaluation.challenger.thresholds) {
      expect(caught_usd + missed_usd).toBeCloseTo(stake, 4);
    }
  });

  it('counts a spree as one event: a model that misses one is not worse beyond chance', () => {
    // A fraud a day; one day has twelve more, which only the champion finds. It misses six of the others.
    const days = Uint32Array.from({ length: 1_200 }, (_, i) => Math.floor(i / 20));
    const isSpree = (i: number) => days[i] === 7 && i % 20 < 12;
    const labels = Uint8Array.from(days, (_, i) => Number(isSpree(i) || i % 20 === 13));
    const saidWith = (version: string, ofSpree: number, ofMissed: number) => ({
      version,
      probabilities: Float64Array.from(labels, (label, i) => {
        if (isSpree(i)) return ofSpree;
        return label === 1 ? ((days[i] as number) % 10 === 0 ? ofMissed : 0.9) : 0.1 + (i % 20) / 1_000;
      }),
      riskScores: new Uint8Array(labels.length),
    });
    const rowsOf = {
      ...{ ...comparedRows({ champion: 1, challenger: 1 }, 1_200), labels },
      ...{ accounts: new Uint32Array(1_200), weights: new Float64Array(1_200).fill(1) },
      ...{ champion: saidWith('a', 0.9, 0.05), challenger: saidWith('b', 0.05, 0.9) },
    };
    expect(evaluate(rowsOf).comparison.better_share).toBeLessThan(0.1);
    expect(evaluate({ ...rowsOf, days }).comparison.better_share).toBeGreaterThan(0.25);
  });

  it('is the same for the same rows', () => {
    expect(evaluate(rows)).toEqual(evaluation);
  });

  it('survives being written down', () => {
    expect(JSON.parse(JSON.stringify(evaluation))).toEqual(evaluation);
  });
});

const decided = (rows: ReturnType<typeof comparedRows>, anchor: PromotionEvidence['anchor'] = null) =>
  decidePromotion({ ...evaluate(rows), anchor });
const failed = (verdict: ReturnType<typeof decidePromotion>) =>
  verdict.checks.filter(({ passed }) => !passed).map(({ name }) => name);

describe('the rule of promotion', () => {
  it('lets the better one through', () => {
    expect(decided(comparedRows({ champion: 0.5, challenger: 2.5 }))).toMatchObject({ passed: true });
  });

  it('refuses one that is worse; a tie goes to the newer, which is not called better', () => {
    expect(decided(comparedRows({ champion: 2, challenger: 0.5 })).passed).toBe(false);
    const same = comparedRows({ champion: 1.5, challenger: 1.5 });
    const tied = { ...same, challenger: { ...same.champion, version: 'm-2' } };
    expect(failed(decided(tied))).toEqual([]);
    expect(isClearlyBetter(evaluate(tied))).toBe(false);
  });

  it('calls better what finds more fraud by more than chance; less is asked where less is left to gain', () => {
    const better = (before: number, after: number, better_share = 0.95) =>
      isClearlyBetter({
        champion: { auc: 0.9, average_precision: before },
        challenger: { auc: 0.9, average_precision: after },
        comparison: { better_share },
      });
    expect([better(0.6, 0.609), better(0.6, 0.611), better(0.6, 0.611, 0.89)]).toEqual([false, true, false]);
    expect([better(0.99, 0.9905), better(0.99, 0.9915)]).toEqual([false, true]);
  });

  const gain = (auc_gain: number) => ({ account_id: 'acc_1', auc_gain, allowed_loss: 0.05 });
  const moved = (found: Partial<AccountInfluence>): AccountInfluence => ({
    ...{ account_id: 'acc_1', other_id: 'acc_2', points_moved: 1, turned_to_block: 0 },
    accounts_moved: 0,
    ...{ is_accepted: false, ...found },
  });
  const good: PromotionEvidence = {
    rows: { fraud: 100, legitimate: 100, presumed: 0 },
    champion: { auc: 0.8, average_precision: 0.6 },
    challenger: { auc: 0.85, average_precision: 0.7 },
    harm: {
      ...{ expected: { champion: 90, challenger: 110 }, actual: 100, fraud_share: 0.002 },
      honest_stopped: { champion: 0.001, challenger: 0.01 },
    },
    comparison: { better_share: 0.99, worst_account: gain(-0.01), worst_without: gain(-0.01) },
    anchor: { champion_auc: 0.8, challenger_auc: 0.79, known: 100 },
  };
  const tied = { ...good.comparison, better_share: 0.5 };

  it.each<[string, Partial<PromotionEvidence>]>([
    ['enough labels', { rows: { fraud: 19, legitimate: 500, presumed: 0 } }],
    [
      'finds no less fraud per alert',
      {
        challenger: { ...good.challenger, average_precision: 0.53 },
        comparison: { ...good.comparison, better_share: 0.29 },
      },
    ],
    ['ranks no worse', { comparison: tied, challenger: { ...good.challenger, auc: 0.75 } }],
    ['ranks no worse', { champion: { ...good.champion, auc: 0.5 }, challenger: { ...good.challenger, auc: 0.59 } }],
    ['expects the fraud there is', { harm: { ...good.harm, expected: { champion: 90, challenger: 301 } } }],
    ['expects the fraud there is', { harm: { ...good.harm, expected: { champion: 90, challenger: 33 } } }],
    ['stops few honest people', { harm: { ...good.harm, honest_stopped: { champion: 0.001, challenger: 0.016 } } }],
    ["at no account's expense", { comparison: { ...good.comparison, worst_account: gain(-0.06) } }],
    ['not owed to one account', { comparison: { ...good.comparison, worst_without: gain(-0.06) } }],
    ['no account moves the others', { influence: [moved({ points_moved: 3.1 })] }],
    ['no account moves the others', { influence: [moved({}), moved({ turned_to_block: 0.011 })] }],
    ['no account contradicts the others', { influence: [moved({ agreement: 0.95 }), moved({ agreement: 0.59 })] }],
    ['serves whom the champion serves', { unserved: ['acc_3'] }],
    [
      'still knows what the champion learned',
      { comparison: tied, anchor: { champion_auc: 0.8, challenger_auc: 0.75, known: 100 } },
    ],
    ['still knows what the champion learned', { anchor: { champion_auc: 0.8, challenger_auc: 0.59, known: 100 } }],
    ['ranks no worse', { challenger: { ...good.challenger, auc: Number.NaN } }],
  ])('fails by one condition alone: %s', (name, change) => {
    expect(decidePromotion(good).passed).toBe(true);
    expect(failed(decidePromotion({ ...good, ...change }))).toEqual([name]);
  });

  it('refuses no model for what another seed would do: a tenth of the average precision', () => {
    const comparison = { ...good.comparison, better_share: 0 };
    const passes = (average_precision: number) =>
      decidePromotion({ ...good, comparison, challenger: { ...good.challenger, average_precision } }).passed;
    expect([passes(0.545), passes(0.535)]).toEqual([true, false]);
  });

  it('asks one that finds clearly more fraud per alert only for a ranking, and any other for what chance may cost', () => {
    const passes = (change: Partial<PromotionEvidence>) => decidePromotion({ ...good, ...change }).passed;
    const worse = { challenger: { ...good.challenger, auc: 0.65 } };
    const forgetful = (known: number) => ({ anchor: { champion_auc: 0.93, challenger_auc: 0.85, known } });
    expect([passes(worse), passes({ ...worse, comparison: tied })]).toEqual([true, false]);
    expect([passes(forgetful(500)), passes({ ...forgetful(500), comparison: tied })]).toEqual([true, false]);
    expect(passes({ ...forgetful(20), comparison: tied })).toBe(true);
  });

  it('asks for no more than the champion keeps, nor for less than there is fraud', () => {
    const passes = (harm: Partial<PromotionEvidence['harm']>) =>
      decidePromotion({ ...good, harm: { ...good.harm, ...harm } }).passed;
    // In a burst nobody's expectation is right.
    expect(passes({ expected: { champion: 20, challenger: 17 } })).toBe(true);
    expect(passes({ actual: 0 })).toBe(true);
    expect(passes({ honest_stopped: { champion: 0.02, challenger: 0.03 } })).toBe(true);
    expect(passes({ fraud_share: 0.1, honest_stopped: { champion: 0, challenger: 0.22 } })).toBe(true);
  });

  it('names the account that stopped a model', () => {
    const found = (evidence: PromotionEvidence) =>
      decidePromotion(evidence).checks.find(({ passed }) => !passed)?.found;
    const loss = { ...good.comparison, worst_account: gain(-0.2) };
    expect(found({ ...good, comparison: loss })).toBe('acc_1 -0.200');
    expect(found({ ...good, influence: [moved({ points_moved: 9.25 })] })).toBe(
      'acc_1 moves acc_2 by 9.3 points and 0.0% of its legitimate traffic into a block',
    );
  });

  it('lets an account move others once an operator has accepted it', () => {
    expect(decidePromotion({ ...good, influence: [moved({ points_moved: 9, is_accepted: true })] }).passed).toBe(true);
  });

  it('protects an account whose labels the challenger gets wrong while the average rises', () => {
    const rows = comparedRows({ champion: 1, challenger: 3 }, 800);
    const wrong = Float64Array.from(rows.challenger.probabilities, (p, i) => (rows.accounts[i] === 1 ? 1 - p : p));
    const verdict = decided({ ...rows, challenger: { ...rows.challenger, probabilities: wrong } });
    expect(failed(verdict)).toContain("at no account's expense");
  });
});
