import type { ReviewCase } from '../api/types';
import { now } from '../state/clock';
import { elapsedShare, fullTime, shortTime, spokenTime, timeAgo } from '../text/time';

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

/** How much time is left to resolve an open case, as text over a shrinking bar. */
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
