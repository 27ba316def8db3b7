import { useEffect } from 'preact/hooks';
import type { DecisionQuery } from '../api/routes';
import type { ListedDecision } from '../api/types';
import { decisionsView, moreDecisions, openDecisions, shownDecisions } from '../state/loadable';
import { decisionAddress, userAddress } from '../state/route';
import { fullTime, nameOf, processorText, subjectOf, visible } from '../text/words';
import { Score, Signals } from './labels';
import { Empty, Failed, Skeleton, WideTable } from './panel';

const WORDS = { allow: 'Allowed', challenge: 'Challenged', review: 'In review', block: 'Blocked' } as const;
const CLASSES = { allow: 'approved', challenge: 'open', review: 'open', block: 'rejected' } as const;

export function CurrentDecision({ decision }: { readonly decision: ListedDecision }) {
  const { review } = decision;
  return (
    <span class="standing">
      <span class={`status ${CLASSES[decision.decision]}`}>{WORDS[decision.decision]}</span>
      {review && <span class="muted">by {review.analyst_id === null ? 'a person' : visible(review.analyst_id)}</span>}
    </span>
  );
}

export const Reported = ({ decision }: { readonly decision: Pick<ListedDecision, 'outcomes'> }) => (
  <>
    {(decision.outcomes ?? []).map(({ type, withdrawn, recorded_at, ...said }) => (
      <span
        key={`${type} ${recorded_at}`}
        class={`chip ${withdrawn ? '' : 'reported'}`}
        title={`Reported ${fullTime(recorded_at)}`}
      >
        {nameOf(type)}
        {processorText(said)}
        {withdrawn && ' (withdrawn)'}
      </span>
    ))}
  </>
);

interface DecisionTableProps {
  readonly decisions: readonly ListedDecision[];
  readonly label: string;
  /** In a list of one user, the user is not repeated in every row. */
  readonly isOfUser?: boolean;
}

export const DecisionTable = ({ decisions, label, isOfUser = false }: DecisionTableProps) => (
  <WideTable
    label={label}
    region="entry-table decisions"
    columns={['Screened', ...(isOfUser ? [] : ['User']), 'Attempt', 'Score', 'Decision', 'Why, and what was reported']}
    rows={decisions.map((each) => [
      each.decision_id,
      fullTime(each.decided_at),
      ...(isOfUser ? [] : [<a href={userAddress(each.user_id)}>{visible(each.user_id)}</a>]),
      <a href={decisionAddress(each.decision_id)}>{subjectOf(each)}</a>,
      <Score value={each.risk_score} />,
      <CurrentDecision decision={each} />,
      <>
        <Reported decision={each} />
        <Signals names={each.signals} most={3} />
      </>,
    ])}
  />
);

interface DecisionListProps {
  readonly query: DecisionQuery;
  readonly label: string;
  readonly none: string;
}

export function DecisionList({ query, label, none }: DecisionListProps) {
  useEffect(() => {
    void openDecisions(query);
  }, [JSON.stringify(query)]);
  const { failure, isLoading } = decisionsView.value;
  const shown = shownDecisions(query);
  return (
    <>
      {failure && <Failed failure={failure} retry={() => void openDecisions(query)} />}
      {!failure && !shown && <Skeleton lines={6} label="Loading decisions" />}
      {shown && shown.decisions.length === 0 && <Empty title={none} />}
      {shown && shown.decisions.length > 0 && (
        <DecisionTable decisions={shown.decisions} label={label} isOfUser={query.user_id !== undefined} />
      )}
      {shown?.next_cursor && (
        <button type="button" class="button more" disabled={isLoading} onClick={() => void moreDecisions()}>
          Show more
        </button>
      )}
    </>
  );
}
