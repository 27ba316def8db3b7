import type { ListEntry } from '../api/types';

interface EntryTableProps {
  readonly entries: readonly ListEntry[];
  readonly remove: (value: string) => Promise<void>;
}

const day = (iso: string): string =>
  new Date(iso).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });

const expiry = (iso: string | null, nowMs: number): string => {
  if (iso === null) return 'Never';
  return Date.parse(iso) <= nowMs ? 'Expired' : day(iso);
};

/** The entries of a list, each with a button that removes it. */
export function EntryTable({ entries, remove }: EntryTableProps) {
  const nowMs = Date.now();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="entry-table" tabIndex={0} aria-label="Entries">
      <table>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Expires</th>
            <th scope="col">Reason</th>
            <th scope="col">Added</th>
            <th scope="col">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ value, expires_at, reason, added_at, added_by_name }) => (
            <tr key={value}>
              <th scope="row">
                <code>{value}</code>
              </th>
              <td>{expiry(expires_at, nowMs)}</td>
              <td>{reason ?? '–'}</td>
              <td>
                {day(added_at)} by {added_by_name}
              </td>
              <td>
                <button type="button" class="button" aria-label={`Remove ${value}`} onClick={() => void remove(value)}>
                  Remove
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
