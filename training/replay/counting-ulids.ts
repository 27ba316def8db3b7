import { encodeUlid, ULID_RANDOM_BYTES } from '../../shared/domain/ulid';

/** The last characters choose samples and fractions: evenly spread like random ones, not counted. */
const SPREAD = 3;
/** 2^32 by the golden ratio: multiples of it fill a range evenly. */
const GOLDEN = 2_654_435_769;

export function countingUlids(): (nowMs: number) => string {
  const counter = new Uint8Array(ULID_RANDOM_BYTES);
  let next = 0;
  return (nowMs) => {
    let spread = Math.imul(next, GOLDEN) >>> (32 - 5 * SPREAD);
    for (let at = ULID_RANDOM_BYTES - 1; at >= ULID_RANDOM_BYTES - SPREAD; at--, spread >>= 5)
      counter[at] = spread & 31;
    let rest = next++;
    for (let at = ULID_RANDOM_BYTES - 1 - SPREAD; rest > 0; at--, rest = Math.floor(rest / 32)) counter[at] = rest % 32;
    return encodeUlid(nowMs, counter);
  };
}
