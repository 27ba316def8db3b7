import type { Decision, Outcome, ReviewCase } from '../api/types';
import { type CaseData, insisted, insistOn, isGiven, nextCaseId, otherHolder } from '../state/case-view';
import { session } from '../state/session';
import { drafts, keepDraft, keepReason, reasons, type Verdict, verdictOn } from '../state/verdicts';
import { clockTime, fullTime, nameOf, subjectOf, visible } from '../text/words';
import { Ago, bandOf, Shortcut, Status, TimeLeft } from './labels';
import { CheckIcon, CrossIcon, NextIcon, PageHeading } from './panel';

const CIRCLE = 2 * Math.PI * 26;

/** The number in the ring is the text. */
export const ScoreRing = ({ value }: { value: number }) => (
  <span class={`ring ${bandOf(value)}`}>
    <svg viewBox="0 0 64 64" aria-hidden="true">
      <circle class="ring-track" cx="32" cy="32" r="26" />
      <circle class="ring-fill" cx="32" cy="32" r="26" stroke-dasharray={`${(value / 100) * CIRCLE} ${CIRCLE}`} />
    </svg>
    <b>{value}</b>
    <span class="hidden"> out of 100, risk score</span>
  </span>
);

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

const MAX_NOTES = 4000;

interface DecisionBarProps {
  readonly reviewCase: ReviewCase;
  readonly decision: Decision;
  readonly canDecide: boolean;
  resolve(status: Outcome): void;
  correct(decision: 'allow' | 'block'): void;
  goOn(): void;
}

const whyNot = (reviewCase: ReviewCase): string => {
  const { status, claimed_until } = reviewCase;
  const holder = otherHolder(reviewCase);
  if (status === 'open' && !session.value?.canResolve) return 'Your key can read cases, but not resolve them.';
  if (status === 'open' && holder && !verdictOn(reviewCase.case_id) && isGiven(reviewCase))
    return `${visible(holder)} was given this case.`;
  if (status === 'open' && holder && !verdictOn(reviewCase.case_id))
    return `${visible(holder)} is working on this case${claimed_until ? ` until ${clockTime(claimed_until)}` : ''}.`;
  if (status === 'expired') return 'This case expired after seven days and can no longer be resolved.';
  if (status === 'open') return 'Your decision on this case is being sent.';
  return `This case is already ${status}.`;
};

export function ReasonPicker({ caseId }: { readonly caseId: string }) {
  const codes = session.value?.reasonCodes ?? [];
  if (codes.length === 0) return null;
  return (
    <select
      aria-label="Reason"
      value={reasons.value[caseId] ?? ''}
      onChange={(event) => keepReason(caseId, event.currentTarget.value)}
    >
      <option value="">Reason</option>
      {codes.map((code) => (
        <option key={code} value={code}>
          {nameOf(code)}
        </option>
      ))}
    </select>
  );
}

/** Remaining actions on a case that cannot simply be decided. */
function Otherwise({ reviewCase, decision, correct }: Omit<DecisionBarProps, 'canDecide' | 'resolve' | 'goOn'>) {
  const { case_id, status } = reviewCase;
  if (status === 'open' && session.value?.canResolve && otherHolder(reviewCase) && !insisted.value.has(case_id)) {
    return (
      <button type="button" class="button" onClick={() => insistOn(case_id)}>
        Decide anyway
      </button>
    );
  }
  if ((status !== 'approved' && status !== 'rejected') || !session.value?.canCorrect) return null;
  const isFraud = decision.decision === 'block';
  return (
    <button type="button" class="button" onClick={() => correct(isFraud ? 'allow' : 'block')}>
      {isFraud ? 'Correct: it was legitimate' : 'Correct: it was fraud'}
    </button>
  );
}

export function DecisionBar({ reviewCase, decision, canDecide, resolve, correct, goOn }: DecisionBarProps) {
  const { case_id } = reviewCase;
  return (
    <section class="decision-bar" aria-label="Decision">
      {canDecide ? (
        <>
          <textarea
            id="notes"
            rows={1}
            maxLength={MAX_NOTES}
            aria-label="Notes for the audit trail"
            placeholder="Notes for the audit trail  ( m )"
            value={drafts.value[case_id] ?? ''}
            onInput={(event) => keepDraft(case_id, event.currentTarget.value)}
          />
          <ReasonPicker caseId={case_id} />
          <button type="button" class="button approve" onClick={() => resolve('approved')}>
            <CheckIcon /> Approve <span class="wide">· legitimate</span> <Shortcut of="a" />
          </button>
          <button type="button" class="button reject" onClick={() => resolve('rejected')}>
            <CrossIcon /> Reject <span class="wide">· fraud</span> <Shortcut of="r" />
          </button>
        </>
      ) : (
        <>
          <p class="why-not">{whyNot(reviewCase)}</p>
          <Otherwise reviewCase={reviewCase} decision={decision} correct={correct} />
        </>
      )}
      <button type="button" class="button" onClick={goOn}>
        <NextIcon /> {nextCaseId.value === null ? 'Queue' : 'Next'} <Shortcut of="n" />
      </button>
    </section>
  );
}
