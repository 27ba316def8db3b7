import { signal } from '@preact/signals';

const TICK_MS = 10_000;

/** The current time, updated as often as ages and countdowns need. */
export const now = signal(Date.now());

setInterval(() => {
  now.value = Date.now();
}, TICK_MS);

/** Calls back at an interval while the page is visible, and immediately when it becomes visible again. */
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
