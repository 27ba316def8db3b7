import { useSignal } from '@preact/signals';
import { failureOf } from '../api/client';
import type { AddedEntries, List, ListEntry } from '../api/types';
import { add } from '../state/lists';
import { entryCount, firstColumn, fullTime, visible } from '../text/words';
import { Panel, Problem, WideTable } from './panel';

interface EntryTableProps {
  readonly entries: readonly ListEntry[];
  readonly remove: (value: string) => Promise<void>;
}

const expiry = (iso: string | null, nowMs: number): string => {
  if (iso === null) return 'Never';
  return Date.parse(iso) <= nowMs ? 'Expired' : fullTime(iso);
};

export function EntryTable({ entries, remove }: EntryTableProps) {
  const nowMs = Date.now();
  return (
    <WideTable
      label="Entries"
      columns={['Value', 'Expires', 'Reason', 'Added', <span class="hidden">Actions</span>]}
      rows={entries.map(({ value, expires_at, reason, added_at, added_by_name }) => [
        value,
        <code>{visible(value)}</code>,
        expiry(expires_at, nowMs),
        reason ?? '–',
        `${fullTime(added_at)} by ${visible(added_by_name)}`,
        <button type="button" class="button" aria-label={`Remove ${visible(value)}`} onClick={() => void remove(value)}>
          Remove
        </button>,
      ])}
    />
  );
}

const EXPIRIES: ReadonlyArray<readonly [days: number, label: string]> = [
  [0, 'Never'],
  [1, 'In 1 day'],
  [7, 'In 7 days'],
  [30, 'In 30 days'],
  [90, 'In 90 days'],
];

/** Asks in how many days an entry of a list ends: the field `days` of the form around it, 0 for never. */
export const ExpiryField = () => (
  <label>
    Expires
    <select name="days">
      {EXPIRIES.map(([days, label]) => (
        <option key={days} value={days}>
          {label}
        </option>
      ))}
    </select>
  </label>
);

const MOST_LINES = 100_000;
const MOST_SHOWN = 10;

function Result({ added }: { readonly added: AddedEntries }) {
  return (
    <div role="status">
      <p>
        {entryCount(added.added)} added, {added.updated} updated, {added.rejected.length} rejected.
      </p>
      {added.rejected.length > 0 && (
        <ul>
          {added.rejected.slice(0, MOST_SHOWN).map(({ index, message }) => (
            <li key={index}>
              Line {index + 1}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function AddEntries({ list }: { readonly list: List }) {
  const problem = useSignal<string | undefined>(undefined);
  const result = useSignal<AddedEntries | undefined>(undefined);
  const isBusy = useSignal(false);

  const read = async ({ files, form }: HTMLInputElement): Promise<void> => {
    const values = form?.elements.namedItem('values') as HTMLTextAreaElement | null;
    if (files?.[0] && values) values.value = firstColumn(await files[0].text());
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const text = String(fields.get('values'));
    const lines = text.split('\n').filter((line) => line.trim() !== '').length;
    problem.value = undefined;
    result.value = undefined;
    if (lines === 0 || lines > MOST_LINES) {
      problem.value = `Enter 1 to ${MOST_LINES.toLocaleString('en-US')} values, one per line.`;
      return;
    }
    isBusy.value = true;
    try {
      const typed = { text, days: Number(fields.get('days')), reason: String(fields.get('reason')).trim() };
      result.value = await add(list.name, typed);
      if (result.value.rejected.length === 0) form.reset();
    } catch (error) {
      problem.value = failureOf(error).message;
    } finally {
      isBusy.value = false;
    }
  };

  return (
    <Panel title={`Add to ${list.name}`}>
      <form class="list-add" onSubmit={(event) => void submit(event)}>
        <label>
          Values
          <textarea name="values" rows={4} spellcheck={false} required />
          <small>One per line. Type: {list.type}.</small>
        </label>
        <label>
          Or from a file
          <input type="file" accept=".txt,.csv" onChange={(event) => void read(event.currentTarget)} />
          <small>One value per line; of a CSV file, the first column.</small>
        </label>
        <ExpiryField />
        <label>
          Reason
          <input name="reason" maxLength={200} autoComplete="off" />
        </label>
        <Problem>{problem.value}</Problem>
        {result.value && <Result added={result.value} />}
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? 'Adding…' : 'Add'}
        </button>
      </form>
    </Panel>
  );
}
