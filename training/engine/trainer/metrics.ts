/** Area under the ROC curve: the chance that a random 1 scores above a random 0, ties counting half. NaN for one class. */
export function auc(scores: ArrayLike<number>, labels: Uint8Array): number {
  let area = 0;
  let lastHits = 0;
  let lastAlarms = 0;
  const { hits, alarms } = sweep(scores, labels, (hit, alarm) => {
    area += ((alarm - lastAlarms) * (hit + lastHits)) / 2;
    lastHits = hit;
    lastAlarms = alarm;
  });
  return area / (hits * alarms);
}

/** Mean precision over the recalled positives, a group of tied scores entering at once. NaN without positives. */
export function averagePrecision(scores: ArrayLike<number>, labels: Uint8Array): number {
  let sum = 0;
  let last = 0;
  const { hits } = sweep(scores, labels, (hit, alarm) => {
    sum += ((hit - last) * hit) / (hit + alarm);
    last = hit;
  });
  return sum / hits;
}

/** The most positives that a threshold finds while it calls at most `rate` of the negatives; ties go together. */
export function recallAtFalsePositiveRate(scores: ArrayLike<number>, labels: Uint8Array, rate: number): number {
  const negatives = labels.reduce((sum, label) => sum + 1 - label, 0);
  let best = 0;
  const { hits } = sweep(scores, labels, (hit, alarm) => {
    if (alarm <= rate * negatives) best = hit;
  });
  return best / hits;
}

/** Mean −ln of the probability given to what happened; a certain mistake costs 34.5, not infinity, as in LightGBM. */
export function logLoss(probabilities: ArrayLike<number>, labels: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < labels.length; i++) {
    const given = probabilities[i] as number;
    sum -= Math.log(Math.max(1e-15, labels[i] === 1 ? given : 1 - given));
  }
  return sum / labels.length;
}

/** What one band of predictions promised and what came of it. */
export interface CalibrationBand {
  /** Predictions from here … */
  readonly from: number;
  /** … to below here; the last band includes its end. */
  readonly to: number;
  readonly count: number;
  readonly positives: number;
  /** Mean prediction and share of positives; NaN in an empty band. */
  readonly predicted: number;
  readonly observed: number;
}

/** Predictions against outcomes, between rising `edges`; what lies outside them is not counted. */
export function calibrationTable(
  predictions: ArrayLike<number>,
  labels: Uint8Array,
  edges: readonly number[],
): readonly CalibrationBand[] {
  const bands = edges.slice(1).map((to, i) => ({ from: edges[i] as number, to, count: 0, positives: 0, sum: 0 }));
  const last = bands.length - 1;
  for (let i = 0; i < labels.length; i++) {
    const value = predictions[i] as number;
    const band = bands.find(({ from, to }, at) => value >= from && (value < to || (at === last && value === to)));
    if (band === undefined) continue;
    band.count++;
    band.positives += labels[i] as number;
    band.sum += value;
  }
  return bands.map(({ from, to, count, positives, sum }) => ({
    ...{ from, to, count, positives },
    predicted: sum / count,
    observed: positives / count,
  }));
}

/**
 * Lowers a threshold through all scores: at each distinct one `visit` hears how many positives and negatives are
 * at or above it. Sorting the two classes apart lets typed arrays sort natively: 9 ms for 100,000 scores, where
 * sorting indices by a comparator takes 70.
 */
function sweep(
  scores: ArrayLike<number>,
  labels: Uint8Array,
  visit: (hits: number, alarms: number) => void,
): { hits: number; alarms: number } {
  if (scores.length !== labels.length) throw new Error(`${scores.length} scores for ${labels.length} labels`);
  const positives = sortedClass(scores, labels, 1);
  const negatives = sortedClass(scores, labels, 0);
  let hits = 0;
  let alarms = 0;
  while (hits < positives.length || alarms < negatives.length) {
    const positive = positives[positives.length - 1 - hits] ?? Number.NEGATIVE_INFINITY;
    const negative = negatives[negatives.length - 1 - alarms] ?? Number.NEGATIVE_INFINITY;
    const threshold = Math.max(positive, negative);
    while (hits < positives.length && positives[positives.length - 1 - hits] === threshold) hits++;
    while (alarms < negatives.length && negatives[negatives.length - 1 - alarms] === threshold) alarms++;
    visit(hits, alarms);
  }
  return { hits, alarms };
}

function sortedClass(scores: ArrayLike<number>, labels: Uint8Array, label: number): Float64Array {
  const members = new Float64Array(labels.length);
  let count = 0;
  for (let i = 0; i < labels.length; i++) {
    if (labels[i] !== label) continue;
    const score = scores[i] as number;
    if (Number.isNaN(score)) throw new Error(`score ${i} is not a number`);
    // −0 sorts below 0 but equals it: one zero only.
    members[count++] = score === 0 ? 0 : score;
  }
  return members.subarray(0, count).sort();
}
