import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { announcement, isHelpOpen, THEMES, theme, whileVisible } from '../state/page';
import { countCases, counts } from '../state/queue';
import { addressOf, lastFilter, route } from '../state/route';
import { isOnline, session, signOut } from '../state/session';
import { confirmed, forgetVerdicts, sendAll, verdicts } from '../state/verdicts';
import { visible, wholeNumber } from '../text/words';
import { HelpIcon, LeaveIcon, MoonIcon, OfflineIcon, ScreenIcon, ShieldIcon, SunIcon } from './panel';

const COUNT_MS = 60_000;

const THEME_ICON = { system: ScreenIcon, light: SunIcon, dark: MoonIcon };

function ThemeButton() {
  const Icon = THEME_ICON[theme.value];
  const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  return (
    <button
      type="button"
      class="icon-button"
      title={`Theme: ${theme.value}. Switch to ${next}.`}
      aria-label={`Theme: ${theme.value}`}
      onClick={() => {
        theme.value = next;
      }}
    >
      <Icon />
    </button>
  );
}

/** Pending decisions are sent before signing out; if one cannot be sent, the analyst stays signed in. */
async function leave(): Promise<void> {
  await sendAll();
  if (verdicts.value.length > 0) return;
  forgetVerdicts();
  signOut();
}

function Navigation() {
  const { page } = route.value;
  const current = (isIt: boolean) => (isIt ? { 'aria-current': 'page' as const } : {});
  const open = counts.value?.open;
  return (
    <nav aria-label="Pages">
      <a
        href={addressOf({ page: 'queue', filter: lastFilter.value })}
        {...current(page === 'queue' || page === 'case')}
      >
        Queue
        {open !== undefined && (
          <span class="count">
            {wholeNumber(open)}
            <span class="hidden"> open</span>
          </span>
        )}
      </a>
      <a
        href={addressOf({ page: 'decisions', kind: 'block', from: '', to: '' })}
        {...current(['decisions', 'decision', 'user', 'find'].includes(page))}
      >
        Decisions
      </a>
      <a href={addressOf({ page: 'overview', range: '7d' })} {...current(page === 'overview')}>
        Overview
      </a>
      <a href={addressOf({ page: 'lists' })} {...current(page === 'lists')}>
        Lists
      </a>
      {session.value?.canSeeKeys && (
        <a href={addressOf({ page: 'keys' })} {...current(page === 'keys')}>
          Keys
        </a>
      )}
      <a href={addressOf({ page: 'rules' })} {...current(page === 'rules')}>
        Rules
      </a>
      <a href={addressOf({ page: 'declarations' })} {...current(page === 'declarations')}>
        Definitions
      </a>
    </nav>
  );
}

export function Shell({ children }: { children: ComponentChildren }) {
  const { analystId = '', stage = 'sandbox', isProven = false, isByProvider = false } = session.value ?? {};
  // The queue counts for itself; elsewhere the badge would show the count from when the analyst left it.
  const recount = (): void => {
    if (route.value.page !== 'queue') void countCases(lastFilter.value);
  };
  useEffect(() => whileVisible(COUNT_MS, recount), []);
  useSignalEffect(() => {
    if (confirmed.value > 0) recount();
  });
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to main content
      </button>
      <header class="bar">
        <span class="brand">
          <ShieldIcon />
          <span class="brand-name">Review console</span>
        </span>
        <Navigation />
        <div class="bar-end">
          <span class={`stage ${stage}`}>{stage === 'production' ? 'Live' : 'Sandbox'}</span>
          <span
            class="analyst"
            title={`Signed in as ${visible(analystId)}${isByProvider ? ', by your organization' : isProven ? ', by a personal key' : ''}`}
          >
            {isProven && <ShieldIcon />}
            {visible(analystId)}
          </span>
          <ThemeButton />
          <button
            type="button"
            class="icon-button"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
            onClick={() => {
              isHelpOpen.value = true;
            }}
          >
            <HelpIcon />
          </button>
          <button type="button" class="icon-button" aria-label="Sign out" title="Sign out" onClick={() => void leave()}>
            <LeaveIcon />
          </button>
        </div>
      </header>
      {!isOnline.value && (
        <p class="offline" role="status">
          <OfflineIcon /> {navigator.onLine ? 'Cannot reach the service.' : 'You are offline.'} This page may be out of
          date.
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <div class="hidden" role="status" aria-live="polite">
        {announcement.value}
      </div>
    </>
  );
}
