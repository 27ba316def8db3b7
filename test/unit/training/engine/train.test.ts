import fc from 'fast-check';
import { logLoss } from '../../../../shared/domain/models/evaluation/calibration';
import { auc } from '../../../../shared/domain/models/evaluation/ranking-curve';
import { writeLightgbm } from '../../../../training/engine/lightgbm/write-lightgbm';
import { train } from '../../../../training/engine/trainer/train';
import type { TrainSettings } from '../../../../training/engine/trainer/train-settings';
import type { TrainingData } from '../../../../training/engine/trainer/training-data';
import { makeRows, scoresOf, WIDTH } from './make-rows';

const data = makeRows(3000, 1);
const later = makeRows(2000, 2);
const chances = (scores: readonly number[]) => scores.map((score) => 1 / (1 + Math.exp(-score)));

describe('train', () => {
  it('learns what there is to learn, and is calibrated', () => {
    const scores = scoresOf(train(data, { settings: { num_iterations: 60, num_leaves: 8 } }), later);
    // Scores of the very rule that made the labels reach .83.
    expect(auc(scores, later.labels)).toBeGreaterThan(0.8);
    const mean = chances(scores).reduce((sum, chance) => sum + chance, 0) / scores.length;
    const share = later.labels.reduce((sum, label) => sum + label, 0) / scores.length;
    expect(Math.abs(mean - share)).toBeLessThan(0.03);
  });

  it('lowers the loss on its own rows with every tree', () => {
    const losses = [1, 5, 20, 60].map((num_iterations) =>
      logLoss(chances(scoresOf(train(data, { settings: { num_iterations } }), data)), data.labels),
    );
    expect(losses).toEqual([...losses].sort((a, b) => b - a));
  });

  it('says the same for the same seed and something else for another', () => {
    const settings = { num_iterations: 12, feature_fraction: 0.7, bagging_fraction: 0.6, bagging_freq: 2 };
    const text = (seed: number) => writeLightgbm(train(data, { settings: { ...settings, seed } }));
    expect(text(5)).toBe(text(5));
    expect(text(6)).not.toBe(text(5));
  });

  it('keeps to its limits: leaves, depth, rows and hessian a leaf', () => {
    const limits = { num_leaves: 10, max_depth: 3, min_data_in_leaf: 150, min_sum_hessian_in_leaf: 12 };
    const { trees } = train(data, { settings: { ...limits, num_iterations: 20 } });
    for (const tree of trees) {
      expect(tree.leafValues.length).toBeLessThanOrEqual(8);
      expect(Math.min(...tree.leafCounts)).toBeGreaterThanOrEqual(150);
      expect(Math.min(...tree.leafWeights)).toBeGreaterThanOrEqual(12);
      expect(tree.leafCounts.reduce((sum, count) => sum + count, 0)).toBe(3000);
    }
  });

  describe('rows by hessian', () => {
    /** One in fifty is a one, and three in four of those have a sign that one in two hundred of the others has. */
    const rare = ({ each = 1 } = {}): TrainingData => {
      const rows = makeRows(4000, 5);
      const labels = rows.labels.map((_, row) => (row % 50 === 7 ? 1 : 0));
      labels.forEach((label, row) => {
        const hasSign = label === 1 ? row % 4 > 0 : row % 200 === 3;
        rows.values[row * WIDTH + 1] = hasSign ? 40 + (row % 9) : row % 9;
      });
      return { ...rows, labels, weights: Float64Array.from(labels, (label) => (label === 1 ? 1 : each)) };
    };
    const settings = { num_iterations: 30, num_leaves: 6, min_data_in_leaf: 40, min_sum_hessian_in_leaf: 0.1 };
    const grown = (data: TrainingData) => train(data, { settings: { ...settings, rows_by_hessian: true } }).trees;

    it('a leaf has the share of its parent that so many rows have on average', () => {
      let fewest = Number.POSITIVE_INFINITY;
      for (const { left, right, nodeWeights, nodeCounts, leafWeights, leafCounts } of grown(rare())) {
        fewest = Math.min(fewest, ...leafCounts);
        nodeWeights.forEach((weight, node) => {
          for (const child of [left[node], right[node]] as number[]) {
            const own = child < 0 ? leafWeights[~child] : nodeWeights[child];
            expect(own).toBeGreaterThanOrEqual((40 * weight) / (nodeCounts[node] as number) - 1e-9);
          }
        });
      }
      expect(fewest).toBeLessThan(40);
    });

    it('where a row stands for many, so many rows are needed all the same', () => {
      for (const { leafCounts } of grown(rare({ each: 16 }))) {
        expect(Math.min(...leafCounts)).toBeGreaterThanOrEqual(40 * (1 - 1 / 15.7));
      }
    });
  });

  it('takes a weight for as many rows of the kind', () => {
    // No more values than bins: bounds are found by rows, not by weights.
    const few = makeRows(240, 3);
    const weights = Float64Array.from(few.labels, (_, row) => 1 + (row % 3));
    const repeated = [...few.labels.keys()].flatMap((row) => new Array<number>(1 + (row % 3)).fill(row));
    const spelledOut: TrainingData = {
      featureNames: few.featureNames,
      values: Float32Array.from(repeated.flatMap((row) => [...few.values.subarray(row * WIDTH, (row + 1) * WIDTH)])),
      labels: Uint8Array.from(repeated, (row) => few.labels[row] as number),
    };
    const settings = { num_iterations: 10, num_leaves: 6, min_data_in_leaf: 0, min_sum_hessian_in_leaf: 2 };
    const one = scoresOf(train({ ...few, weights }, { settings }), later);
    const other = scoresOf(train(spelledOut, { settings }), later);
    expect(Math.max(...one.map((score, i) => Math.abs(score - (other[i] as number))))).toBeLessThan(1e-9);
  });

  it('scale_pos_weight lifts the scores by its log-odds, and keeps the ranking', () => {
    const settings = { num_iterations: 40, num_leaves: 8 };
    const plain = scoresOf(train(data, { settings }), later);
    const scaled = scoresOf(train(data, { settings: { ...settings, scale_pos_weight: 10 } }), later);
    const lift = scaled.reduce((sum, score, i) => sum + score - (plain[i] as number), 0) / plain.length;
    expect(Math.abs(lift - Math.log(10))).toBeLessThan(0.4);
    expect(Math.abs(auc(scaled, later.labels) - auc(plain, later.labels))).toBeLessThan(0.02);
  });

  it('L2 holds values back', () => {
    const size = (settings: Partial<TrainSettings>) =>
      Math.max(
        ...(train(data, { settings: { ...settings, num_iterations: 3 } }).trees.at(-1)?.leafValues ?? []).map(Math.abs),
      );
    expect(size({ lambda_l2: 100 })).toBeLessThan(size({}));
  });
});

