const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/**
 * A number to 8 bits, two and a half digits: enough for a tree, and of what counts somebody's money or steps no more than
 * the order. Infinities and NaN are NaN.
 */
export const roughNumber = (value: number): number => fromRoughBits(roughBits(value));

/** Sign, exponent and 7 bits of the fraction in 16 bits; NaN for what has none. */
export function roughBits(value: number): number {
  float[0] = value;
  // Half of the dropped precision is added first, so that the number is rounded and not truncated.
  bits[0] = (bits[0] as number) + 0x8000;
  return Number.isFinite(float[0]) ? (bits[0] as number) >>> 16 : ROUGH_NAN;
}

const ROUGH_NAN = 0x7fc0;

/** The number of `roughBits`. */
export function fromRoughBits(rough: number): number {
  bits[0] = rough << 16;
  return float[0] as number;
}
