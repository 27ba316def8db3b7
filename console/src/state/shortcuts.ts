import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

/** Shortcuts can be disabled (WCAG 2.1.4): dictation software would trigger them by speech. */
export const shortcutsOn = signal(true);
export const isHelpOpen = signal(false);

type Shortcuts = Readonly<Record<string, () => void>>;

const active = new Set<{ current: Shortcuts }>();

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape' && isTyping(event.target)) {
    (event.target as HTMLElement).blur();
    return;
  }
  if (!shortcutsOn.value || isHelpOpen.value || isTyping(event.target)) return;
  for (const { current } of [...active].reverse()) {
    const run = current[event.key];
    if (!run) continue;
    event.preventDefault();
    run();
    return;
  }
});

/** Keys that work while a component is on the screen; the last one to come wins. */
export function useShortcuts(shortcuts: Shortcuts): void {
  // Before the browser paints: a key pressed the moment a page shows must not be lost.
  useLayoutEffect(() => {
    const entry = { current: shortcuts };
    active.add(entry);
    return () => void active.delete(entry);
  });
}
