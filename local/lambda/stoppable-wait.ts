import type { Wait } from './invoke-asynchronously';

/** Waits that end with the run: true after the time, false if it was stopped before. */
export function stoppableWait(): { readonly wait: Wait; stop(): void } {
  const waiting = new Set<() => void>();
  let stopped = false;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        if (stopped) return resolve(false);
        const settle = (): void => {
          clearTimeout(timer);
          waiting.delete(settle);
          resolve(!stopped);
        };
        const timer = setTimeout(settle, ms);
        timer.unref();
        waiting.add(settle);
      }),
    stop: () => {
      stopped = true;
      for (const settle of [...waiting]) settle();
    },
  };
}
