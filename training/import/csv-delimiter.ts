import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** What separates the columns of files that call themselves CSV: Excel writes semicolons in half of Europe. */
const DELIMITERS = [',', ';', '\t', '|'] as const;
/** More than any header has. */
const MOST_HEADER_BYTES = 1_000_000;

/** The text of a file, unpacked if its name says that it is gzipped. */
export function textOf(file: string): Readable {
  const bytes = createReadStream(file);
  // The reader learns of a failure from the stream itself.
  return file.endsWith('.gz') ? pipeline(bytes, createGunzip(), () => undefined) : bytes;
}

/** The delimiter by which a header has this column; a comma if there is none. */
export function delimiterOf(header: string, column: string): string {
  const isColumn = (name: string) =>
    name
      .replace(/^\uFEFF/, '')
      .replaceAll('"', '')
      .trim()
      .toLowerCase() === column;
  return DELIMITERS.find((delimiter) => header.split(delimiter).some(isColumn)) ?? ',';
}

/** The first line of a file. */
export async function headerOf(file: string): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of textOf(file) as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (chunk.includes('\n') || length > MOST_HEADER_BYTES) break;
  }
  return (
    Buffer.concat(chunks)
      .toString('utf8')
      .trimStart()
      .split(/\r?\n|\r/, 1)[0] ?? ''
  );
}
