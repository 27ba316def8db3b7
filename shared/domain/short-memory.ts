/** How long an answer is remembered, and how many at most. */
export interface MemoryLimits {
  readonly lifeMs: number;
  readonly most: number;
}

/**
 * Remembers for a short time what was found, in the memory of one environment. What was not found is asked for again:
 * a key or an account that was created a moment ago works at once.
 */
export function shortMemory<Found>(
  ask: (name: string) => Promise<Found | undefined>,
  now: () => number,
  { lifeMs, most }: MemoryLimits,
): (name: string) => Promise<Found | undefined> {
  const held = new Map<string, { readonly found: Found; readonly untilMs: number }>();
  return async (name) => {
    const known = held.get(name);
    if (known && known.untilMs > now()) return known.found;
    const askedAtMs = now();
    held.delete(name);
    const found = await ask(name);
    if (found === undefined) return undefined;
    // The oldest goes: entries are in the order in which they were requested.
    if (held.size >= most) held.delete(held.keys().next().value as string);
    held.set(name, { found, untilMs: askedAtMs + lifeMs });
    return found;
  };
}
