import { counts } from '../state/queue';
import { addressOf, goTo, type QueueFilter } from '../state/route';
import { wholeNumber } from '../text/words';

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

/** Status with counts, and dates. All of it is in the address. */
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
