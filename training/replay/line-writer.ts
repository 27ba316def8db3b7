import { closeSync, openSync, writeSync } from 'node:fs';

const BLOCK_CHARACTERS = 1 << 20;

export interface LineWriter {
  write(line: object): void;
  close(): void;
}

/** A stream would wait for the event loop, to which a replay never returns: all lines would stay in memory until the end. */
export function lineWriter(file: string): LineWriter {
  const descriptor = openSync(file, 'w');
  let block = '';
  const flush = () => {
    const bytes = Buffer.from(block);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    block = '';
  };
  return {
    write(line) {
      block += `${JSON.stringify(line)}\n`;
      if (block.length >= BLOCK_CHARACTERS) flush();
    },
    close() {
      flush();
      closeSync(descriptor);
    },
  };
}
