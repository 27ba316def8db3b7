export interface WaitingLabel {
  readonly known_at_ms: number;
  readonly ulid: string;
  readonly account_id: string;
  readonly label: 0 | 1;
}

/** Labels in the order in which they become known: a binary heap, ties in the order they were added. */
export interface LabelFeed {
  add(label: WaitingLabel): void;
  take(nowMs: number): WaitingLabel | undefined;
}

type Held = WaitingLabel & { readonly order: number };

const isBefore = (one: Held, other: Held): boolean =>
  one.known_at_ms < other.known_at_ms || (one.known_at_ms === other.known_at_ms && one.order < other.order);

export function labelFeed(): LabelFeed {
  const heap: Held[] = [];
  let added = 0;

  /** Moves parents down until the label fits. */
  function rise(label: Held, from: number): void {
    let at = from;
    while (at > 0) {
      const parent = heap[(at - 1) >> 1] as Held;
      if (!isBefore(label, parent)) break;
      heap[at] = parent;
      at = (at - 1) >> 1;
    }
    heap[at] = label;
  }

  /** Moves the earlier child up, from the top, until the label fits. */
  function sink(label: Held): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      const earlier = right !== undefined && isBefore(right, left) ? right : left;
      if (earlier === right) child += 1;
      if (!isBefore(earlier, label)) break;
      heap[at] = earlier;
      at = child;
    }
    heap[at] = label;
  }

  return {
    add({ known_at_ms, ulid, account_id, label }) {
      rise({ known_at_ms, ulid, account_id, label, order: added++ }, heap.length);
    },
    take(nowMs) {
      const first = heap[0];
      if (first === undefined || first.known_at_ms > nowMs) return undefined;
      const last = heap.pop() as Held;
      if (heap.length > 0) sink(last);
      return first;
    },
  };
}
