import { signal } from '@preact/signals';

/** What a screen reader says next, without moving the focus. */
export const announcement = signal('');

export function announce(text: string): void {
  // The same words twice in a row would be no change, and so not be read.
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
}
