import { useEffect } from 'preact/hooks';
import type { DecisionQuery } from '../api/routes';
import type { ListedDecision } from '../api/types';
import { decisionsView, moreDecisions, openDecisions, shownDecisions } from '../state/loadable';
import { caseAddress, userAddress } from '../state/route';
import { fullTime, nameOf, processorText, subjectOf, visible } from '../text/words';
import { Score, Signals } from './labels';
import { Empty, Failed, Skeleton } from './panel';

const WORDS = { allow: 'Allowed', challenge: 'Challenged', review: 'In review', block: 'Blocked' } as const;
const CLASSES = { allow: 'approved', challenge: 'open', review: 'open', block: 'rejected' } as const;

/** What holds now, and who said so if it was not the service. */
function InForce({ decision }: { readonly decision: ListedDecision }) {
  const { review } = decision;
  return (
    <span class="standing">
      <span class={`status ${CLASSES[decision.decision]}`}>{WORDS[decision.decision]}</span>
      {review && <span class="muted">by {review.analyst_id === null ? 'a person' : visible(review.analyst_id)}</span>}
    </span>
  );
}

/** What was reported from outside. */
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
  /** Of one user, the user is not repeated in every row. */
  readonly isOfUser?: boolean;
}

/** Decisions, newest first. */
export const DecisionTable = ({ decisions, label, isOfUser = false }: DecisionTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <section class="entry-table decisions" tabIndex={0} aria-label={label}>
    <table>
      <thead>
        <tr>
          <th scope="col">Screened</th>
          {!isOfUser && <th scope="col">User</th>}
          <th scope="col">Attempt</th>
          <th scope="col">Score</th>
          <th scope="col">Decision</th>
          <th scope="col">Why, and what was reported</th>
        </tr>
      </thead>
      <tbody>
        {decisions.map((each) => (
          <tr key={each.decision_id}>
            <th scope="row">{fullTime(each.decided_at)}</th>
            {!isOfUser && (
              <td>
                <a href={userAddress(each.user_id)}>{visible(each.user_id)}</a>
              </td>
            )}
            <td>{each.case_id ? <a href={caseAddress(each.case_id)}>{subjectOf(each)}</a> : subjectOf(each)}</td>
            <td>
              <Score value={each.risk_score} />
            </td>
            <td>
              <InForce decision={each} />
            </td>
            <td>
              <Reported decision={each} />
              <Signals names={each.signals} most={3} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

interface DecisionListProps {
  readonly query: DecisionQuery;
  readonly label: string;
  readonly none: string;
}

/** A list of decisions that grows by pages, in every state that it can be in. */
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
