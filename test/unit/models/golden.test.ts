import { forestScorer, probability } from '../../../shared/domain/models/forest';
import { decodeForest, encodeForest } from '../../../shared/domain/models/forest-blob';
import { parseLightgbm } from '../../../shared/domain/models/parse-lightgbm';
import { pathAttributor } from '../../../shared/domain/models/path-attribution';
import { GOLDEN_MODELS, goldenVectors, modelText } from './golden';

describe.each(GOLDEN_MODELS)('%s, as LightGBM trained it', (name) => {
  const forest = parseLightgbm(modelText(name));
  const golden = goldenVectors(name);

  it('scores as LightGBM does, to the last bit', () => {
    const score = forestScorer(forest);
    for (const { vector, raw, probability: chance } of golden) {
      expect(score(vector)).toBe(raw);
      expect(Math.abs(probability(forest, score(vector)) - chance)).toBeLessThan(1e-12);
    }
  });

  it('scores the same from its blob, wherever the blob lies in memory', () => {
    const blob = encodeForest(forest);
    for (const offset of [0, 1, 4, 8]) {
      const bytes = new Uint8Array(blob.length + offset);
      bytes.set(blob, offset);
      const decoded = decodeForest(bytes.subarray(offset));
      expect(decoded).toEqual(forest);
      const score = forestScorer(decoded);
      expect(golden.map(({ vector }) => score(vector))).toEqual(golden.map(({ raw }) => raw));
    }
  });

  it('attributes every score to features without a rest', () => {
    const attribute = pathAttributor(forest);
    for (const { vector, raw } of golden) {
      const { bias, contributions } = attribute(vector);
      const sum = contributions.reduce((total, part) => total + part, bias);
      expect(Math.abs(sum - raw)).toBeLessThan(1e-9);
    }
  });
});
