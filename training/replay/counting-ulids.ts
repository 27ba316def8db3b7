import { encodeUlid, ULID_RANDOM_BYTES } from '../../shared/domain/ulid';

/** IDs that are the same in every run: a counter replaces randomness. */
export function countingUlids(): (nowMs: number) => string {
  const counter = new Uint8Array(ULID_RANDOM_BYTES);
  let next = 0;
  return (nowMs) => {
    let rest = next++;
    for (let at = ULID_RANDOM_BYTES - 1; rest > 0; at--, rest = Math.floor(rest / 32)) counter[at] = rest % 32;
    return encodeUlid(nowMs, counter);
  };
}
