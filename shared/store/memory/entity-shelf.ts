import { NAME } from '../entities/entity-attributes';
import { counterOf, type LiveItem, wireValue } from '../sdk/attribute-value';

/** Items in use are kept as objects, others as text: a third of the memory, for 10 µs when one is needed again. */
const MOST_IN_USE = 20_000;

export function entityShelf() {
  /** Items used since the last time room was made, and those used before that: the second generation is put away next. */
  let inUse = new Map<string, LiveItem>();
  let earlier = new Map<string, LiveItem>();
  const stored = new Map<string, string>();

  function find(key: string): LiveItem | undefined {
    const item = inUse.get(key);
    if (item !== undefined) return item;
    const text = stored.get(key);
    const found = earlier.get(key) ?? (text === undefined ? undefined : (new Map(JSON.parse(text)) as LiveItem));
    if (found !== undefined) put(key, found);
    return found;
  }

  function put(key: string, item: LiveItem): void {
    inUse.set(key, item);
    if (!earlier.delete(key)) stored.delete(key);
    if (inUse.size > MOST_IN_USE / 2) makeRoom();
  }

  function makeRoom(): void {
    for (const [key, item] of earlier) stored.set(key, JSON.stringify([...item]));
    earlier = inUse;
    inUse = new Map();
  }

  return {
    /** The item itself, which may be changed: it does not have to be put back. */
    get(key: string, nowMs: number): LiveItem | undefined {
      const item = find(key);
      const ttl = wireValue(item?.get(NAME.ttl));
      return ttl !== undefined && counterOf(ttl) * 1000 <= nowMs ? undefined : item;
    },
    put,
    drop(key: string): void {
      inUse.delete(key);
      earlier.delete(key);
      stored.delete(key);
    },
    get size(): number {
      return inUse.size + earlier.size + stored.size;
    },
  };
}