describe('missing values', () => {
  it('teach where they mean something: age is worse than any age when it is missing', () => {
    const model = train(data, { settings: { num_iterations: 40 } });
    const vector = (age: number) => [10, 0, age, 0.5, 7, Number.NaN];
    const probe = {
      ...data,
      values: Float32Array.from([...vector(Number.NaN), ...vector(1), ...vector(9)]),
      labels: new Uint8Array(3),
    };
    const [missing, young, old] = scoresOf(model, probe) as [number, number, number];
    expect(missing).toBeGreaterThan(young);
    expect(young).toBeGreaterThan(old);
  });

  it('that training never saw go with most rows, finite scores always', () => {
    const model = train(data, { settings: { num_iterations: 10 } });
    const hollow = { ...data, values: new Float32Array(WIDTH).fill(Number.NaN), labels: new Uint8Array(1) };
    expect(Number.isFinite(scoresOf(model, hollow)[0])).toBe(true);
  });

  it('a column that is only sometimes there splits on being there', () => {
    const rows = 400;
    const values = Float32Array.from({ length: rows }, (_, i) => (i % 4 === 0 ? Number.NaN : 3));
    const labels = Uint8Array.from({ length: rows }, (_, i) => (i % 4 === 0 ? 1 : 0));
    const sparse = { featureNames: ['only'], values, labels };
    expect(auc(scoresOf(train(sparse, { settings: { num_iterations: 3 } }), sparse), labels)).toBe(1);
  });

  it('infinities are values: what the trainer and what the scorer do with them agree', () => {
    const values = Float32Array.from(
      { length: 600 },
      (_, i) => [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 1][i % 4] as number,
    );
    const labels = Uint8Array.from({ length: 600 }, (_, i) => (i % 4 === 0 || (i % 4 === 2 && i % 3 > 0) ? 1 : 0));
    const extreme = { featureNames: ['x'], values, labels };
    const { holdoutHistory, ...model } = train(extreme, { settings: { num_iterations: 5 }, holdout: extreme });
    // The history is scored by bins, the model by its text.
    expect(auc(scoresOf({ ...model, holdoutHistory }, extreme), labels)).toBe(holdoutHistory.at(-1));
  });
});

