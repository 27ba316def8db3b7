/** Which rows go left: those whose bin, found at `shift` of their word in `quad`, is marked. */
export interface LeftRows {
  readonly quad: Uint32Array;
  readonly shift: number;
  readonly isLeftBin: Uint8Array;
}

/** Rows in leaf order: every leaf is a run, and a split reorders one run in place. */
export interface RowPartition {
  /** Orders a run: rows that go left first, in their old order, then the others. Returns how many go left. */
  split(start: number, count: number, left: LeftRows): number;
  readonly rows: Uint32Array;
}

export function rowPartition(capacity: number): RowPartition {
  const rows = new Uint32Array(capacity);
  const aside = new Uint32Array(capacity);
  return {
    rows,
    split(start, count, { quad, shift, isLeftBin }) {
      let left = start;
      let right = 0;
      for (let i = start; i < start + count; i++) {
        const row = rows[i] as number;
        const isLeft = isLeftBin[((quad[row] as number) >>> shift) & 255] as number;
        // Both are written and one is kept: no branch to mispredict.
        rows[left] = row;
        aside[right] = row;
        left += isLeft;
        right += 1 - isLeft;
      }
      rows.set(aside.subarray(0, right), left);
      return left - start;
    },
  };
}
