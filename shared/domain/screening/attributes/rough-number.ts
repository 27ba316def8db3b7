const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/**
 * A number to 12 bits, about three and a half digits: enough for a tree, and a telephone number or tax id loses its
 * last six digits. Infinities and NaN are NaN.
 */
export function roughNumber(value: number): number {
  float[0] = value;
  // Half of the dropped precision is added first, so that the number is rounded and not truncated.
  bits[0] = ((bits[0] as number) + 0x800) & 0xfffff000;
  const rounded = float[0] as number;
  return Number.isFinite(rounded) ? rounded : Number.NaN;
}

/** Its upper 24 bits; the others are zero. */
export function roughBits(rough: number): number {
  float[0] = rough;
  return (bits[0] as number) >>> 8;
}

/** The number of `roughBits`. */
export function fromRoughBits(upper: number): number {
  bits[0] = upper << 8;
  return float[0] as number;
}
