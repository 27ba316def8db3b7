import { useEffect } from 'preact/hooks';
import { hasCode } from '../api/client';
import { LinkView } from '../charts/link-view';
import { DecisionList } from '../parts/decision-table';
import { BackIcon } from '../parts/icons';
import { ChartPanel, Empty, Failed, PageHeading, Panel, Skeleton } from '../parts/panel';
import { linksView, openLinks } from '../state/loadable';
import { addressOf, FIRST_FILTER, lastFilter } from '../state/route';
import { visible } from '../text/words';

function Links({ userId }: { readonly userId: string }) {
  const { data, failure } = linksView.value;
  const shown = data?.userId === userId ? data.graph : undefined;
  useEffect(() => {
    void openLinks(userId);
  }, [userId]);
  return (
    <ChartPanel title="Links" class="links-panel">
      {(asTable) => (
        <>
          {shown && <LinkView graph={shown} asTable={asTable} />}
          {!shown && !failure && <Skeleton lines={6} label="Loading links" />}
          {!shown && failure && hasCode(failure, 'not_found') && <Empty title="Nothing is known about this user" />}
          {!shown && failure && !hasCode(failure, 'not_found') && (
            <Failed failure={failure} retry={() => void openLinks(userId)} />
          )}
        </>
      )}
    </ChartPanel>
  );
}

/** One user: who they are connected with, and everything that was decided about them. */
export function UserPage({ userId }: { readonly userId: string }) {
  return (
    <div class="page user">
      <a class="back" href={addressOf({ page: 'queue', filter: lastFilter.value })}>
        <BackIcon /> Queue
      </a>
      <div class="page-head">
        <PageHeading key={userId}>
          User <span class="by">{visible(userId)}</span>
        </PageHeading>
        <a class="button" href={addressOf({ page: 'queue', filter: { ...FIRST_FILTER, status: 'all', user: userId } })}>
          All cases of this user
        </a>
      </div>
      <Links userId={userId} />
      <Panel title="History" class="history-panel">
        <DecisionList
          query={{ user_id: userId }}
          label="Decisions about this user"
          none="No decisions in the last 90 days"
        />
      </Panel>
    </div>
  );
}
