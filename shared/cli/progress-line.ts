const TERMINAL_MS = 250;
const FILE_MS = 5_000;

/** A line that shows progress: redrawn on a terminal, repeated now and then in a file. */
export function progressLine(stream: NodeJS.WriteStream = process.stderr, now: () => number = () => performance.now()) {
  let last = Number.NEGATIVE_INFINITY;
  let width = 0;
  return {
    show(text: () => string): void {
      if (now() - last < (stream.isTTY ? TERMINAL_MS : FILE_MS)) return;
      last = now();
      const line = text();
      stream.write(stream.isTTY ? `\r${line.padEnd(width)}` : `${line}\n`);
      width = line.length;
    },
    done(): void {
      if (stream.isTTY) stream.write(`\r${' '.repeat(width)}\r`);
    },
  };
}

export type ProgressLine = ReturnType<typeof progressLine>;
