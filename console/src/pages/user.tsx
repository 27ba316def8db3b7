import { useEffect } from 'preact/hooks';
import { hasCode } from '../api/client';
import type { LinkGraph } from '../api/types';
import { LinkView } from '../charts/link-view';
import { CaseRows, SelectionBar } from '../parts/case-rows';
import { DecisionList } from '../parts/decision-table';
import { BackIcon, ChartPanel, Empty, Failed, PageHeading, Panel, Skeleton } from '../parts/panel';
import { linksView, openLinks } from '../state/loadable';
import { closeRing, openRing, ringView } from '../state/queue';
import { addressOf, type DecisionKind, FIRST_FILTER, lastFilter, type Route } from '../state/route';
import { confirmed } from '../state/verdicts';
import { fullTime, plural, visible } from '../text/words';

/** The open cases of a user and of everybody linked with them, to be decided at once. */
function Ring({ graph }: { readonly graph: LinkGraph }) {
  const users = graph.nodes.flatMap(({ user_id }) => user_id ?? []);
  const { data, failure, isLoading } = ringView.value;
  useEffect(() => closeRing, []);
  const decided = confirmed.value;
  useEffect(() => {
    if (data) void openRing(users, true);
  }, [decided]);
  if (users.length < 2) return null;
  if (failure) return <Failed failure={failure} retry={() => void openRing(users)} />;
  if (!data) {
    return (
      <button type="button" class="button" disabled={isLoading} onClick={() => void openRing(users)}>
        Open cases of these {plural(users.length, 'user')}
      </button>
    );
  }
  return data.length === 0 ? (
    <p>None of these {plural(users.length, 'user')} has an open case.</p>
  ) : (
    <>
      <CaseRows rows={data} isOpen isGrouped={false} />
      <SelectionBar rows={data} />
    </>
  );
}

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
          {shown && <Ring graph={shown} />}
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

const KINDS: ReadonlyArray<readonly [DecisionKind, string]> = [
  ['block', 'Blocked'],
  ['challenge', 'Challenged'],
  ['review', 'In review'],
  ['missed_fraud', 'Missed fraud'],
];

const EXPLAINED: Readonly<Record<DecisionKind, string>> = {
  block: 'Blocked by the service, or by a person. What a person allowed afterwards is not here.',
  challenge: 'Asked for a second factor or 3-D Secure.',
  review: 'Held for a person who has not decided yet.',
  missed_fraud: 'Payments that were allowed, and that a bank, a processor or the customer reported as fraud.',
};

export function DecisionsPage({ kind, from, to }: Extract<Route, { page: 'decisions' }>) {
  const query = {
    ...(kind === 'missed_fraud' ? { outcome: kind } : { decision: kind }),
    start_date: from || undefined,
    end_date: to || undefined,
  };
  return (
    <div class="page">
      <div class="page-head">
        <PageHeading>Decisions</PageHeading>
      </div>
      <div class="filters">
        <nav class="tabs" aria-label="Kind">
          {KINDS.map(([each, label]) => (
            <a
              key={each}
              href={addressOf({ page: 'decisions', kind: each, from, to })}
              {...(each === kind ? { 'aria-current': 'true' } : {})}
            >
              {label}
            </a>
          ))}
        </nav>
      </div>
      {(from || to) && (
        <p class="banner">
          {from && <>From {fullTime(from)} </>}
          {to && <>until {fullTime(to)} </>}
          <a href={addressOf({ page: 'decisions', kind, from: '', to: '' })}>Show the last 90 days</a>
        </p>
      )}
      <div class="panel">
        <p class="muted explained">{EXPLAINED[kind]}</p>
        <DecisionList query={query} label="Decisions" none="No such decisions" />
      </div>
    </div>
  );
}
