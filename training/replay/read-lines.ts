import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/** The lines of a text file, gzipped or not, without line ends; as bytes, because most are read only once. */
export async function* readLines(file: string): AsyncGenerator<Buffer> {
  const bytes = createReadStream(file, { highWaterMark: 1 << 20 });
  const stream = file.endsWith('.gz') ? bytes.pipe(createGunzip({ chunkSize: 1 << 20 })) : bytes;
  // A pipe passes on data but not errors: an unreadable file must not hang.
  bytes.on('error', (error) => stream.destroy(error));
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = text.indexOf(10, from); end >= 0; end = text.indexOf(10, from)) {
      yield text.subarray(from, end > from && text[end - 1] === 13 ? end - 1 : end);
      from = end + 1;
    }
    rest = text.subarray(from);
  }
  if (rest.length > 0) yield rest;
}
