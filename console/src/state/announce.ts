import { signal } from '@preact/signals';

/** What a screen reader says next, without moving the focus. */
export const announcement = signal('');

export function announce(text: string): void {
  // Repeating the same text would not be a change, so it would not be read out.
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
}
