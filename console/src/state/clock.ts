import { signal } from '@preact/signals';

const TICK_MS = 10_000;

/** The time, in steps that ages and countdowns need. */
export const now = signal(Date.now());

setInterval(() => {
  now.value = Date.now();
}, TICK_MS);

/** Calls back every so often while somebody can see the page, and at once when they come back to it. */
export function whileVisible(everyMs: number, run: () => void): () => void {
  const tick = (): void => {
    if (document.visibilityState === 'visible') run();
  };
  const timer = setInterval(tick, everyMs);
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}
