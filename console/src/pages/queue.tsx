import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { CaseRows, SelectionBar } from '../parts/case-rows';
import { Empty, Failed, PageHeading, RefreshIcon, Skeleton } from '../parts/panel';
import { QueueFilters, QueueSearch } from '../parts/queue-filters';
import { announce, now, useShortcuts, whileVisible } from '../state/page';
import {
  countCases,
  isSearch,
  isStale,
  moreCases,
  openQueue,
  PAGE_SIZE,
  queueView,
  type Row,
  refreshQueue,
  toggle,
} from '../state/queue';
import {
  addressOf,
  caseAddress,
  decisionAddress,
  FIRST_FILTER,
  goTo,
  type QueueFilter,
  userAddress,
} from '../state/route';
import { session } from '../state/session';
import { confirmed } from '../state/verdicts';
import { fullTime, nameOf, plural, visible, wholeNumber } from '../text/words';

const REFRESH_MS = 15_000;
const COUNT_MS = 60_000;

const matches = (row: Row, text: string): boolean =>
  text === '' || [row.user_id, row.case_id, ...row.signals.map(nameOf)].join(' ').toLowerCase().includes(text);

/** Where an ID leads: to a case, or to the decision on a transaction or event, which share a ULID. */
const addressIn = (text: string): string | undefined => {
  const [, kind = '', ulid] = /^(case|txn|evt|dec)_([0-9A-HJKMNP-TV-Z]{26})$/i.exec(text.trim()) ?? [];
  if (!ulid) return undefined;
  return kind.toLowerCase() === 'case'
    ? caseAddress(`case_${ulid.toUpperCase()}`)
    : decisionAddress(`dec_${ulid.toUpperCase()}`);
};

const links = (): HTMLAnchorElement[] => [...document.querySelectorAll<HTMLAnchorElement>('.rows a.row')];

