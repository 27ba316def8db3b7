import { useEffect } from 'preact/hooks';
import type { DecisionQuery } from '../api/routes';
import { decisionsView, moreDecisions, openDecisions, shownDecisions } from '../state/decisions';
import { DecisionTable } from './decision-table';
import { Empty, Failed, Skeleton } from './states';

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
