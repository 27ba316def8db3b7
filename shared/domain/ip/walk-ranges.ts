/*
 * Decoding of the range streams (ip-table-format.ts).
 *
 * v4 length code: bits 0–4 shift, bits 5–7 n; length = (2n − 1) << shift, or n = 0: the next u32.
 * v6 length code: bits 0–5 shift, bits 6–7 k; length = m << shift, m = 1 (k = 0) or the next 1, 2 or 4 bytes.
 * Record number: LEB128.
 */

/** The record of the range that holds the address `distance` after the start of the block. */
export function walkV4(bytes: Uint8Array, offset: number, distance: number): number {
  let i = offset;
  let left = distance;
  for (;;) {
    const code = bytes[i++] as number;
    let length: number;
    if (code < 32) {
      length = u32(bytes, i);
      i += 4;
    } else {
      length = (((code >>> 5) * 2 - 1) << (code & 31)) >>> 0;
    }
    if (left < length) return record(bytes, i);
    left -= length;
    while ((bytes[i++] as number) >= 128);
  }
}

/** The same for IPv6; the distance in /64s is given as two 32-bit words, because a double holds only 53 bits. */
export function walkV6(bytes: Uint8Array, offset: number, distanceHigh: number, distanceLow: number): number {
  let i = offset;
  let high = distanceHigh;
  let low = distanceLow;
  for (;;) {
    const code = bytes[i++] as number;
    const shift = code & 63;
    const size = code >>> 6;
    let m = 1;
    if (size === 1) m = bytes[i++] as number;
    else if (size === 2) m = (bytes[i++] as number) | ((bytes[i++] as number) << 8);
    else if (size === 3) {
      m = u32(bytes, i);
      i += 4;
    }
    const lengthLow = shift < 32 ? (m << shift) >>> 0 : 0;
    const lengthHigh = shift >= 32 ? (m << (shift - 32)) >>> 0 : shift === 0 ? 0 : m >>> (32 - shift);
    if (high < lengthHigh || (high === lengthHigh && low < lengthLow)) return record(bytes, i);
    high -= lengthHigh + (low < lengthLow ? 1 : 0);
    low = (low - lengthLow) >>> 0;
    while ((bytes[i++] as number) >= 128);
  }
}

function u32(bytes: Uint8Array, i: number): number {
  const low = (bytes[i] as number) | ((bytes[i + 1] as number) << 8) | ((bytes[i + 2] as number) << 16);
  return (low | ((bytes[i + 3] as number) << 24)) >>> 0;
}

function record(bytes: Uint8Array, from: number): number {
  let value = 0;
  let shift = 0;
  for (let i = from; ; i++) {
    const byte = bytes[i] as number;
    value |= (byte & 127) << shift;
    if (byte < 128) return value;
    shift += 7;
  }
}
