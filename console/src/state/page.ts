import { effect, signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';

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

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEPT_AS = 'console-theme';

/** A browser may forbid storage altogether; then the choice lasts as long as the page. */
function kept(): string | null {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

export const theme = signal<Theme>(THEMES.find((known) => known === kept()) ?? 'system');

effect(() => {
  const { value } = theme;
  if (value === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = value;
  try {
    if (value === 'system') localStorage.removeItem(KEPT_AS);
    else localStorage.setItem(KEPT_AS, value);
  } catch {
    // The choice lasts as long as the page.
  }
});

/** The next text for a screen reader to say, without moving the focus. */
export const announcement = signal('');

const SAID_MS = 10_000;
let timer: ReturnType<typeof setTimeout> | undefined;

export function announce(text: string): void {
  // Repeating the same text would not be a change, so it would not be read out.
  announcement.value = announcement.value === text ? `${text}\u00a0` : text;
  // Cleared, because it is no longer true for somebody who comes across it later.
  clearTimeout(timer);
  timer = setTimeout(() => {
    announcement.value = '';
  }, SAID_MS);
}

/** Shortcuts can be disabled (WCAG 2.1.4): dictation software would trigger them by speech. */
export const shortcutsOn = signal(true);
export const isHelpOpen = signal(false);

type Shortcuts = Readonly<Record<string, () => void>>;

const active = new Set<{ current: Shortcuts }>();

/** A checkbox takes no letters: a click on one leaves the shortcuts on. */
const TYPED = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest(TYPED) !== null;

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

/** Keys that work while a component is on the screen; the one mounted last wins. */
export function useShortcuts(shortcuts: Shortcuts): void {
  // Before the browser paints: a key pressed the moment a page shows must not be lost.
  useLayoutEffect(() => {
    const entry = { current: shortcuts };
    active.add(entry);
    return () => void active.delete(entry);
  });
}
