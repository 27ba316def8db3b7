import { forestScorer } from '../../../../shared/domain/models/forest';
import { parseLightgbm } from '../../../../shared/domain/models/parse-lightgbm';
import { pathAttributor } from '../../../../shared/domain/models/path-attribution';
import { writeLightgbm } from '../../../../training/engine/lightgbm/write-lightgbm';
import { train } from '../../../../training/engine/trainer/train';
import type { TrainedTree } from '../../../../training/engine/trainer/trained-tree';
import { goldenVectors, modelText } from '../../models/golden';
import { makeRows, vectorsOf, WIDTH } from './make-rows';
import { trainOurs } from './ours';

/** A tree walked by values, from what the trainer has in memory. */
function leafValue(tree: TrainedTree, vector: Float32Array): number {
  let node = tree.features.length === 0 ? -1 : 0;
  while (node >= 0) {
    const value = vector[tree.features[node]!]!;
    const isLeft = Number.isNaN(value) ? tree.isDefaultLeft[node] === 1 : value <= tree.thresholds[node]!;
    node = (isLeft ? tree.left : tree.right)[node]!;
  }
  return tree.leafValues[~node]!;
}

describe('a model we write', () => {
  it('is scored by LightGBM and by us alike, to the last bit', () => {
    const score = forestScorer(parseLightgbm(modelText('ours')));
    const golden = goldenVectors('ours');
    expect(golden.length).toBeGreaterThan(60);
    for (const { vector, raw } of golden) expect(score(vector)).toBe(raw);
  });

  it('is still what the trainer makes of the same rows', () => {
    const committed = forestScorer(parseLightgbm(modelText('ours')));
    const anew = forestScorer(parseLightgbm(writeLightgbm(trainOurs())));
    for (const { vector } of goldenVectors('ours')) {
      expect(Math.abs(anew(vector) - committed(vector))).toBeLessThan(1e-9);
    }
  });

  it('comes back from its text as it was in memory', () => {
    const rows = makeRows(800, 21);
    const model = train(rows, { settings: { num_iterations: 25 } });
    const score = forestScorer(parseLightgbm(writeLightgbm(model)));
    const vectors = [...vectorsOf(rows), new Float32Array(WIDTH).fill(Number.NaN)];
    for (const vector of vectors) {
      const sum = model.trees.reduce((total, tree) => total + leafValue(tree, vector), 0);
      expect(Math.abs(score(vector) - sum)).toBeLessThan(1e-12);
    }
  });

  it('is explained around the mean score of its training rows', () => {
    const rows = makeRows(800, 21);
    const forest = parseLightgbm(writeLightgbm(train(rows, { settings: { num_iterations: 25 } })));
    const scores = vectorsOf(rows).map(forestScorer(forest));
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    expect(pathAttributor(forest)(new Float32Array(WIDTH)).bias).toBeCloseTo(mean, 5);
  });

  it('has the sizes of its trees, by which LightGBM cuts the text', () => {
    const text = writeLightgbm(train(makeRows(300, 1), { settings: { num_iterations: 4 } }));
    const sizes =
      text
        .match(/^tree_sizes=(.*)$/m)?.[1]
        ?.split(' ')
        .map(Number) ?? [];
    let at = text.indexOf('Tree=0');
    sizes.forEach((size, i) => {
      expect(text.slice(at, at + size)).toMatch(new RegExp(`^Tree=${i}\\n`));
      at += size;
    });
    expect(text.slice(at)).toMatch(/^end of trees\n/);
  });
});
