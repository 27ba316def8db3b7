import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ReviewCase } from '../api/types';
import { fittingLists, type Listable, listablesOf, openLists, putOnList } from '../state/lists';
import { addressOf } from '../state/route';
import { session } from '../state/session';
import { ExpiryField } from './entry-table';
import { Panel, Problem } from './panel';

interface ListFormProps {
  readonly listable: Listable;
  readonly caseId: string;
  done(list: string): void;
  close(): void;
}

function ListForm({ listable, caseId, done, close }: ListFormProps) {
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const lists = fittingLists(listable);
  const names = lists.length > 0 ? lists.map(({ name }) => name) : [listable.usual];
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const list = String(fields.get('list'));
    isBusy.value = true;
    problem.value = await putOnList(listable, {
      list,
      reason: String(fields.get('reason')).trim(),
      days: Number(fields.get('days')),
    });
    isBusy.value = false;
    if (problem.value === undefined) done(list);
  };
  return (
    <form class="list-add" aria-label={listable.label} onSubmit={(event) => void submit(event)}>
      <label>
        List
        <select name="list">
          {names.map((name) => (
            <option key={name} value={name}>
              {lists.length > 0 ? name : `${name} (new)`}
            </option>
          ))}
        </select>
      </label>
      <label>
        Reason
        <input name="reason" required maxLength={200} autoComplete="off" defaultValue={`Case ${caseId}`} />
      </label>
      <ExpiryField />
      <Problem>{problem.value}</Problem>
      <div class="buttons">
        <button type="submit" class="button primary" disabled={isBusy.value}>
          {isBusy.value ? 'Adding…' : 'Add to list'}
        </button>
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

export function CaseLists({ reviewCase }: { readonly reviewCase: ReviewCase }) {
  const open = useSignal<Listable | undefined>(undefined);
  const added = useSignal<string | undefined>(undefined);
  const canAdd = session.value?.canAddEntries === true;
  useEffect(() => {
    if (canAdd) void openLists();
  }, [canAdd]);
  if (!canAdd) return null;
  const close = (): void => {
    open.value = undefined;
  };
  return (
    <Panel title={open.value?.label ?? 'Lists'} class="case-lists">
      {open.value ? (
        <ListForm
          key={open.value.label}
          listable={open.value}
          caseId={reviewCase.case_id}
          close={close}
          done={(list) => {
            added.value = list;
            close();
          }}
        />
      ) : (
        <div class="buttons">
          {listablesOf(reviewCase).map((each) => (
            <button
              key={each.label}
              type="button"
              class="button"
              onClick={() => {
                added.value = undefined;
                open.value = each;
              }}
            >
              {each.label}
            </button>
          ))}
        </div>
      )}
      {added.value && (
        <p role="status">
          Added to <a href={addressOf({ page: 'lists', list: added.value })}>{added.value}</a>.
        </p>
      )}
    </Panel>
  );
}
