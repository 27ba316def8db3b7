/**
 * The clock that functions use, ahead of this machine's by an offset that a test can increase: a single request makes
 * seven days pass. One number in shared memory, so every environment of every function sees the same time at once.
 */
export interface FunctionClock {
  readonly shared: SharedArrayBuffer;
  now(): number;
  advance(ms: number): number;
}

export function functionClock(): FunctionClock {
  const shared = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const offset = new Float64Array(shared);
  const now = (): number => Date.now() + (offset[0] ?? 0);
  return {
    shared,
    now,
    advance: (ms) => {
      offset[0] = (offset[0] ?? 0) + ms;
      return now();
    },
  };
}
