import type { TrainingRow } from '../../shared/domain/models/training-row';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';

const BLOCK_BYTES = 4 * 1024 * 1024;

/** Labelled rows in a few large blocks: half a million small arrays would take more memory than their contents. */
export interface RowLog {
  add(record: Pick<ScreeningRecord, 'vector' | 'observed' | 'screened_at_ms'>, label: 0 | 1, knownAtMs: number): void;
  readonly length: number;
  readonly fraud: number;
  /** The rows with the latest labels, at most this many. @default all */
  rows(most?: number): TrainingRow[];
}

/** An empty log. */
export function rowLog(): RowLog {
  const positions: Array<{ block: number; at: number; vector: number; observed: number }> = [];
  const facts: Array<Pick<TrainingRow, 'label' | 'screened_at_ms' | 'labeled_at_ms'>> = [];
  const blocks: Uint8Array[] = [];
  let used = BLOCK_BYTES;
  let fraud = 0;

  return {
    add({ vector, observed, screened_at_ms }, label, labeled_at_ms) {
      const bytes = vector.length + (observed?.length ?? 0);
      if (used + bytes > BLOCK_BYTES) {
        blocks.push(new Uint8Array(BLOCK_BYTES));
        used = 0;
      }
      const block = blocks.at(-1) as Uint8Array;
      block.set(vector, used);
      if (observed !== undefined) block.set(observed, used + vector.length);
      positions.push({ block: blocks.length - 1, at: used, vector: vector.length, observed: observed?.length ?? 0 });
      facts.push({ label, screened_at_ms, labeled_at_ms });
      used += bytes;
      fraud += label;
    },
    get length() {
      return facts.length;
    },
    get fraud() {
      return fraud;
    },
    rows(most = facts.length) {
      const first = Math.max(0, facts.length - most);
      return facts.slice(first).map((fact, i) => {
        const { block, at, vector, observed } = positions[first + i] as (typeof positions)[number];
        const bytes = blocks[block] as Uint8Array;
        return {
          ...fact,
          vector: bytes.subarray(at, at + vector),
          observed: observed === 0 ? undefined : bytes.subarray(at + vector, at + vector + observed),
        };
      });
    },
  };
}
