/** Scored rows as columns. */
export interface RankedRows {
  /** Higher means more like fraud; never NaN. */
  readonly scores: ArrayLike<number>;
  readonly labels: Uint8Array;
  /** A row may stand for several. @default each row counts once */
  readonly weights?: Float64Array | undefined;
}

/** A point of a curve; both coordinates run from 0 to 1. */
export type Point = readonly [x: number, y: number];

/**
 * How a ranking finds fraud as its threshold falls. Step i includes all rows whose score is at least `thresholds[i]`:
 * `hits[i]` is the weight of the fraud among them, `alarms[i]` that of the rest. Tied rows enter together.
 */
export interface RankingCurve {
  readonly thresholds: Float64Array;
  readonly hits: Float64Array;
  readonly alarms: Float64Array;
  readonly fraud: number;
  readonly legitimate: number;
}

/** Indices from the highest score to the lowest. */
export function rankRows(scores: ArrayLike<number>): Uint32Array {
  const order = Uint32Array.from({ length: scores.length }, (_, i) => i);
  return order.sort((a, b) => (scores[b] as number) - (scores[a] as number));
}

/** Walks down the ranking once; `order` is `rankRows(scores)`, passed in if many weightings share it. */
export function rankingCurve({ scores, labels, weights }: RankedRows, order?: Uint32Array): RankingCurve {
  if (scores.length !== labels.length) throw new Error(`${scores.length} scores for ${labels.length} labels`);
  return weights ? weightedCurve(scores, labels, weights, order ?? rankRows(scores)) : plainCurve(scores, labels);
}

function weightedCurve(
  scores: ArrayLike<number>,
  labels: Uint8Array,
  weights: Float64Array,
  order: Uint32Array,
): RankingCurve {
  const thresholds: number[] = [];
  const hits: number[] = [];
  const alarms: number[] = [];
  let hit = 0;
  let alarm = 0;
  for (let at = 0; at < order.length; at++) {
    const row = order[at] as number;
    if (labels[row] === 1) hit += weights[row] as number;
    else alarm += weights[row] as number;
    const score = scores[row] as number;
    if (at + 1 < order.length && scores[order[at + 1] as number] === score) continue;
    thresholds.push(score);
    hits.push(hit);
    alarms.push(alarm);
  }
  return curveOf(thresholds, hits, alarms);
}

const curveOf = (thresholds: number[], hits: number[], alarms: number[]): RankingCurve => ({
  thresholds: Float64Array.from(thresholds),
  hits: Float64Array.from(hits),
  alarms: Float64Array.from(alarms),
  // The last step includes them all.
  fraud: hits.at(-1) ?? 0,
  legitimate: alarms.at(-1) ?? 0,
});

/**
 * If every row counts as one, the two classes are sorted separately, which typed arrays do natively: 9 ms for 100,000
 * scores, where sorting indices with a comparator takes 70.
 */
function plainCurve(scores: ArrayLike<number>, labels: Uint8Array): RankingCurve {
  const fraud = sortedClass(scores, labels, 1);
  const legitimate = sortedClass(scores, labels, 0);
  const thresholds: number[] = [];
  const hits: number[] = [];
  const alarms: number[] = [];
  let hit = 0;
  let alarm = 0;
  while (hit < fraud.length || alarm < legitimate.length) {
    const threshold = Math.max(
      fraud[fraud.length - 1 - hit] ?? Number.NEGATIVE_INFINITY,
      legitimate[legitimate.length - 1 - alarm] ?? Number.NEGATIVE_INFINITY,
    );
    while (hit < fraud.length && fraud[fraud.length - 1 - hit] === threshold) hit++;
    while (alarm < legitimate.length && legitimate[legitimate.length - 1 - alarm] === threshold) alarm++;
    thresholds.push(threshold);
    hits.push(hit);
    alarms.push(alarm);
  }
  return curveOf(thresholds, hits, alarms);
}

function sortedClass(scores: ArrayLike<number>, labels: Uint8Array, label: number): Float64Array {
  const members = new Float64Array(labels.length);
  let count = 0;
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] !== label) continue;
    const score = scores[i] as number;
    if (Number.isNaN(score)) throw new Error(`score ${i} is not a number`);
    // −0 sorts below 0 but equals it: keep only one zero.
    members[count++] = score === 0 ? 0 : score;
  }
  return members.subarray(0, count).sort();
}

/** The probability that fraud scores above the rest, ties counting half; NaN if either has no weight. */
export function areaUnderRoc({ hits, alarms, fraud, legitimate }: RankingCurve): number {
  let area = 0;
  for (let i = 0; i < hits.length; i++) {
    const before = i === 0 ? 0 : (hits[i - 1] as number);
    const step = (alarms[i] as number) - (i === 0 ? 0 : (alarms[i - 1] as number));
    area += (step * ((hits[i] as number) + before)) / 2;
  }
  return area / (fraud * legitimate);
}

/** The area under the ROC curve of rows that count as one each. */
export const auc = (scores: ArrayLike<number>, labels: Uint8Array): number =>
  areaUnderRoc(rankingCurve({ scores, labels }));

/** Mean precision over the fraud that is found; NaN without fraud. */
export function averagePrecision({ hits, alarms, fraud }: RankingCurve): number {
  let sum = 0;
  for (let i = 0; i < hits.length; i++) {
    const found = (hits[i] as number) - (i === 0 ? 0 : (hits[i - 1] as number));
    if (found > 0) sum += (found * (hits[i] as number)) / ((hits[i] as number) + (alarms[i] as number));
  }
  return sum / fraud;
}

/** The most fraud that a threshold finds while it flags at most `rate` of the rest. */
export function recallAt({ hits, alarms, fraud, legitimate }: RankingCurve, rate: number): number {
  let best = 0;
  for (let i = 0; i < hits.length && (alarms[i] as number) <= rate * legitimate; i++) best = hits[i] as number;
  return best / fraud;
}

/** False alarms against fraud found, thinned to visible steps. */
export const rocPoints = ({ hits, alarms, fraud, legitimate }: RankingCurve): Point[] => [
  [0, 0],
  ...thinned(hits.length, (i) => [(alarms[i] as number) / legitimate, (hits[i] as number) / fraud]),
];

/** Fraud found against the share of flagged rows that are fraud. */
export const precisionRecallPoints = ({ hits, alarms, fraud }: RankingCurve): Point[] =>
  thinned(hits.length, (i) => [
    (hits[i] as number) / fraud,
    (hits[i] as number) / ((hits[i] as number) + (alarms[i] as number)),
  ]);

// A chart is some 300 pixels wide.
const SMALLEST_STEP = 0.004;

function thinned(length: number, point: (i: number) => Point): Point[] {
  const kept: Point[] = [];
  for (let i = 0; i < length; i++) {
    const next = point(i);
    const last = kept.at(-1);
    const distance = last ? Math.hypot(next[0] - last[0], next[1] - last[1]) : 1;
    if (distance >= SMALLEST_STEP || i === length - 1) kept.push([rounded(next[0]), rounded(next[1])]);
  }
  return kept;
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
