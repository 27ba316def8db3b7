/** A label that waits for its time. */
export interface WaitingLabel {
  readonly known_at_ms: number;
  readonly ulid: string;
  readonly label: 0 | 1;
}

/** Labels in the order in which they become known: a binary heap, ties in the order they were added. */
export interface LabelFeed {
  add(label: WaitingLabel): void;
  /** The next label that is known at this time, or undefined. */
  take(nowMs: number): WaitingLabel | undefined;
}

/** An empty feed. */
export function labelFeed(): LabelFeed {
  const heap: Array<WaitingLabel & { readonly order: number }> = [];
  let added = 0;
  const isBefore = (a: number, b: number): boolean => {
    const [one, other] = [heap[a] as (typeof heap)[number], heap[b] as (typeof heap)[number]];
    return one.known_at_ms < other.known_at_ms || (one.known_at_ms === other.known_at_ms && one.order < other.order);
  };
  const swap = (a: number, b: number): void => {
    const held = heap[a] as (typeof heap)[number];
    heap[a] = heap[b] as (typeof heap)[number];
    heap[b] = held;
  };
  return {
    add(label) {
      let at = heap.push({ ...label, order: added++ }) - 1;
      while (at > 0 && isBefore(at, (at - 1) >> 1)) {
        swap(at, (at - 1) >> 1);
        at = (at - 1) >> 1;
      }
    },
    take(nowMs) {
      const first = heap[0];
      if (first === undefined || first.known_at_ms > nowMs) return undefined;
      swap(0, heap.length - 1);
      heap.pop();
      for (let at = 0; ; ) {
        let least = at;
        for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && isBefore(child, least)) least = child;
        if (least === at) return first;
        swap(at, least);
        at = least;
      }
    },
  };
}
