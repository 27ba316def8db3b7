/**
 * A feature vector as bytes: its length, a bit for each slot that is present, then the present values as 32-bit floats.
 * Half of the slots are missing in an ordinary screening, so this halves what every result costs to store. Scores are
 * made from the rounded values, so that what is stored gives back the very same score.
 */
export function packVector(vector: Float32Array): Uint8Array {
  const bitmapBytes = Math.ceil(vector.length / 8);
  const bytes = Buffer.allocUnsafe(2 + bitmapBytes + 4 * vector.length).fill(0, 0, 2 + bitmapBytes);
  bytes.writeUInt16LE(vector.length, 0);
  let at = 2 + bitmapBytes;
  for (let slot = 0; slot < vector.length; slot++) {
    const value = vector[slot] as number;
    if (Number.isNaN(value)) continue;
    const byte = 2 + (slot >> 3);
    bytes[byte] = (bytes[byte] as number) | (1 << (slot & 7));
    at = bytes.writeFloatLE(value, at);
  }
  return bytes.subarray(0, at);
}

/** The vector back; NaN is missing. */
export function unpackVector(packed: Uint8Array): Float32Array {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const vector = new Float32Array(bytes.readUInt16LE(0)).fill(Number.NaN);
  let at = 2 + Math.ceil(vector.length / 8);
  for (let slot = 0; slot < vector.length; slot++) {
    if (((bytes[2 + (slot >> 3)] as number) & (1 << (slot & 7))) === 0) continue;
    vector[slot] = bytes.readFloatLE(at);
    at += 4;
  }
  return vector;
}
