import { useSignal } from '@preact/signals';
import { counts, type Row, savedViews, saveView } from '../state/queue';
import { addressOf, CASE_SORTS, type CaseSort, FIRST_FILTER, goTo, type QueueFilter } from '../state/route';
import { session } from '../state/session';
import { nameOf, wholeNumber } from '../text/words';

const TABS: ReadonlyArray<readonly [QueueFilter['status'], string]> = [
  ['open', 'Open'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['expired', 'Expired'],
  ['all', 'All'],
];

function countOf(status: QueueFilter['status']): number | undefined {
  const known = counts.value;
  if (!known) return undefined;
  return status === 'all' ? known.open + known.approved + known.rejected + known.expired : known[status];
}

/** An instant, as the overview's links have them, by its day here. */
const dayOf = (date: string): string => (date.includes('T') ? new Date(date).toLocaleDateString('sv') : date);

export function QueueFilters({ filter }: { readonly filter: QueueFilter }) {
  const change = (part: Partial<QueueFilter>): void => goTo({ page: 'queue', filter: { ...filter, page: 1, ...part } });
  const day = (name: 'from' | 'to', label: string) => (
    <label class="day">
      {label}
      <input
        type="date"
        value={dayOf(filter[name])}
        onChange={(event) => change({ [name]: event.currentTarget.value })}
        {...(name === 'from' ? { max: dayOf(filter.to) } : { min: dayOf(filter.from) })}
      />
    </label>
  );
  return (
    <div class="filters">
      <nav class="tabs" aria-label="Status">
        {TABS.map(([status, label]) => {
          const count = countOf(status);
          return (
            <a
              key={status}
              href={addressOf({ page: 'queue', filter: { ...filter, status, page: 1 } })}
              {...(status === filter.status ? { 'aria-current': 'true' } : {})}
            >
              {label} {count !== undefined && <span class="count">{wholeNumber(count)}</span>}
            </a>
          );
        })}
      </nav>
      <fieldset class="days">
        <legend class="hidden">Created</legend>
        {day('from', 'From')}
        {day('to', 'To')}
        {(filter.from || filter.to) && (
          <button type="button" class="button small" onClick={() => change({ from: '', to: '' })}>
            Clear dates
          </button>
        )}
      </fieldset>
    </div>
  );
}

const SORTS: Readonly<Record<CaseSort, string>> = {
  newest: 'Newest first',
  score: 'Highest score first',
  amount: 'Largest amount first',
  expires: 'Expiring first',
};

const KINDS = { '': 'Payments and events', transaction: 'Payments', event: 'Events' } as const;

/** The order of the list, and what else narrows it; a view is all of it under a name. */
export function QueueSearch({ filter, rows }: { readonly filter: QueueFilter; readonly rows: readonly Row[] }) {
  const name = useSignal('');
  const change = (part: Partial<QueueFilter>): void => goTo({ page: 'queue', filter: { ...filter, page: 1, ...part } });
  const me = session.value?.analystId ?? '';
  const isMine = filter.assignee === me && me !== '';
  const field = (member: 'prefix' | 'score' | 'amount' | 'assignee', label: string) => (
    <label>
      {label}
      <input
        maxLength={128}
        autoComplete="off"
        value={filter[member]}
        onChange={(event) => change({ [member]: event.currentTarget.value.trim() })}
      />
    </label>
  );
  const signals = [...new Set([...rows.flatMap((row) => row.signals), filter.signal])].filter(Boolean).sort();
  const here = addressOf({ page: 'queue', filter: { ...filter, page: 1 } });
  const set = (['signal', 'score', 'amount', 'kind', 'assignee', 'prefix'] as const).filter(
    (each) => filter[each] !== '',
  );
  return (
    <div class="queue-search">
      <label>
        Order
        <select
          aria-label="Order of the list"
          value={filter.sort}
          onChange={(event) => change({ sort: event.currentTarget.value as CaseSort })}
        >
          {CASE_SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {SORTS[sort]}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="button small"
        aria-pressed={isMine}
        onClick={() => change({ assignee: isMine ? '' : me })}
      >
        My cases
      </button>
      {Object.entries(savedViews.value).map(([view, address]) => (
        <span key={view} class="chip view">
          <a href={address} {...(address === here ? { 'aria-current': 'true' } : {})}>
            {view}
          </a>
          <button type="button" aria-label={`Forget the view ${view}`} onClick={() => saveView(view, undefined)}>
            ×
          </button>
        </span>
      ))}
      <details class="queue-more">
        <summary>{set.length > 0 ? `Filters (${set.length})` : 'Filters'}</summary>
        <div class="queue-fields">
          <label>
            Signal
            <select value={filter.signal} onChange={(event) => change({ signal: event.currentTarget.value })}>
              <option value="">Any</option>
              {signals.map((signal) => (
                <option key={signal} value={signal}>
                  {nameOf(signal)}
                </option>
              ))}
            </select>
          </label>
          <label>
            Kind
            <select value={filter.kind} onChange={(event) => change({ kind: event.currentTarget.value })}>
              {Object.entries(KINDS).map(([kind, label]) => (
                <option key={kind} value={kind}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          {field('score', 'Score at least')}
          {field('amount', 'Amount at least ($)')}
          {field('prefix', 'User begins with')}
          {field('assignee', 'Assigned to')}
          <a
            class="button small"
            href={addressOf({ page: 'queue', filter: { ...FIRST_FILTER, status: filter.status } })}
          >
            Clear filters
          </a>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (name.value.trim()) saveView(name.value.trim(), here);
              name.value = '';
            }}
          >
            <label>
              Save as a view
              <input
                maxLength={40}
                autoComplete="off"
                placeholder="Name"
                value={name.value}
                onInput={(event) => {
                  name.value = event.currentTarget.value;
                }}
              />
            </label>
            <button type="submit" class="button small">
              Save
            </button>
          </form>
        </div>
      </details>
    </div>
  );
}
