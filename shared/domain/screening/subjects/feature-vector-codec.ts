/*
 * A feature vector as bytes. In an ordinary screening two of three slots are missing, 0 or 1, and the result must stay
 * below 1 kB, one write unit: so two bits per slot say which, and only other values follow as 32-bit floats.
 *
 *   length | 0x8000   16 bits, little-endian; without the mark it is the first format, with one bit per slot
 *   codes             two bits per slot, lowest first: missing, 0, 1, other
 *   floats            the other values, little-endian
 *
 * Scores are computed from the rounded values, so that the stored vector gives exactly the same score.
 */
const MARK = 0x8000;
const MISSING = 0;
const ZERO = 1;
const ONE = 2;
const OTHER = 3;
const HEADER_BYTES = 2;

/** By value, except that negative zero is not zero: the vector comes back bit for bit. */
function codeOf(value: number): number {
  if (value === 1) return ONE;
  if (value === 0) return Object.is(value, 0) ? ZERO : OTHER;
  return Number.isNaN(value) ? MISSING : OTHER;
}

/** The vector as bytes. */
export function packVector(vector: Float32Array): Uint8Array {
  const codeBytes = Math.ceil(vector.length / 4);
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + codeBytes + 4 * vector.length).fill(0, 0, HEADER_BYTES + codeBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setUint16(0, vector.length | MARK, true);
  let at = HEADER_BYTES + codeBytes;
  for (let slot = 0; slot < vector.length; slot++) {
    const value = vector[slot] as number;
    const code = codeOf(value);
    if (code === MISSING) continue;
    const byte = HEADER_BYTES + (slot >> 2);
    bytes[byte] = (bytes[byte] as number) | (code << ((slot & 3) << 1));
    if (code !== OTHER) continue;
    view.setFloat32(at, value, true);
    at += 4;
  }
  return bytes.subarray(0, at);
}

/** The vector back; NaN is missing. A vector of an earlier version is shorter, but in the same order. */
export function unpackVector(packed: Uint8Array): Float32Array {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const head = bytes.readUInt16LE(0);
  const codeBits = head & MARK ? 2 : 1;
  const vector = new Float32Array(head & ~MARK).fill(Number.NaN);
  let at = HEADER_BYTES + Math.ceil((vector.length * codeBits) / 8);
  for (let slot = 0; slot < vector.length; slot++) {
    const bit = slot * codeBits;
    const code = ((bytes[HEADER_BYTES + (bit >> 3)] as number) >> (bit & 7)) & (codeBits === 2 ? 3 : 1);
    if (code === MISSING) continue;
    if (codeBits === 2 && code !== OTHER) {
      vector[slot] = code === ONE ? 1 : 0;
      continue;
    }
    vector[slot] = bytes.readFloatLE(at);
    at += 4;
  }
  return vector;
}
