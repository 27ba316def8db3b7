import type { CaseData } from '../state/case-view';
import { session } from '../state/session';
import type { Verdict } from '../state/verdicts';
import { clockTime, fullTime } from '../text/time';
import { nameOf, subjectOf, visible } from '../text/words';
import { PageHeading } from './page-heading';
import { bandOf } from './score';
import { Status } from './status';
import { Ago, TimeLeft } from './time-left';

const CIRCLE = 2 * Math.PI * 26;

/** The score as a ring; the number in it is the text. */
const ScoreRing = ({ value }: { value: number }) => (
  <span class={`ring ${bandOf(value)}`}>
    <svg viewBox="0 0 64 64" aria-hidden="true">
      <circle class="ring-track" cx="32" cy="32" r="26" />
      <circle class="ring-fill" cx="32" cy="32" r="26" stroke-dasharray={`${(value / 100) * CIRCLE} ${CIRCLE}`} />
    </svg>
    <b>{value}</b>
    <span class="hidden"> out of 100, risk score</span>
  </span>
);

/** Score, subject and status of a case at a glance. */
export function CaseHead({ data, verdict }: { readonly data: CaseData; readonly verdict: Verdict | undefined }) {
  const { reviewCase } = data;
  const { status, resolved_by, resolved_at, notes, assignee, claimed_until } = reviewCase;
  return (
    <header class="panel case-head">
      <ScoreRing value={reviewCase.risk_score} />
      <div class="case-title">
        <PageHeading>
          {subjectOf(reviewCase)} <span class="by">by {visible(reviewCase.user_id)}</span>
        </PageHeading>
        <p class="muted">
          <code>{reviewCase.case_id}</code>
          <span>
            opened <Ago since={reviewCase.created_at} />
          </span>
        </p>
      </div>
      <div class="case-standing">
        {verdict ? (
          <span class="status waiting">{verdict.status === 'approved' ? 'Approving…' : 'Rejecting…'}</span>
        ) : (
          <Status of={status} />
        )}
        {status === 'open' && <TimeLeft {...reviewCase} />}
        {status === 'open' && assignee && claimed_until && (
          <span class="muted claim">
            {assignee === session.value?.analystId ? 'You have' : `${visible(assignee)} has`} this case until{' '}
            {clockTime(claimed_until)}
          </span>
        )}
        {reviewCase.reason_code && <span class="chip">{nameOf(reviewCase.reason_code)}</span>}
        {resolved_at && (
          <span class="muted">
            by {resolved_by === null ? 'someone' : visible(resolved_by)}, {fullTime(resolved_at)}
          </span>
        )}
        {status === 'expired' && <span class="muted">on {fullTime(reviewCase.expires_at)}</span>}
      </div>
      {notes && <blockquote class="notes">{notes}</blockquote>}
    </header>
  );
}
