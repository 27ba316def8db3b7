import type { CaseStatus, Decision, ReviewCase } from '../api/types';
import { now, shortcutsOn } from '../state/page';
import {
  elapsedShare,
  fullTime,
  nameOf,
  shortTime,
  spokenTime,
  supposedText,
  tellingSignals,
  timeAgo,
} from '../text/words';

export const Shortcut = ({ of }: { of: string }) =>
  shortcutsOn.value ? (
    <span class="key" aria-hidden="true">
      {of}
    </span>
  ) : null;

const WORDS: Readonly<Record<CaseStatus, string>> = {
  open: 'Open',
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired',
};

export const Status = ({ of }: { of: CaseStatus }) => <span class={`status ${of}`}>{WORDS[of]}</span>;

/** The band of a score, for its colour; the number itself is always next to it. */
export const bandOf = (score: number): 'low' | 'mid' | 'high' => (score >= 75 ? 'high' : score >= 50 ? 'mid' : 'low');

export const Score = ({ value }: { value: number }) => (
  <span class={`score ${bandOf(value)}`}>
    <span class="hidden">Score </span>
    <b>{value}</b>
    <svg class="score-meter" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="4" />
      <rect class="fill" width={value} height="4" />
    </svg>
  </span>
);

/** Changes that would have led to a milder decision; renders nothing if there are none. */
export function WhatIf({ decision }: { readonly decision: Decision }) {
  const { what_if = [] } = decision.explanation;
  if (what_if.length === 0) return null;
  return (
    <div class="what-if">
      <h3>Would have been</h3>
      <ul>
        {what_if.map((each) => {
          const text = supposedText(each, decision.currency ?? '');
          return <li key={text}>{text}</li>;
        })}
      </ul>
    </div>
  );
}

/** Signal names as chips; the rest as a number. */
export function Signals({
  names: all,
  most = all.length,
}: {
  readonly names: readonly string[];
  readonly most?: number;
}) {
  const names = tellingSignals(all);
  const rest = names.slice(most);
  return (
    <span class="chips">
      <span class="hidden">Signals: </span>
      {names.slice(0, most).map((name) => (
        <span class="chip" key={name}>
          {nameOf(name)}
          <span class="hidden">, </span>
        </span>
      ))}
      {rest.length > 0 && (
        <span class="chip more" title={rest.map(nameOf).join(', ')}>
          +{rest.length}
          <span class="hidden"> more</span>
        </span>
      )}
    </span>
  );
}

const URGENT_MS = 24 * 60 * 60 * 1000;

type Span = Pick<ReviewCase, 'created_at' | 'expires_at'>;

/** The age of something, for a column: `2 h 5 min`. */
export const Age = ({ since }: { since: string }) => {
  const ms = now.value - Date.parse(since);
  return (
    <time dateTime={since} title={fullTime(since)}>
      <span aria-hidden="true">{shortTime(ms)}</span>
      <span class="hidden">{spokenTime(ms)} old</span>
    </time>
  );
};

/** When something happened, in a sentence: `2 h 5 min ago`, `just now`. */
export const Ago = ({ since }: { since: string }) => (
  <time dateTime={since} title={fullTime(since)}>
    {timeAgo(since, now.value)}
  </time>
);

export const TimeLeft = ({ created_at, expires_at }: Span) => {
  const ms = Date.parse(expires_at) - now.value;
  const left = 1 - elapsedShare(created_at, expires_at, now.value);
  return (
    <span class={`time-left ${ms < URGENT_MS ? 'urgent' : ''}`} title={`Expires ${fullTime(expires_at)}`}>
      <span aria-hidden="true">{ms > 0 ? `${shortTime(ms)} left` : 'expired'}</span>
      <span class="hidden">{ms > 0 ? `${spokenTime(ms)} left` : 'expired'}</span>
      <svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track" width="100" height="3" />
        <rect class="fill" width={Math.max(left * 100, ms > 0 ? 2 : 0)} height="3" />
      </svg>
    </span>
  );
};
