import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

export interface LogLine {
  readonly function: string;
  readonly line: string;
}

export type LogListener = (line: LogLine) => void;

/** Where functions' output goes: one file per function, every listener, and (errors always) the terminal. */
export interface Logs {
  sink(functionName: string): (text: string) => void;
  listen(listener: LogListener): () => void;
  close(): Promise<void>;
}

// Powertools writes `"level":"ERROR"`; uncaught errors come from the worker in the same form.
const ERROR = /"level":\s*"(?:ERROR|CRITICAL)"/i;

const MOST_CHARACTERS = 300;

/** An error in one line for people: what failed, why, and for which request. */
export function errorText(line: string): string {
  try {
    const { message, request_id, errorType, errorMessage, ...rest } = JSON.parse(line);
    // Lambda itself writes of an uncaught error in its own words.
    const error = rest.error ?? (errorType && { name: errorType, message: errorMessage });
    const why = error ? `: ${error.name ?? 'Error'}: ${error.message ?? error}` : '';
    const text = `${message}${why}`.replace(/\s+/g, ' ').replace(/\.$/, '');
    const shown = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
    return `${shown}${request_id ? ` (request ${request_id})` : ''}.`;
  } catch {
    return line.slice(0, MOST_CHARACTERS);
  }
}

export function logs(directory: string, print: (line: string) => void, verbose: boolean): Logs {
  mkdirSync(directory, { recursive: true });
  const listeners = new Set<LogListener>();
  const files = new Map<string, WriteStream>();

  const emit = (name: string, line: string): void => {
    files.get(name)?.write(`${line}\n`);
    if (verbose) print(`[${name}] ${line}`);
    else if (ERROR.test(line)) print(`[${name}] ${errorText(line)} All of it: ${join(directory, `${name}.log`)}`);
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

/** How often each function was invoked on the way to an event, as Lambda tracks it to detect endless loops. */
export type Lineage = ReadonlyMap<string, number>;

/** Lambda stops a function after about this many invocations by the same chain of events. */
export const MAX_HOPS = 16;

const NAME = 'Lineage=1:';

/** As part of a trace header, which SDKs send with every call. */
export const lineageText = (lineage: Lineage): string =>
  lineage.size === 0 ? '' : `;${NAME}${[...lineage].map(([name, hops]) => `${name}:${hops}`).join('|')}`;

export function parseLineage(traceHeader: string | undefined): Lineage {
  const text = traceHeader?.split(';').find((part) => part.startsWith(NAME));
  const pairs = (text?.slice(NAME.length).split('|') ?? []).flatMap((pair) => {
    const [, name = '', hops = ''] = /^(.+):(\d+)$/.exec(pair) ?? [];
    return name ? [[name, Number(hops)] as const] : [];
  });
  return new Map(pairs);
}

/** One more invocation of a function by events of these lineages; of several, the longest counts. */
export function nextLineage(functionName: string, before: readonly Lineage[]): Lineage {
  const merged = new Map<string, number>();
  for (const lineage of before) {
    for (const [name, hops] of lineage) merged.set(name, Math.max(merged.get(name) ?? 0, hops));
  }
  return merged.set(functionName, (merged.get(functionName) ?? 0) + 1);
}

/** The attribute that carries a message's lineage here: SQS has a system attribute for it, which fauxqs does not support. */
const ATTRIBUTE = 'local.lineage';

interface Attribute {
  readonly DataType: string;
  readonly StringValue?: string;
}
type Attributes = Readonly<Record<string, Attribute>>;

export function withLineage<T extends { readonly MessageAttributes?: Attributes }>(message: T, traceHeader: string): T {
  const text = lineageText(parseLineage(traceHeader));
  if (text === '') return message;
  const attribute = { [ATTRIBUTE]: { DataType: 'String', StringValue: text } };
  return { ...message, MessageAttributes: { ...message.MessageAttributes, ...attribute } };
}

/** The attributes of a received message as its receiver sees them, and its lineage separately. */
export function splitLineage<A extends Attribute>(
  attributes: Readonly<Record<string, A>> = {},
): { readonly attributes: Readonly<Record<string, A>>; readonly lineage: Lineage } {
  const { [ATTRIBUTE]: own, ...rest } = attributes;
  return { attributes: rest as Readonly<Record<string, A>>, lineage: parseLineage(own?.StringValue) };
}
