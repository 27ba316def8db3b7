import { signal } from '@preact/signals';

/** What a screen reader says next, without moving the focus. */
export const announcement = signal('');

const SAID_MS = 10_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  // Repeating the same text would not be a change, so it would not be read out.
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
  // What was said is no longer true for somebody who comes across it later.
  clearTimeout(timer);
  timer = setTimeout(() => {
    announcement.value = '';
  }, SAID_MS);
}
