/** Wakes a poller as soon as there may be something new, and at the latest when its own wait ends. */
export interface Waker {
  wake(): void;
  /** Counts the wake-ups: pass it to `wait` so that one between poll and wait is not lost. */
  count(): number;
  wait(since: number, patienceMs: number): Promise<void>;
}

export function waker(): Waker {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    wake: () => {
      count += 1;
      for (const resume of waiting) resume();
    },
    count: () => count,
    wait: (since, patienceMs) => {
      if (count !== since) return Promise.resolve();
      return new Promise((resolve) => {
        const resume = (): void => {
          clearTimeout(timer);
          waiting.delete(resume);
          resolve();
        };
        const timer = setTimeout(resume, patienceMs);
        waiting.add(resume);
      });
    },
  };
}
