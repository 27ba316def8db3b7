import type { ObservedAttribute } from '../screening/attributes/observed-attribute';

/**
 * A model's knowledge of attributes without a slot in the feature vector: which of them are numbers, which
 * are categories, and what each category's labels said. Part of the artefact, so that a score never depends on
 * anything learnt later.
 */
export interface AttributeSchema {
  readonly columns: readonly AttributeColumn[];
}

/** One input of the forest that is read from an observed attribute. */
export type AttributeColumn = NumberColumn | CategoryColumn | AmountColumn | OwnRateColumn;

interface ColumnHead {
  /** Its name among the forest's features; LightGBM does not allow spaces or any of `",:[]{}` in it. */
  readonly feature: string;
  /** The name of the observation it reads, as returned by `observeAttributes`: `attributes.basket_size`. */
  readonly source: string;
}

/** Custom attributes have meaning only to the account that sends them: for all others the column is missing. */
interface OwnedColumn extends ColumnHead {
  /** The scope of the only account it is read for. @default everyone */
  readonly owner?: number;
}

/** The value itself, if it looks like a number; anything else is missing. */
export interface NumberColumn extends OwnedColumn {
  readonly kind: 'number';
}

/**
 * A number for each value that was frequent enough in training, by the value's bucket: `rate` is the smoothed fraud
 * share, `rank` its position by frequency. A value that was never seen is missing.
 */
export interface CategoryColumn extends OwnedColumn {
  readonly kind: 'rate' | 'rank';
  readonly codes: ReadonlyArray<readonly [bucket: number, value: number]>;
}

/**
 * How far the amount lies from those paid with the same value, in standard deviations of its logarithm in US dollars: ten for
 * fuel is as unusual as a thousand in a shop, though both are usual amounts.
 */
export interface AmountColumn extends OwnedColumn {
  readonly kind: 'amount';
  readonly codes: ReadonlyArray<readonly [bucket: number, mean: number, sd: number]>;
}

/** The smoothed fraud share of each value at the account that sends it, from that account's labels alone. */
export interface OwnRateColumn extends ColumnHead {
  readonly kind: 'own_rate';
  readonly accounts: ReadonlyArray<{ readonly scope: number; readonly codes: CategoryColumn['codes'] }>;
}

/** Whose screening it is, and of how much. */
interface ReadFor {
  readonly scope?: number | undefined;
  /** The logarithm of the amount in US dollars; NaN if there is none. */
  readonly lnUsd: number;
}

/** Writes the values of the columns as observed at an account; NaN where nothing was. */
export type AttributeReader = (observed: readonly ObservedAttribute[], into: Float32Array, of: ReadFor) => void;

type ColumnReader = (observed: ObservedAttribute, into: Float32Array, of: ReadFor) => void;

/** Compiles a schema: one lookup per observed attribute, however large the schema is. */
export function attributeReader({ columns }: AttributeSchema): AttributeReader {
  const bySource = new Map<string, ColumnReader[]>();
  columns.forEach((column, index) => {
    const readers = bySource.get(column.source) ?? [];
    readers.push(columnReader(column, index));
    bySource.set(column.source, readers);
  });
  return (observed, into, of) => {
    into.fill(Number.NaN, 0, columns.length);
    if (columns.length === 0) return;
    for (const attribute of observed) {
      const readers = bySource.get(attribute.name);
      if (readers !== undefined) for (const read of readers) read(attribute, into, of);
    }
  };
}

/** Whether a column needs to know whose screening it is. */
export const isOwned = (column: AttributeColumn): boolean => column.kind === 'own_rate' || column.owner !== undefined;

function columnReader(column: AttributeColumn, index: number): ColumnReader {
  if (column.kind === 'own_rate') {
    const accounts = new Map(column.accounts.map(({ scope, codes }) => [scope, new Map(codes)]));
    return ({ bucket }, into, { scope }) => {
      const codes = scope === undefined ? undefined : accounts.get(scope);
      into[index] = codes?.get(bucket) ?? Number.NaN;
    };
  }
  const { owner } = column;
  const read = valueReader(column);
  return (attribute, into, { scope, lnUsd }) => {
    if (owner === undefined || owner === scope) into[index] = read(attribute, lnUsd);
  };
}

type ValueReader = (attribute: ObservedAttribute, lnUsd: number) => number;

function valueReader(column: NumberColumn | CategoryColumn | AmountColumn): ValueReader {
  if (column.kind === 'number') return ({ number }) => number;
  if (column.kind === 'amount') return amountReader(column.codes);
  const codes = new Map(column.codes);
  return ({ bucket }) => codes.get(bucket) ?? Number.NaN;
}

/** The same for training and for screening. */
export function amountReader(codes: AmountColumn['codes']): (of: { readonly bucket: number }, lnUsd: number) => number {
  const usual = new Map(codes.map(([bucket, mean, sd]) => [bucket, { mean, sd }]));
  return ({ bucket }, lnUsd) => {
    const own = usual.get(bucket);
    return own === undefined ? Number.NaN : (lnUsd - own.mean) / own.sd;
  };
}
