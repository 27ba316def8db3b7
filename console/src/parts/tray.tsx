import { useEffect } from 'preact/hooks';
import type { Failure } from '../api/failure';
import { now } from '../state/clock';
import { caseAddress, goTo } from '../state/route';
import { dismiss, GRACE_MS, type Notice, notices, send, undo, type Verdict, verdicts } from '../state/verdicts';
import { timeAgo } from '../text/time';
import { CheckIcon, CrossIcon, UndoIcon, WarningIcon } from './icons';
import { Shortcut } from './shortcut';

const DONE_SHOWN_MS = 6_000;

const reasonOf = (failure: Failure | undefined): string => {
  if (!failure || failure.kind === 'offline') return 'You are offline. It will be sent when you reconnect.';
  return failure.message;
};

/** Takes the last decision back and shows its case again. */
export function undoAndShow(): void {
  const reviewCase = undo();
  if (reviewCase) goTo({ page: 'case', caseId: reviewCase.case_id });
}

function VerdictLine({ verdict, isLast }: { readonly verdict: Verdict; readonly isLast: boolean }) {
  const { reviewCase, status, phase, failure } = verdict;
  const verb = status === 'approved' ? 'Approving' : 'Rejecting';
  return (
    <div class={`toast ${phase}`} {...(phase === 'failed' ? { role: 'alert' } : {})}>
      {phase === 'failed' ? <WarningIcon /> : status === 'approved' ? <CheckIcon /> : <CrossIcon />}
      <p>
        {phase === 'failed' ? 'Not sent: ' : `${verb} `}
        <a href={caseAddress(reviewCase.case_id)}>{reviewCase.user_id}</a>
        {phase === 'failed' && <span class="toast-more">{reasonOf(failure)}</span>}
      </p>
      {phase === 'failed' && (
        <button type="button" class="button small" onClick={() => void send(verdict)}>
          Retry
        </button>
      )}
      {phase !== 'sending' && isLast && (
        <button type="button" class="button small" onClick={undoAndShow}>
          <UndoIcon /> Undo <Shortcut of="u" />
        </button>
      )}
      {phase === 'waiting' && <span class="grace" data-ms={GRACE_MS} aria-hidden="true" />}
    </div>
  );
}

function NoticeLine({ notice }: { readonly notice: Notice }) {
  const { kind, reviewCase } = notice;
  const { case_id, user_id, status, resolved_by, resolved_at } = reviewCase;
  useEffect(() => {
    if (kind !== 'done') return undefined;
    const timer = setTimeout(() => dismiss(notice), DONE_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, kind]);
  const link = <a href={caseAddress(case_id)}>{user_id}</a>;
  if (kind === 'done') {
    return (
      <div class="toast done" role="status">
        <CheckIcon />
        <p>
          {status === 'approved' ? 'Approved' : 'Rejected'} {link}
        </p>
      </div>
    );
  }
  return (
    <div class="toast beaten" role="alert">
      <WarningIcon />
      <p>
        {status === 'expired' ? (
          <>The case for {link} has expired.</>
        ) : (
          <>
            {resolved_by ?? 'Someone else'} already {status} the case for {link}
            {resolved_at && ` (${timeAgo(resolved_at, now.value)})`}.
          </>
        )}
        <span class="toast-more">Your decision was not saved.</span>
      </p>
      <button type="button" class="button small" onClick={() => dismiss(notice)}>
        Dismiss
      </button>
    </div>
  );
}

/** At the foot of the page: pending decisions and their results. */
export function Tray() {
  const last = verdicts.value.findLast(({ phase }) => phase !== 'sending');
  if (verdicts.value.length + notices.value.length === 0) return null;
  return (
    <section class="tray" aria-label="Pending decisions">
      {notices.value.map((each) => (
        <NoticeLine key={`${each.kind} ${each.reviewCase.case_id}`} notice={each} />
      ))}
      {verdicts.value.map((each) => (
        <VerdictLine key={each.reviewCase.case_id} verdict={each} isLast={each === last} />
      ))}
    </section>
  );
}
