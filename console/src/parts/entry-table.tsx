import type { ListEntry } from '../api/types';
import { fullTime } from '../text/time';
import { visible } from '../text/words';

interface EntryTableProps {
  readonly entries: readonly ListEntry[];
  readonly remove: (value: string) => Promise<void>;
}

const expiry = (iso: string | null, nowMs: number): string => {
  if (iso === null) return 'Never';
  return Date.parse(iso) <= nowMs ? 'Expired' : fullTime(iso);
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
                <code>{visible(value)}</code>
              </th>
              <td>{expiry(expires_at, nowMs)}</td>
              <td>{reason ?? '–'}</td>
              <td>
                {fullTime(added_at)} by {visible(added_by_name)}
              </td>
              <td>
                <button
                  type="button"
                  class="button"
                  aria-label={`Remove ${visible(value)}`}
                  onClick={() => void remove(value)}
                >
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
