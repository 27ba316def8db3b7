import type { ObservedAttribute } from '../screening/attributes/observed-attribute';

/**
 * What a model has learnt about attributes without a slot in the feature vector: which of them are numbers, which
 * are categories, and what each category's labels said. Part of the artefact, so that a score never depends on
 * anything learnt later.
 */
export interface AttributeSchema {
  readonly columns: readonly AttributeColumn[];
}

/** One input of the forest that is read from an observed attribute. */
export type AttributeColumn = NumberColumn | CategoryColumn;

interface ColumnHead {
  /** Its name among the forest's features; LightGBM does not allow spaces or any of `",:[]{}` in it. */
  readonly feature: string;
  /** The name of the observation it reads, as returned by `observeAttributes`: `attributes.basket_size`. */
  readonly source: string;
}

/** The value itself, if it looks like a number; anything else is missing. */
export interface NumberColumn extends ColumnHead {
  readonly kind: 'number';
}

/**
 * A number for each value that was frequent enough in training, by the value's bucket: `rate` is the smoothed fraud
 * share, `rank` its position by frequency. A value that was never seen is missing.
 */
export interface CategoryColumn extends ColumnHead {
  readonly kind: 'rate' | 'rank';
  readonly codes: ReadonlyArray<readonly [bucket: number, value: number]>;
}

/** Writes a column's value for what was observed; NaN if nothing was. */
export type AttributeReader = (observed: readonly ObservedAttribute[], into: Float32Array, at: number) => void;

/** Compiles a schema: one lookup per observed attribute, however large the schema is. */
export function attributeReader({ columns }: AttributeSchema): AttributeReader {
  const bySource = new Map<string, Array<(observed: ObservedAttribute, into: Float32Array, at: number) => void>>();
  columns.forEach((column, index) => {
    const readers = bySource.get(column.source) ?? [];
    readers.push(columnReader(column, index));
    bySource.set(column.source, readers);
  });
  return (observed, into, at) => {
    into.fill(Number.NaN, at, at + columns.length);
    if (columns.length === 0) return;
    for (const attribute of observed) {
      const readers = bySource.get(attribute.name);
      if (readers !== undefined) for (const read of readers) read(attribute, into, at);
    }
  };
}

function columnReader(column: AttributeColumn, index: number) {
  if (column.kind === 'number') {
    return ({ number }: ObservedAttribute, into: Float32Array, at: number): void => {
      into[at + index] = number;
    };
  }
  const codes = new Map(column.codes);
  return ({ bucket }: ObservedAttribute, into: Float32Array, at: number): void => {
    into[at + index] = codes.get(bucket) ?? Number.NaN;
  };
}
