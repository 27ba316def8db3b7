export interface Stacked {
  readonly from: number;
  readonly to: number;
}

/** Each value on top of, or after, those before it. */
export function stackValues(values: readonly number[]): readonly Stacked[] {
  let sum = 0;
  return values.map((value) => {
    const from = sum;
    sum += value;
    return { from, to: sum };
  });
}
