/*
 * A feature vector as bytes. In an ordinary screening two of three slots are missing, 0 or 1, and the result must stay
 * below 1 kB, one write unit: so two bits per slot say which, and only other values follow. Most of those are small whole
 * numbers, or the same number again: user, device and address often have one history.
 *
 *   length | 0xc000   16 bits, little-endian
 *   map               one bit per byte of codes, lowest first: whether it is not zero, and so follows
 *   codes             two bits per slot, lowest first: missing, 0, 1, other
 *   others            one byte each: up to 127 the number itself; from 128 on one of the floats before it, by position;
 *                     255: a 32-bit float follows, little-endian
 *
 * Vectors that were stored before have all codes and only floats (0x8000), or one bit per slot and floats (no mark).
 * Scores are computed from the rounded values, so that the stored vector gives exactly the same score.
 */
const MARK = 0x8000;
const SHORT_MARK = 0xc000;
const MISSING = 0;
const ZERO = 1;
const ONE = 2;
const OTHER = 3;
const HEADER_BYTES = 2;
const LARGEST_NUMBER = 127;
const FIRST_REPEAT = 128;
const NEW_FLOAT = 255;

/** Of a value that is not missing. Negative zero is not zero: the vector comes back bit for bit. */
const codeOf = (value: number): number => (value === 1 ? ONE : value === 0 && Object.is(value, 0) ? ZERO : OTHER);

/** Used again for every vector: V8 takes half a microsecond to make an array of more than 64 bytes. */
let codes = new Uint8Array(0);
let others = new Float32Array(0);

/** The vector as bytes. */
export function packVector(vector: Float32Array): Uint8Array {
  const codeBytes = Math.ceil(vector.length / 4);
  if (others.length < vector.length) {
    codes = new Uint8Array(codeBytes);
    others = new Float32Array(vector.length);
  }
  let othersCount = 0;
  for (let byte = 0, slot = 0; byte < codeBytes; byte++) {
    let four = 0;
    for (let shift = 0; shift < 8 && slot < vector.length; shift += 2, slot++) {
      const value = vector[slot] as number;
      if (Number.isNaN(value)) continue;
      const code = codeOf(value);
      if (code === OTHER) others[othersCount++] = value;
      four |= code << shift;
    }
    codes[byte] = four;
  }
  const mapBytes = Math.ceil(codeBytes / 8);
  const most = HEADER_BYTES + mapBytes + codeBytes + 5 * othersCount;
  const bytes = Buffer.allocUnsafe(most).fill(0, 0, HEADER_BYTES + mapBytes);
  bytes.writeUInt16LE(vector.length | SHORT_MARK, 0);
  let at = HEADER_BYTES + mapBytes;
  for (let byte = 0; byte < codeBytes; byte++) {
    const four = codes[byte] as number;
    if (four === 0) continue;
    const inMap = HEADER_BYTES + (byte >> 3);
    bytes[inMap] = (bytes[inMap] as number) | (1 << (byte & 7));
    bytes[at++] = four;
  }
  const floats: number[] = [];
  for (let other = 0; other < othersCount; other++) {
    const value = others[other] as number;
    if (value > 1 && value <= LARGEST_NUMBER && Number.isInteger(value)) {
      bytes[at++] = value;
      continue;
    }
    // Negative zero is found like zero, but there is no zero among the others.
    const known = floats.indexOf(value);
    if (known >= 0 && FIRST_REPEAT + known < NEW_FLOAT) {
      bytes[at++] = FIRST_REPEAT + known;
      continue;
    }
    floats.push(value);
    bytes[at++] = NEW_FLOAT;
    at = bytes.writeFloatLE(value, at);
  }
  return bytes.subarray(0, at);
}

/** The vector back; NaN is missing. A vector of an earlier version is shorter, but in the same order. */
export function unpackVector(bytes: Uint8Array): Float32Array {
  const head = (bytes[0] as number) | ((bytes[1] as number) << 8);
  return (head & SHORT_MARK) === SHORT_MARK ? unpackShort(bytes, head & ~SHORT_MARK) : unpackFloats(bytes, head);
}

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

/** A training unpacks every row: a `Buffer` for `readFloatLE` would take as long as the rest of a vector. */
function floatAt(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
  bits[0] = low | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
  return float[0] as number;
}

function requireWhole(bytes: Uint8Array, end: number): void {
  if (end > bytes.length) throw new Error(`a vector of ${end} bytes is cut short: ${bytes.length}`);
}

function unpackShort(bytes: Uint8Array, length: number): Float32Array {
  const vector = new Float32Array(length).fill(Number.NaN);
  const groups = Math.ceil(length / 4);
  const isCoded = (group: number) => ((bytes[HEADER_BYTES + (group >> 3)] as number) >> (group & 7)) & 1;
  let codesAt = HEADER_BYTES + Math.ceil(groups / 8);
  let at = codesAt;
  for (let group = 0; group < groups; group++) at += isCoded(group);
  const floats: number[] = [];
  for (let group = 0; group < groups; group++) {
    let codes = isCoded(group) ? (bytes[codesAt++] as number) : 0;
    for (let slot = 4 * group; codes > 0; slot++, codes >>= 2) {
      const code = codes & 3;
      if (code === MISSING) continue;
      if (code !== OTHER) {
        vector[slot] = code === ONE ? 1 : 0;
        continue;
      }
      const token = bytes[at++] as number;
      if (token < FIRST_REPEAT) vector[slot] = token;
      else if (token < NEW_FLOAT) vector[slot] = floats[token - FIRST_REPEAT] as number;
      else {
        floats.push(floatAt(bytes, at));
        vector[slot] = floats.at(-1) as number;
        at += 4;
      }
    }
  }
  requireWhole(bytes, at);
  return vector;
}

/** Vectors of the older format: other values are floats. */
function unpackFloats(bytes: Uint8Array, head: number): Float32Array {
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
    vector[slot] = floatAt(bytes, at);
    at += 4;
  }
  requireWhole(bytes, at);
  return vector;
}
