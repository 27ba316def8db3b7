import {
  compareScores,
  rankCorrelation,
  renderAgreement,
  type ScoredEvent,
  scoreIn,
} from '../../../../training/afd/agreement';

const event = (line: number, theirs: number, ours: number, label?: 0 | 1): ScoredEvent => ({
  ...{ line, theirs, ours, label },
  decision: ours >= 999 ? 'review' : 'allow',
});

const EVENTS = [event(2, 950, 980, 1), event(3, 910, 100, 0), event(4, 10, 999, 1), event(5, 5, 20, 0)];

it('correlates ranks, with ties in the middle', () => {
  expect(rankCorrelation([1, 2, 3], [10, 200, 3000])).toBeCloseTo(1);
  expect(rankCorrelation([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1);
  expect(rankCorrelation([1, 1, 2, 2], [1, 2, 1, 2])).toBeCloseTo(0);
  expect(rankCorrelation([1, 1], [1, 2])).toBeUndefined();
});

it('finds who flips at thresholds that mean the same, and what both are worth', () => {
  const { auc, flips, fraud, legitimate } = compareScores(EVENTS);
  expect({ auc, fraud, legitimate }).toEqual({ auc: { theirs: 0.75, ours: 1 }, fraud: 2, legitimate: 2 });
  const at900 = flips.find(({ threshold }) => threshold === 900);
  expect(at900?.both).toBe(1);
  expect(at900?.added.map(({ line }) => line)).toEqual([4]);
  expect(at900?.dropped.map(({ line }) => line)).toEqual([3]);
  expect(compareScores([event(2, 1, 2)]).auc).toBeUndefined();
});

it('is a page without scripts that shows all of it', () => {
  const page = renderAgreement('<file>.csv', compareScores(EVENTS), EVENTS);
  expect(page).toContain('&lt;file&gt;.csv: 4 events');
  expect(page).toContain('Would be looked at now, and were not');
  expect(page).toContain('<td>999</td><td>review</td><td>fraud</td>');
  expect(page).not.toMatch(/<script|NaN|undefined/);
});

it("reads Amazon's score as exports write it", () => {
  expect([scoreIn('912.0'), scoreIn('{"my_model_insightscore": 87.5}'), scoreIn(' 3 ')]).toEqual([912, 87.5, 3]);
  expect([scoreIn(''), scoreIn(undefined), scoreIn('high'), scoreIn('4000')]).toEqual(Array(4).fill(undefined));
});