describe('monotone constraints', () => {
  const constrained = [1, 0, -1, 0, 0, 0];

  it('hold for any two vectors that differ in the one feature, missing being the least, whatever the labels say', () => {
    const number = fc.float({ noNaN: true, noDefaultInfinity: true, min: -5, max: 25 });
    fc.assert(
      fc.property(
        fc.integer(),
        fc.boolean(),
        fc.array(fc.tuple(number, number, fc.constantFrom(0, 2), number), { minLength: 60, maxLength: 60 }),
        (seed, isRandom, pairs) => {
          const rows = makeRows(400, seed);
          // Labels that say the opposite, or nothing at all.
          const labels = rows.labels.map((label, row) => (isRandom ? ((row * 7919) % 13 < 4 ? 1 : 0) : 1 - label));
          const settings = { num_iterations: 8, min_data_in_leaf: 5, monotone_constraints: constrained };
          const model = train({ ...rows, labels }, { settings });
          const base = pairs.flatMap(([x, y, feature, other]) => {
            const row = [other, x > 10 ? 3 : 0, other, x / 30, 7, y > 20 ? 1 : Number.NaN];
            const lower = y < 0 ? Number.NaN : Math.min(x, y);
            return [...row.with(feature, lower), ...row.with(feature, Math.max(x, y))];
          });
          const probe = { ...rows, values: Float32Array.from(base), labels: new Uint8Array(2 * pairs.length) };
          const scores = scoresOf(model, probe);
          pairs.forEach(([, , feature], i) => {
            const step = (scores[2 * i + 1] as number) - (scores[2 * i] as number);
            expect(step * (constrained[feature] as number)).toBeGreaterThanOrEqual(0);
          });
        },
      ),
      { numRuns: 20 },
    );
  });

  it('cost nothing where the data agree with them', () => {
    const settings = { num_iterations: 40, num_leaves: 8 };
    const free = auc(scoresOf(train(data, { settings }), later), later.labels);
    const bound = train(data, { settings: { ...settings, monotone_constraints: [1, 1, 0, 0, 0, 0] } });
    expect(auc(scoresOf(bound, later), later.labels)).toBeGreaterThan(free - 0.01);
  });
});

