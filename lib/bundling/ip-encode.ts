import {
  BLOCK_RANGES,
  HEADER,
  HEADER_WORDS,
  IP_TABLE_MAGIC,
  RECORD_FINE,
  RECORD_NOTHING,
} from '../../shared/domain/ip/ip-table';

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

/** From `start` to the next start, `record` (packed facts; 0 for nothing known). */
export interface EncodedRange {
  readonly start: bigint;
  readonly record: number;
}

interface Piece {
  readonly start: bigint;
  readonly length: bigint;
  readonly record: number;
}

const V4_END = 1n << 32n;
const V6_END = 1n << 64n;
const LOW_64 = V6_END - 1n;
const mask32 = (value: bigint): number => Number(value & 0xffffffffn);

/** Encodes the ranges in the layout of ip-table.ts. The same input gives the same bytes. */
export function encodeIpTable(
  countries: readonly string[],
  v4: readonly EncodedRange[],
  v6: readonly EncodedRange[],
): Buffer {
  const numbers = numberRecords([...v4, ...v6]);
  const number = (record: number): number => numbers.get(record) as number;
  const coarse = splitAtHalf(v6, number);
  const four = blocks(pieces(v4, V4_END, number), writeV4Length);
  const six = blocks(pieces(coarse.ranges, V6_END).flatMap(splitWide), writeV6Length);

  const records = [...numbers].sort(([, a], [, b]) => a - b).map(([record]) => record);
  const sections: [keyof typeof HEADER, Buffer][] = [
    ['countries', Buffer.from(countries.join(''), 'latin1')],
    ['records', words([0, 0, ...records.slice(1)])],
    ['v4Starts', words(four.starts.map(mask32))],
    ['v4Offsets', words(four.offsets)],
    ['v4Ranges', four.bytes],
    ['v6High', words(six.starts.map((start) => mask32(start >> 32n)))],
    ['v6Low', words(six.starts.map(mask32))],
    ['v6Offsets', words(six.offsets)],
    ['v6Ranges', six.bytes],
    ['v6Fine', words(coarse.fine)],
  ];
  return assemble(sections, { fineCount: coarse.fine.length / 5, countryCount: countries.length });
}

/** The most frequent record gets the smallest number, hence the shortest varint. 0 and 1 are taken. */
function numberRecords(ranges: readonly EncodedRange[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { record } of ranges) counts.set(record, (counts.get(record) ?? 0) + 1);
  counts.delete(0);
  const byCount = [...counts].sort(([a, m], [b, n]) => n - m || a - b);
  const numbered = byCount.map(([record], i): [number, number] => [record, i + RECORD_FINE + 1]);
  return new Map([[0, RECORD_NOTHING], ...numbered]);
}

/** Ranges counted in /64s; a /64 with changes inside it becomes RECORD_FINE and goes to the fine list in full. */
function splitAtHalf(ranges: readonly EncodedRange[], number: (record: number) => number) {
  const halves: EncodedRange[] = [];
  const fine: number[] = [];
  const addFine = (start: bigint, record: number) =>
    fine.push(mask32(start >> 96n), mask32(start >> 64n), mask32(start >> 32n), mask32(start), record);
  let fineEnd = 0n;
  let before = RECORD_NOTHING;
  for (const range of ranges) {
    const half = range.start >> 64n;
    // The last opened /64 has ended: its last record continues after it.
    if (fineEnd !== 0n && half >= fineEnd) {
      if (half > fineEnd || (range.start & LOW_64) !== 0n) halves.push({ start: fineEnd, record: before });
      fineEnd = 0n;
    }
    const record = number(range.record);
    if (fineEnd !== 0n) {
      addFine(range.start, record);
    } else if ((range.start & LOW_64) !== 0n) {
      if (halves.at(-1)?.start === half) halves.pop();
      halves.push({ start: half, record: RECORD_FINE });
      addFine(half << 64n, before);
      addFine(range.start, record);
      fineEnd = half + 1n;
    } else {
      halves.push({ start: half, record });
    }
    before = record;
  }
  if (fineEnd !== 0n && fineEnd < V6_END) halves.push({ start: fineEnd, record: before });
  return { ranges: halves, fine };
}

function pieces(ranges: readonly EncodedRange[], end: bigint, number = (record: number) => record): Piece[] {
  return ranges.map(({ start, record }, i) => ({
    start,
    length: (ranges[i + 1]?.start ?? end) - start,
    record: number(record),
  }));
}

/** A length whose significant bits do not fit into 32 becomes two ranges with the same record. */
function splitWide(piece: Piece): Piece[] {
  const width = piece.length.toString(2).replace(/0+$/, '').length;
  if (width <= 32) return [piece];
  const low = BigInt(piece.length.toString(2).length - 32);
  const head = (piece.length >> low) << low;
  const tail = { start: piece.start + head, length: piece.length - head, record: piece.record };
  return [{ ...piece, length: head }, ...splitWide(tail)];
}

function blocks(all: readonly Piece[], writeLength: (out: ByteWriter, length: bigint) => void) {
  const starts: bigint[] = [];
  const offsets: number[] = [];
  const out = new ByteWriter();
  for (const [i, { start, length, record }] of all.entries()) {
    if (i % BLOCK_RANGES === 0) {
      starts.push(start);
      offsets.push(out.length);
    }
    writeLength(out, length);
    out.varint(record);
  }
  return { starts, offsets, bytes: out.toBuffer() };
}

function writeV4Length(out: ByteWriter, length: bigint): void {
  const { odd, shift } = oddShift(length);
  if (odd <= 13n && shift < 32) {
    out.byte((((Number(odd) + 1) / 2) << 5) | shift);
  } else {
    out.byte(0);
    out.fixed(Number(length), 4);
  }
}

function writeV6Length(out: ByteWriter, length: bigint): void {
  const { odd, shift } = oddShift(length);
  const size = odd === 1n ? 0 : odd < 256n ? 1 : odd < 65536n ? 2 : 3;
  out.byte((size << 6) | shift);
  if (size > 0) out.fixed(Number(odd), size === 3 ? 4 : size);
}

function oddShift(length: bigint): { odd: bigint; shift: number } {
  let odd = length;
  let shift = 0;
  for (; (odd & 1n) === 0n; shift++) odd >>= 1n;
  return { odd, shift };
}

function words(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) buffer.writeUInt32LE(value, i * 4);
  return buffer;
}

function assemble(
  sections: readonly [keyof typeof HEADER, Buffer][],
  counts: { fineCount: number; countryCount: number },
): Buffer {
  const header = new Array<number>(HEADER_WORDS).fill(0);
  const parts: Buffer[] = [];
  let offset = HEADER_WORDS * 4;
  for (const [name, content] of sections) {
    header[HEADER[name]] = offset;
    const padding = Buffer.alloc(-content.length & 3);
    parts.push(content, padding);
    offset += content.length + padding.length;
  }
  header[HEADER.magic] = IP_TABLE_MAGIC;
  header[HEADER.end] = offset;
  header[HEADER.fineCount] = counts.fineCount;
  header[HEADER.countryCount] = counts.countryCount;
  return Buffer.concat([words(header), ...parts]);
}