function step(by: 1 | -1): void {
  const all = links();
  const at = all.indexOf(document.activeElement as HTMLAnchorElement);
  const next = all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function Pages({ filter, total }: { readonly filter: QueueFilter; readonly total: number }) {
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const from = (filter.page - 1) * PAGE_SIZE + 1;
  const to = (page: number) => addressOf({ page: 'queue', filter: { ...filter, page } });
  return (
    <nav class="pages" aria-label="Pages of the list">
      <span>
        {wholeNumber(Math.min(from, total))}–{wholeNumber(Math.min(from + PAGE_SIZE - 1, total))} of{' '}
        {wholeNumber(total)}
      </span>
      {filter.page > 1 ? (
        <a class="button small" href={to(filter.page - 1)}>
          Newer
        </a>
      ) : null}
      {filter.page < last ? (
        <a class="button small" href={to(filter.page + 1)}>
          Older
        </a>
      ) : null}
    </nav>
  );
}

/** The list of cases, filtered by status and dates; it refreshes without moving rows under the analyst's hands. */
export function QueuePage({ filter }: { readonly filter: QueueFilter }) {
  const find = useSignal('');
  const findBox = useRef<HTMLInputElement>(null);
  const { data, failure, isLoading } = queueView.value;
  const address = addressOf({ page: 'queue', filter });

  useEffect(() => {
    void openQueue(filter);
    const stop = [
      whileVisible(REFRESH_MS, () => void refreshQueue(filter)),
      whileVisible(COUNT_MS, () => void countCases(filter)),
    ];
    return () => {
      for (const each of stop) each();
    };
  }, [address]);
  useSignalEffect(() => {
    if (confirmed.value > 0) void Promise.all([refreshQueue(filter), countCases(filter)]);
  });
  const pickFocused = (): void => {
    const caseId = (document.activeElement as HTMLElement | null)?.dataset.case;
    if (caseId && filter.status === 'open' && session.value?.canResolve) toggle([caseId]);
  };
  useShortcuts({ j: () => step(1), k: () => step(-1), x: pickFocused, '/': () => findBox.current?.focus() });

  const reopen = (): void => {
    now.value = Date.now();
    if (filter.page > 1) goTo({ page: 'queue', filter: { ...filter, page: 1 } });
    void openQueue({ ...filter, page: 1 }, true).then(() => announce('The list is up to date.'));
  };
  const search = (event: SubmitEvent): void => {
    event.preventDefault();
    const address = addressIn(find.value);
    if (address) location.hash = address;
    else if (rows.length > 0) step(1);
    else if (find.value.trim()) goTo({ page: 'find', text: find.value.trim(), by: '' });
  };
  /** Of all cases of this status, not only of those on the screen. */
  const findUser = (): void => {
    goTo({ page: 'queue', filter: { ...filter, user: find.value.trim(), page: 1 } });
    find.value = '';
  };
  const text = find.value.trim().toLowerCase();
  const rows = data?.rows.filter((row) => matches(row, text)) ?? [];

  return (
    <div class="page queue">
      <div class="page-head">
        <PageHeading>Queue</PageHeading>
        <search class="find">
          <form onSubmit={search}>
            <input
              ref={findBox}
              type="search"
              aria-label="Filter this page by user or signal, find an order, or open an ID"
              placeholder="User, order, signal or ID  ( / )"
              value={find.value}
              onInput={(event) => {
                find.value = event.currentTarget.value;
              }}
            />
          </form>
        </search>
      </div>
      <QueueFilters filter={filter} />
      <QueueSearch filter={filter} rows={data?.rows ?? []} />
      {filter.user && (
        <p class="banner">
          Cases of user <a href={userAddress(filter.user)}>{visible(filter.user)}</a>{' '}
          <a href={addressOf({ page: 'queue', filter: { ...filter, user: '' } })}>Show all users</a>
        </p>
      )}
      {filter.by && (
        <p class="banner">
          Cases resolved by <b>{visible(filter.by)}</b>{' '}
          <a href={addressOf({ page: 'queue', filter: { ...filter, by: '' } })}>Show all</a>
        </p>
      )}
      <div class="panel list" aria-busy={isLoading}>
        {data && data.arrived > 0 && (
          <button type="button" class="arrived" onClick={reopen}>
            <RefreshIcon /> Show {plural(data.arrived, 'new case')}
          </button>
        )}
        {isStale.value && (
          <p class="banner" role="status">
            Could not refresh the list. Retrying in a few seconds.
          </p>
        )}
        {failure && <Failed failure={failure} retry={() => void openQueue(filter, true)} />}
        {!failure && !data && <Skeleton lines={8} label="Loading cases" />}
        {!failure && data && rows.length > 0 && (
          <CaseRows rows={rows} isOpen={data.filter.status === 'open'} isGrouped={data.filter.sort === 'newest'} />
        )}
        {!failure && rows.length > 0 && text !== '' && (
          <p class="pages">
            {plural(rows.length, 'case')} on this page. <FindEverywhere text={find.value} find={findUser} />
          </p>
        )}
        {!failure && data && data.rows.length === 0 && !data.next && <Nothing filter={data.filter} />}
        {!failure && data && data.rows.length > 0 && rows.length === 0 && (
          <Empty title="No matches on this page">
            <p>
              No user or signal among these {plural(data.rows.length, 'case')} contains “{find.value}”.
            </p>
            <FindEverywhere text={find.value} find={findUser} />
          </Empty>
        )}
        {!failure && data && data.total > 0 && !isSearch(data.filter) && (
          <Pages filter={data.filter} total={data.total} />
        )}
        {!failure && data?.searchedTo && <SearchedTo of={data.filter} to={data.searchedTo} count={data.rows.length} />}
        {!failure && data?.next && (
          <button type="button" class="button more" disabled={isLoading} onClick={() => void moreCases()}>
            {data.searchedTo ? 'Search older cases' : 'Show more'}
          </button>
        )}
      </div>
      <SelectionBar rows={rows} />
    </div>
  );
}

interface SearchedToProps {
  readonly of: QueueFilter;
  readonly to: string;
  readonly count: number;
}

/** A search of a long queue comes in parts: how far it has come. */
const SearchedTo = ({ of: { sort }, to, count }: SearchedToProps) => (
  <p class="pages">
    {count === 0 ? 'Nothing found' : plural(count, 'case')} among cases {sort === 'expires' ? 'until' : 'since'}{' '}
    {fullTime(to)}.{sort === 'score' || sort === 'amount' ? ' Older cases are sorted separately.' : ''}
  </p>
);

const FindEverywhere = ({ text, find }: { readonly text: string; find(): void }) => (
  <>
    <button type="button" class="button" onClick={find}>
      Find user “{text.trim()}” in all cases
    </button>{' '}
    <a class="button" href={addressOf({ page: 'find', text: text.trim(), by: '' })}>
      Find an order, device, card or email
    </a>
  </>
);

function Nothing({ filter }: { readonly filter: QueueFilter }) {
  if (filter.status === 'open' && !filter.from && !filter.to && !isSearch(filter)) {
    return (
      <Empty title="All clear">
        <p>No cases are waiting for a decision. New cases appear here automatically.</p>
      </Empty>
    );
  }
  return (
    <Empty title="No cases">
      <p>{filter.user ? 'This user has no cases of this status.' : 'No cases have this status in this date range.'}</p>
      <a class="button" href={addressOf({ page: 'queue', filter: FIRST_FILTER })}>
        Show all open cases
      </a>
    </Empty>
  );
}
