export interface TrainingData {
  readonly featureNames: readonly string[];
  /** Row after row, a value per feature; NaN is missing. */
  readonly values: Float32Array;
  /** A row's label: 1 is fraud, 0 is not. */
  readonly labels: Uint8Array;
  /** A row's weight, not negative. @default 1 each */
  readonly weights?: Float64Array | Float32Array;
  /** The account of each row; read for early stopping only. @default all of one */
  readonly owners?: readonly string[];
}

export function checkTrainingData({ featureNames, values, labels, weights }: TrainingData): void {
  const rows = labels.length;
  if (featureNames.length === 0) throw new Error('there are no features');
  if (values.length !== rows * featureNames.length) {
    throw new Error(`${values.length} values are not ${rows} rows of ${featureNames.length} features`);
  }
  if (labels.some((label) => label > 1)) throw new Error('labels must be 0 or 1');
  if (weights !== undefined && weights.length !== rows) throw new Error(`${weights.length} weights for ${rows} rows`);
  if (weights?.some((weight) => !(weight >= 0 && weight < Number.POSITIVE_INFINITY)) === true) {
    throw new Error('weights must be finite and not negative');
  }
  const unfit = featureNames.find((name) => name === '' || /\s/.test(name));
  if (unfit !== undefined)
    throw new Error(`the text format separates feature names by spaces: "${unfit}" is not allowed`);
}