describe('early stopping', () => {
  it.each(['auc', 'binary_logloss'] as const)('keeps the trees up to the best %s on the holdout', (metric) => {
    const settings = { num_iterations: 300, learning_rate: 0.3, early_stopping_round: 8, metric };
    const { trees, holdoutHistory } = train(makeRows(600, 4), { settings, holdout: later });
    const best = metric === 'auc' ? Math.max(...holdoutHistory) : Math.min(...holdoutHistory);
    expect(holdoutHistory.length).toBeLessThan(300);
    expect(holdoutHistory.indexOf(best) + 1).toBe(trees.length);
    expect(holdoutHistory).toHaveLength(trees.length + 8);
  });

  it('keeps the least number of trees, whatever the holdout says', () => {
    const settings = { num_iterations: 90, learning_rate: 0.3, early_stopping_round: 8 };
    const usual = train(makeRows(600, 4), { settings, holdout: later }).trees.length;
    expect(usual).toBeLessThan(60);
    expect(train(makeRows(600, 4), { settings, holdout: later, leastTrees: 60 }).trees).toHaveLength(60);
  });

  it('sees what the written model says', () => {
    const model = train(data, {
      settings: { num_iterations: 15, bagging_fraction: 0.5, bagging_freq: 1 },
      holdout: later,
    });
    expect(auc(scoresOf(model, later), later.labels)).toBe(model.holdoutHistory.at(-1));
  });

  it('takes an empty holdout for none, and refuses one of other features', () => {
    const settings = { num_iterations: 7, early_stopping_round: 2 };
    const empty = { ...later, values: new Float32Array(0), labels: new Uint8Array(0) };
    expect(train(data, { settings, holdout: empty }).trees).toHaveLength(7);
    const renamed = { ...later, featureNames: [...later.featureNames].reverse() };
    expect(() => train(data, { holdout: renamed })).toThrow('the holdout has other features');
  });

  it('is decided by most accounts, not by the one that labels most', () => {
    const [honest, turned] = [makeRows(300, 9), makeRows(600, 10)];
    const both: TrainingData = {
      featureNames: honest.featureNames,
      values: Float32Array.from([...honest.values, ...turned.values]),
      labels: Uint8Array.from([...honest.labels, ...turned.labels.map((label) => 1 - label)]),
    };
    const owners = Array.from(both.labels, (_, row) => (row < honest.labels.length ? `acc_${row % 5}` : 'acc_turned'));
    const settings = { num_iterations: 100, early_stopping_round: 8, metric: 'binary_logloss' } as const;
    const treesBy = (holdout: TrainingData) => train(data, { settings, holdout }).trees.length;
    const usual = treesBy(honest);
    expect(usual).toBeGreaterThan(10);
    expect(treesBy(both)).toBeLessThan(usual / 4);
    expect(treesBy({ ...both, owners })).toBeGreaterThan(usual / 2);
    // Of two, none is in the majority.
    const two = owners.map((owner) => (owner === 'acc_turned' ? owner : 'acc_0'));
    expect(treesBy({ ...both, owners: two })).toBe(treesBy(both));
  });

  it('ends when the caller says so', () => {
    expect(train(data, { onTree: (trees) => trees < 4 }).trees).toHaveLength(4);
  });
});

describe('data with little in it', () => {
  const one = (values: number[], labels: number[]): TrainingData => ({
    featureNames: ['x'],
    values: Float32Array.from(values),
    labels: Uint8Array.from(labels),
  });

  it.each([
    ['no rows', one([], [])],
    ['one row', one([1], [1])],
    ['two rows', one([1, 2], [0, 1])],
    [
      'all zero',
      one(
        new Array(200).fill(0).map((_, i) => i),
        new Array(200).fill(0),
      ),
    ],
    [
      'all one',
      one(
        new Array(200).fill(0).map((_, i) => i),
        new Array(200).fill(1),
      ),
    ],
    ['constant', one(new Array(200).fill(3), [...new Array(199).fill(0), 1])],
    ['nothing known', one(new Array(200).fill(Number.NaN), [...new Array(199).fill(0), 1])],
    ['no weight', { ...one([1, 2, 3, 4], [0, 1, 0, 1]), weights: new Float64Array(4) }],
  ])('%s: a model with a finite score', (_, little) => {
    for (const settings of [
      {},
      { min_data_in_leaf: 0, min_sum_hessian_in_leaf: 0, bagging_fraction: 0.5, bagging_freq: 1 },
    ]) {
      const model = train(little, { settings, holdout: little });
      const [score] = scoresOf(model, one([Number.NaN], [0]));
      expect(Number.isFinite(score)).toBe(true);
    }
  });

  it('one class: as sure as the number of rows allows', () => {
    const all = train(one(new Array(200).fill(1), new Array(200).fill(0)));
    expect(scoresOf(all, one([1], [0]))[0]).toBeCloseTo(Math.log(0.0025 / 0.9975), 9);
  });
});

describe('train refuses', () => {
  it.each([
    ['a wrong number of values', { ...data, values: data.values.subarray(1) }, {}, 'are not 3000 rows of 6 features'],
    ['labels other than 0 and 1', { ...data, labels: data.labels.map(() => 2) }, {}, 'labels must be 0 or 1'],
    ['negative weights', { ...data, weights: new Float64Array(3000).fill(-1) }, {}, 'weights must be'],
    ['names with spaces', { ...data, featureNames: ['a b', 'c', 'd', 'e', 'f', 'g'] }, {}, 'is not allowed'],
    ['too many bins', data, { max_bin: 256 }, 'max_bin must be a whole number from 2 to 255, not 256'],
    ['constraints for other features', data, { monotone_constraints: [1] }, 'monotone_constraints must be'],
  ])('%s', (_, rows, settings, message) => {
    expect(() => train(rows, { settings })).toThrow(message);
  });
});
