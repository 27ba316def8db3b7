interface Linked {
  readonly ulid: string;
  readonly user: string | undefined;
  readonly atMs: number;
  readonly kept_until_ms: number;
}

interface Item {
  linked: Linked | undefined;
  held: Set<string>;
  due_ms: number | undefined;
}

/** References in memory: their subjects, and what waits for them. */
export function memoryReferences() {
  const items = new Map<string, Item>();
  const keyOf = (accountId: string, name: string): string => `${accountId}#${name}`;
  const get = (accountId: string, name: string): Item =>
    items.get(keyOf(accountId, name)) ?? { linked: undefined, held: new Set(), due_ms: undefined };
  const put = (accountId: string, name: string, item: Item) => void items.set(keyOf(accountId, name), item);
  const linkedAt = ({ linked }: Item, nowMs: number) => (linked && nowMs < linked.kept_until_ms ? linked : undefined);
  return {
    find(accountId: string, name: string, nowMs: number) {
      const item = items.get(keyOf(accountId, name));
      if (!item) return undefined;
      const linked = linkedAt(item, nowMs);
      return { ulid: linked?.ulid, at_ms: linked?.atMs, held: [...item.held].sort() };
    },
    /** Those that belong to another user's screening. */
    taken: (accountId: string, names: readonly string[], { ulid, user, atMs }: Linked): string[] =>
      names.filter((name) => {
        const owner = linkedAt(get(accountId, name), atMs);
        return owner && owner.ulid !== ulid && (owner.user === undefined || owner.user !== user);
      }),
    link(accountId: string, names: readonly string[], linked: Linked): void {
      for (const name of names) {
        const { held, due_ms } = get(accountId, name);
        put(accountId, name, { held, linked, due_ms: due_ms === undefined ? undefined : linked.atMs });
      }
    },
    hold(accountId: string, name: string, text: string, untilMs: number): void {
      put(accountId, name, { linked: undefined, held: get(accountId, name).held.add(text), due_ms: untilMs });
    },
    release(accountId: string, name: string, nowMs: number): void {
      const item = items.get(keyOf(accountId, name));
      if (item && (item.linked || (item.due_ms ?? nowMs + 1) <= nowMs))
        put(accountId, name, { ...item, held: new Set(), due_ms: undefined });
    },
    /** References that lead to a screening, by name. */
    leadingTo: (accountId: string, ulid: string): string[] =>
      [...items].flatMap(([key, { linked }]) =>
        key.startsWith(`${accountId}#`) && linked?.ulid === ulid ? [key.slice(accountId.length + 1)] : [],
      ),
    remove: (accountId: string, name: string): void => void items.delete(keyOf(accountId, name)),
    due: (nowMs: number) =>
      [...items]
        .filter(([, { due_ms }]) => due_ms !== undefined && due_ms <= nowMs)
        .map(([key]) => ({ account_id: key.slice(0, key.indexOf('#')), name: key.slice(key.indexOf('#') + 1) })),
  };
}

export type MemoryReferences = ReturnType<typeof memoryReferences>;
