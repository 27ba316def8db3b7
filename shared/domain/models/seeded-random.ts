/** A seeded source of numbers in [0, 1). */
export type Random = () => number;

/** mulberry32: 32 bits of state, passes the usual test batteries, and gives the same numbers on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** `count` of the numbers below `total`, each set equally likely, in rising order; returns how many (all `count`). */
export function sampleInto(target: Uint32Array, count: number, total: number, random: Random): number {
  let taken = 0;
  for (let i = 0; i < total && taken < count; i++) {
    if (random() * (total - i) < count - taken) target[taken++] = i;
  }
  return taken;
}
