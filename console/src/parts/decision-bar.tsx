import type { Outcome, ReviewCase } from '../api/types';
import { nextCaseId } from '../state/case-view';
import { drafts, keepDraft } from '../state/verdicts';
import { CheckIcon, CrossIcon, NextIcon } from './icons';
import { Shortcut } from './shortcut';

const MAX_NOTES = 4000;

interface DecisionBarProps {
  readonly reviewCase: ReviewCase;
  readonly canDecide: boolean;
  settle(status: Outcome): void;
  goOn(): void;
}

const whyNot = ({ status }: ReviewCase): string => {
  if (status === 'expired') return 'This case expired after seven days and can no longer be resolved.';
  if (status === 'open') return 'Your decision on this case is being sent.';
  return `This case is already ${status}.`;
};

/** Notes and the two outcomes, always within reach at the foot of the page. */
export function DecisionBar({ reviewCase, canDecide, settle, goOn }: DecisionBarProps) {
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
          <button type="button" class="button approve" onClick={() => settle('approved')}>
            <CheckIcon /> Approve <span class="wide">· legitimate</span> <Shortcut of="a" />
          </button>
          <button type="button" class="button reject" onClick={() => settle('rejected')}>
            <CrossIcon /> Reject <span class="wide">· fraud</span> <Shortcut of="r" />
          </button>
        </>
      ) : (
        <p class="why-not">{whyNot(reviewCase)}</p>
      )}
      <button type="button" class="button" onClick={goOn}>
        <NextIcon /> {nextCaseId.value === null ? 'Queue' : 'Next'} <Shortcut of="n" />
      </button>
    </section>
  );
}
