/** A bin's three sums are adjacent: gradient, hessian, rows. */
export const BIN_SUMS = 3;
/** 255 bins for values and one for missing ones, even if a feature has fewer: fixed offsets are fast. */
export const FEATURE_SUMS = 256 * BIN_SUMS;
const QUAD_SUMS = 4 * FEATURE_SUMS;

/** The rows of a leaf, with their gradients in the same order. */
export interface LeafRows {
  readonly rows: Uint32Array;
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
  readonly count: number;
}

export const newHistogram = (features: number): Float64Array => new Float64Array(Math.ceil(features / 4) * QUAD_SUMS);

/** The four features being summed; small enough for the L1 cache (24 kB), and of a size that the compiler knows. */
const block = new Float64Array(QUAD_SUMS);

export function buildHistogram(
  histogram: Float64Array,
  leaf: LeafRows,
  quads: readonly Uint32Array[],
  isQuadUsed: Uint8Array,
): void {
  quads.forEach((quad, i) => {
    if (isQuadUsed[i] !== 1) return;
    block.fill(0);
    addQuad(leaf, quad);
    histogram.set(block, i * QUAD_SUMS);
  });
}

/**
 * Half of the training time. Four features at a time: a single one waits for its own last store whenever rows fall
 * into the same bin, and most of our features are mostly zero. Indices made of masks and constants need no overflow
 * check. Per value, on one machine: a single column 9 ns, four columns 5.4, a quad 4.6, with masks 3.2.
 */
function addQuad({ rows, gradients, hessians, count }: LeafRows, quad: Uint32Array): void {
  const sums = block;
  for (let i = 0; i < count; i++) {
    const word = quad[rows[i] as number] as number;
    const gradient = gradients[i] as number;
    const hessian = hessians[i] as number;
    let at = (word & 255) * BIN_SUMS;
    (sums[at] as number) += gradient;
    (sums[at + 1] as number) += hessian;
    (sums[at + 2] as number) += 1;
    at = ((word >>> 8) & 255) * BIN_SUMS + FEATURE_SUMS;
    (sums[at] as number) += gradient;
    (sums[at + 1] as number) += hessian;
    (sums[at + 2] as number) += 1;
    at = ((word >>> 16) & 255) * BIN_SUMS + 2 * FEATURE_SUMS;
    (sums[at] as number) += gradient;
    (sums[at + 1] as number) += hessian;
    (sums[at + 2] as number) += 1;
    at = (word >>> 24) * BIN_SUMS + 3 * FEATURE_SUMS;
    (sums[at] as number) += gradient;
    (sums[at + 1] as number) += hessian;
    (sums[at + 2] as number) += 1;
  }
}

/** A parent minus one child is the other child, so only the smaller one is ever added up. */
export function subtractHistogram(parent: Float64Array, child: Float64Array): void {
  for (let i = 0; i < parent.length; i++) (parent[i] as number) -= child[i] as number;
}
