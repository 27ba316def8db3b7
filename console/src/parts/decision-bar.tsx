import type { Decision, Outcome, ReviewCase } from '../api/types';
import { insisted, insistOn, nextCaseId, otherHolder } from '../state/case-view';
import { session } from '../state/session';
import { drafts, keepDraft, keepReason, reasons, verdictOn } from '../state/verdicts';
import { clockTime } from '../text/time';
import { nameOf, visible } from '../text/words';
import { CheckIcon, CrossIcon, NextIcon } from './icons';
import { Shortcut } from './labels';

const MAX_NOTES = 4000;

interface DecisionBarProps {
  readonly reviewCase: ReviewCase;
  readonly decision: Decision;
  readonly canDecide: boolean;
  settle(status: Outcome): void;
  correct(decision: 'allow' | 'block'): void;
  goOn(): void;
}

const whyNot = (reviewCase: ReviewCase): string => {
  const { status, claimed_until } = reviewCase;
  const holder = otherHolder(reviewCase);
  if (status === 'open' && !session.value?.canResolve) return 'Your key can read cases, but not resolve them.';
  if (status === 'open' && holder && !verdictOn(reviewCase.case_id))
    return `${visible(holder)} is working on this case${claimed_until ? ` until ${clockTime(claimed_until)}` : ''}.`;
  if (status === 'expired') return 'This case expired after seven days and can no longer be resolved.';
  if (status === 'open') return 'Your decision on this case is being sent.';
  return `This case is already ${status}.`;
};

/** The account's own reasons, if it has any. */
function ReasonPicker({ caseId }: { readonly caseId: string }) {
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

/** What may still be done about a case that cannot simply be decided. */
function Otherwise({ reviewCase, decision, correct }: Omit<DecisionBarProps, 'canDecide' | 'settle' | 'goOn'>) {
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

/** Notes and the two outcomes, always within reach at the foot of the page. */
export function DecisionBar({ reviewCase, decision, canDecide, settle, correct, goOn }: DecisionBarProps) {
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
          <button type="button" class="button approve" onClick={() => settle('approved')}>
            <CheckIcon /> Approve <span class="wide">· legitimate</span> <Shortcut of="a" />
          </button>
          <button type="button" class="button reject" onClick={() => settle('rejected')}>
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
