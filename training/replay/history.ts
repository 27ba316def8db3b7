import type { Declarations } from '../../shared/domain/declarations/declaration';
import { type HistoryLine, historyLine, LineFault } from './history-line';
import { readLines } from './read-lines';

export interface BadLine {
  /** From 1, as in editors. */
  readonly line: number;
  readonly reason: string;
}

/** A whole history in chronological order; validated lines are kept as text, which takes less memory. */
export interface History {
  readonly length: number;
  /** Lines in chronological order, with their position in the file. */
  lines(): Iterable<readonly [i: number, line: HistoryLine]>;
}

export interface HistoryBuilder {
  add(i: number, value: unknown): void;
  finish(): History;
}

const BLOCK_BYTES = 16 * 1024 * 1024;

export function historyBuilder(declared?: Declarations): HistoryBuilder {
  const blocks: Buffer[] = [];
  let used = BLOCK_BYTES;
  const entries: Array<{ readonly i: number; readonly at_ms: number; readonly block: number; readonly at: number }> =
    [];
  let isSorted = true;
  return {
    add(i, value) {
      const line = historyLine(value, declared);
      const { at_ms } = line;
      const text = JSON.stringify(line);
      const bytes = Buffer.byteLength(text);
      if (used + 4 + bytes > BLOCK_BYTES) {
        blocks.push(Buffer.allocUnsafe(Math.max(BLOCK_BYTES, 4 + bytes)));
        used = 0;
      }
      const block = blocks.at(-1) as Buffer;
      block.writeUInt32LE(bytes, used);
      block.write(text, used + 4);
      isSorted &&= at_ms >= (entries.at(-1)?.at_ms ?? 0);
      entries.push({ i, at_ms, block: blocks.length - 1, at: used });
      used += 4 + bytes;
    },
    finish() {
      // Lines with the same time keep the file's order.
      if (!isSorted) entries.sort((a, b) => a.at_ms - b.at_ms || a.i - b.i);
      return {
        length: entries.length,
        *lines() {
          for (const { i, block, at } of entries) {
            const bytes = blocks[block] as Buffer;
            const text = bytes.toString('utf8', at + 4, at + 4 + bytes.readUInt32LE(at));
            yield [i, JSON.parse(text) as HistoryLine] as const;
          }
        },
      };
    },
  };
}

/** Reads a history of JSON lines; an invalid line is reported and left out. */
export async function readEventFile(
  file: string,
  tellBad: (bad: BadLine) => void,
  declared?: Declarations,
): Promise<History> {
  const builder = historyBuilder(declared);
  let i = 0;
  for await (const bytes of readLines(file)) {
    const line = i + 1;
    try {
      if (bytes.length > 0) builder.add(i, parse(bytes.toString('utf8')));
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      tellBad({ line, reason: error.message });
    }
    i++;
  }
  return builder.finish();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LineFault('not a JSON object');
  }
}
