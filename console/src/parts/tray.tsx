import { useEffect } from 'preact/hooks';
import { type Failure, hasCode } from '../api/client';
import { now } from '../state/page';
import { pick, ringView } from '../state/queue';
import { caseAddress, goTo, goToQueue } from '../state/route';
import { dismiss, GRACE_MS, type Notice, notices, send, undo, type Verdict, verdicts } from '../state/verdicts';
import { nameOf, plural, timeAgo, visible } from '../text/words';
import { Shortcut } from './labels';
import { CheckIcon, CrossIcon, UndoIcon, WarningIcon } from './panel';

const DONE_SHOWN_MS = 6_000;

const reasonOf = (failure: Failure | undefined): string | undefined =>
  navigator.onLine ? failure?.message : 'You are offline. It will be sent when you reconnect.';

/** Takes the last decision back and shows its case again; of several, the list or ring with all of them picked. */
export function undoAndShow(): void {
  const cases = undo();
  const [first] = cases;
  if (!first) return;
  if (cases.length === 1) goTo({ page: 'case', caseId: first.case_id });
  else {
    pick(cases.map(({ case_id }) => case_id));
    if (!ringView.value.data?.some(({ case_id }) => case_id === first.case_id)) goToQueue();
  }
}

function VerdictLine({ verdict, isLast }: { readonly verdict: Verdict; readonly isLast: boolean }) {
  const { reviewCase, others, status, phase, failure } = verdict;
  const isHeld = failure !== undefined && hasCode(failure, 'case_claimed');
  const verb = status === 'approved' ? 'Approving' : 'Rejecting';
  return (
    <div class={`toast ${phase}`} {...(phase === 'failed' ? { role: 'alert' } : {})}>
      {phase === 'failed' ? <WarningIcon /> : status === 'approved' ? <CheckIcon /> : <CrossIcon />}
      <p>
        {phase === 'failed' ? 'Not sent: ' : `${verb} `}
        <a href={caseAddress(reviewCase.case_id)}>{visible(reviewCase.user_id)}</a>
        {others.length > 0 && ` and ${plural(others.length, 'other')}`}
        {phase === 'failed' && <span class="toast-more">{reasonOf(failure)}</span>}
      </p>
      {phase === 'failed' && (
        <button type="button" class="button small" onClick={() => void send({ ...verdict, force: isHeld })}>
          {isHeld ? 'Decide anyway' : 'Retry'}
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
  const link = <a href={caseAddress(case_id)}>{visible(user_id)}</a>;
  if (kind === 'many') return <ManyLine notice={notice} />;
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
            {resolved_by === null ? 'Someone else' : visible(resolved_by)} already {status} the case for {link}
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

/** Why some of many cases were not decided. */
const WHY_NOT: Readonly<Record<string, string>> = {
  case_claimed: 'somebody else is working on them. Open them to decide anyway.',
  case_not_open: 'resolved or expired meanwhile.',
};

function ManyLine({ notice }: { readonly notice: Notice }) {
  const results = notice.results ?? [];
  const failed = new Map<string, number>();
  for (const { status } of results) if (status !== 'ok') failed.set(status, (failed.get(status) ?? 0) + 1);
  const done = results.length - [...failed.values()].reduce((sum, count) => sum + count, 0);
  return (
    <div class={`toast ${failed.size > 0 ? 'beaten' : 'done'}`} role={failed.size > 0 ? 'alert' : 'status'}>
      {failed.size > 0 ? <WarningIcon /> : <CheckIcon />}
      <p>
        Decided {done} of {plural(results.length, 'case')}
        {[...failed].map(([code, count]) => (
          <span key={code} class="toast-more">
            {count} not decided: {WHY_NOT[code] ?? nameOf(code)}
          </span>
        ))}
      </p>
      <button type="button" class="button small" onClick={() => dismiss(notice)}>
        Dismiss
      </button>
    </div>
  );
}

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
