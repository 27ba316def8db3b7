import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

/** One line that a function printed. */
export interface LogLine {
  readonly function: string;
  readonly line: string;
}

export type LogListener = (line: LogLine) => void;

/** Where functions' output goes: one file per function, every listener, and (errors always) the terminal. */
export interface Logs {
  /** A sink for one function's raw output. */
  sink(functionName: string): (text: string) => void;
  listen(listener: LogListener): () => void;
  close(): Promise<void>;
}

// Powertools writes `"level":"ERROR"`; uncaught errors come from the worker in the same form.
const ERROR = /"level":\s*"(?:ERROR|CRITICAL)"/i;

export function logs(directory: string, print: (line: string) => void, verbose: boolean): Logs {
  mkdirSync(directory, { recursive: true });
  const listeners = new Set<LogListener>();
  const files = new Map<string, WriteStream>();

  const emit = (name: string, line: string): void => {
    files.get(name)?.write(`${line}\n`);
    if (verbose || ERROR.test(line)) print(`[${name}] ${line}`);
    for (const listener of listeners) listener({ function: name, line });
  };

  return {
    sink: (name) => {
      files.set(name, createWriteStream(join(directory, `${name}.log`), { flags: 'a' }));
      let rest = '';
      return (text) => {
        const lines = `${rest}${text}`.split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line !== '') emit(name, line);
      };
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      await Promise.all([...files.values()].map((file) => new Promise((resolve) => file.end(resolve))));
    },
  };
}
