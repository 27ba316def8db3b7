/** A growing byte buffer. */
export class ByteWriter {
  private bytes = Buffer.alloc(1 << 20);
  length = 0;

  byte(value: number): void {
    if (this.length === this.bytes.length) this.bytes = Buffer.concat([this.bytes, Buffer.alloc(this.length)]);
    this.bytes[this.length++] = value;
  }

  /** `size` bytes, the lowest first. */
  fixed(value: number, size: number): void {
    for (let i = 0; i < size; i++) this.byte((value >>> (8 * i)) & 255);
  }

  /** LEB128: seven bits per byte, lowest first; the top bit says that more follow. */
  varint(value: number): void {
    let rest = value;
    for (; rest >= 128; rest >>>= 7) this.byte((rest & 127) | 128);
    this.byte(rest);
  }

  toBuffer(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.length));
  }
}
