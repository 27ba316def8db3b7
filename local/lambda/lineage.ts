/** How often each function was invoked on the way to an event: what Lambda carries along to notice endless loops. */
export type Lineage = ReadonlyMap<string, number>;

/** Lambda stops a function after about this many invocations by one and the same chain of events. */
export const MAX_HOPS = 16;

const NAME = 'Lineage=1:';

/** As part of a trace header, which SDKs send along with every call. */
export const lineageText = (lineage: Lineage): string =>
  lineage.size === 0 ? '' : `;${NAME}${[...lineage].map(([name, hops]) => `${name}:${hops}`).join('|')}`;

/** The lineage in a trace header; empty where there is none. */
export function parseLineage(traceHeader: string | undefined): Lineage {
  const text = traceHeader?.split(';').find((part) => part.startsWith(NAME));
  const pairs = (text?.slice(NAME.length).split('|') ?? []).flatMap((pair) => {
    const [, name = '', hops = ''] = /^(.+):(\d+)$/.exec(pair) ?? [];
    return name ? [[name, Number(hops)] as const] : [];
  });
  return new Map(pairs);
}

/** One more invocation of a function by events of these lineages; of several, the longest way counts. */
export function nextLineage(functionName: string, before: readonly Lineage[]): Lineage {
  const merged = new Map<string, number>();
  for (const lineage of before) {
    for (const [name, hops] of lineage) merged.set(name, Math.max(merged.get(name) ?? 0, hops));
  }
  return merged.set(functionName, (merged.get(functionName) ?? 0) + 1);
}

/** Remembers which lineage a message was sent with, by its id. */
export interface MessageLineages {
  sent(messageId: string, lineage: Lineage): void;
  of(messageId: string): Lineage;
}

const REMEMBERED = 100_000;

export function messageLineages(): MessageLineages {
  const known = new Map<string, Lineage>();
  return {
    sent: (id, lineage) => {
      if (lineage.size === 0) return;
      known.set(id, lineage);
      const [oldest] = known.keys();
      if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
    },
    of: (id) => known.get(id) ?? new Map(),
  };
}
