import { effect, signal } from '@preact/signals';

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
