import { ownerOf } from '../../../shared/domain/models/account-shares';
import type { AttributeSchema } from '../../../shared/domain/models/attribute-schema';
import { storedSignals } from '../../../shared/domain/models/row-scorer';
import { RULES_FEATURE } from '../../../shared/domain/models/scoring-model';
import { type TrainingRow, vectorOf } from '../../../shared/domain/models/training-row';
import { FEATURE_NAMES } from '../../../shared/domain/screening/features';
import { rulesLogOdds } from '../../../shared/domain/screening/score';
import type { TrainingData } from '../trainer/training-data';
import { type AttributeFinding, learnAttributes } from './learn-attributes';
import { signalJudgements } from './signal-judgements';

/** Rows in the form the trainer expects, with everything learnt while preparing them. */
export interface TrainingMatrix extends Required<Omit<TrainingData, 'owners'>> {
  readonly schema: AttributeSchema;
  readonly findings: readonly AttributeFinding[];
  /** For the artefact's trust in signals: the number of labelled rows on which each fired, by strength. */
  readonly judged: Readonly<Record<string, readonly number[]>>;
}

/**
 * Left out: counts of all labels of an entity, fraud and legitimate together. A fraud adds to them too, and a model that
 * reads many labels as a good sign would then lower a score for a confirmed fraud.
 */
const LEFT_OUT = /(^|_)labels_(1d|7d|30d)$/;
export const isLeftOut = (name: string): boolean => LEFT_OUT.test(name) && !name.includes('fraud');

/** Evidence that a confirmed fraud can only increase: it must never lower a score. An attribute that somebody called so is none. */
const RISK_EVIDENCE = /^(?!attr_).*fraud_(labels|share|rate|freshness|last)/;
export const isRiskEvidence = (name: string): boolean => name === RULES_FEATURE || RISK_EVIDENCE.test(name);

/**
 * One column per feature of the vector, one for the rules, and the attributes. `weights` are those that rows teach with,
 * bounded by account; what an account says about its own attributes, and about signals, counts by its rows' own weights.
 */
export function trainingMatrix(
  rows: readonly TrainingRow[],
  weights: Float64Array = Float64Array.from(rows, ({ weight = 1 }) => weight),
): TrainingMatrix {
  const { schema, findings, values: encoded } = learnAttributes(rows, weights);
  const slots = FEATURE_NAMES.map((name, slot) => ({ name, slot })).filter(({ name }) => !isLeftOut(name));
  const featureNames = [
    ...slots.map(({ name }) => name),
    RULES_FEATURE,
    ...schema.columns.map(({ feature }) => feature),
  ];
  const width = featureNames.length;
  const values = new Float32Array(rows.length * width);
  const judgements = signalJudgements();
  rows.forEach((row, at) => {
    const vector = vectorOf(row);
    let to = at * width;
    for (const { slot } of slots) values[to++] = vector[slot] as number;
    const fired = storedSignals(vector);
    values[to++] = rulesLogOdds(fired);
    for (const column of encoded) values[to++] = column[at] as number;
    if (row.presumed === true) return;
    for (const { name, log_odds } of fired) judgements.add(ownerOf(row), name, log_odds, row.weight ?? 1);
  });
  return {
    featureNames,
    values,
    labels: Uint8Array.from(rows, ({ label }) => label),
    weights,
    schema,
    findings,
    judged: judgements.total(),
  };
}

export function slice(matrix: TrainingMatrix, rows: readonly number[], features: readonly number[]): TrainingData {
  const width = matrix.featureNames.length;
  const values = new Float32Array(rows.length * features.length);
  let to = 0;
  for (const row of rows) for (const feature of features) values[to++] = matrix.values[row * width + feature] as number;
  return {
    featureNames: features.map((feature) => matrix.featureNames[feature] as string),
    values,
    labels: Uint8Array.from(rows, (row) => matrix.labels[row] as number),
    weights: Float64Array.from(rows, (row) => matrix.weights[row] as number),
  };
}
