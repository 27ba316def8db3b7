import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { failureOf } from '../api/client';
import type { List } from '../api/types';
import { AddEntries, EntryTable } from '../parts/entry-table';
import { Empty, Failed, PageHeading, Panel, Problem, Skeleton } from '../parts/panel';
import { entriesView, listsView, makeList, moreEntries, openEntries, openLists, remove } from '../state/lists';
import { addressOf, goTo } from '../state/route';
import { session } from '../state/session';
import { entryCount } from '../text/words';

const EFFECTS: Readonly<Record<List['effect'], string>> = {
  allow: 'Allow',
  block: 'Block',
  challenge: 'Challenge',
  review: 'Review',
  none: 'Report only',
};

function ListOfLists({ lists, open }: { readonly lists: readonly List[]; readonly open: string | undefined }) {
  return (
    <ul class="lists">
      {lists.map(({ name, type, effect, entries, note }) => (
        <li key={name}>
          <a href={addressOf({ page: 'lists', list: name })} {...(name === open ? { 'aria-current': 'true' } : {})}>
            <span class="list-name">{name}</span>
            <span class="list-facts">
              {EFFECTS[effect]} · {type} · {entryCount(entries)}
            </span>
            {note && <span class="list-note">{note}</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}

function OpenList({ list }: { readonly list: List }) {
  const sought = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const { data, failure, isLoading } = entriesView.value;
  useEffect(() => {
    sought.value = '';
    void openEntries(list.name, '');
  }, [list.name]);

  const search = (event: SubmitEvent): void => {
    event.preventDefault();
    void openEntries(list.name, sought.value.trim());
  };
  const take = async (value: string): Promise<void> => {
    problem.value = undefined;
    await remove(list.name, value).catch((error) => {
      problem.value = failureOf(error).message;
    });
  };

  return (
    <>
      <Panel title={`Entries of ${list.name}`}>
        <form class="list-search" onSubmit={search}>
          <label>
            Find a value
            <input
              value={sought.value}
              maxLength={512}
              autoComplete="off"
              spellcheck={false}
              onInput={(event) => {
                sought.value = event.currentTarget.value;
              }}
            />
          </label>
          <button type="submit" class="button">
            Find
          </button>
        </form>
        <Problem>{problem.value}</Problem>
        {failure && <Failed failure={failure} retry={() => void openEntries(list.name, sought.value.trim())} />}
        {!failure && !data && isLoading && <Skeleton lines={4} label="Loading entries" />}
        {!failure && data && data.entries.length === 0 && <Empty title="No entries" />}
        {!failure && data && data.entries.length > 0 && <EntryTable entries={data.entries} remove={take} />}
        {data?.next_cursor && (
          <button type="button" class="button" disabled={isLoading} onClick={() => void moreEntries()}>
            Show more
          </button>
        )}
      </Panel>
      <AddEntries list={list} />
    </>
  );
}

const TYPES = [
  ...['user_id', 'device_fingerprint', 'ip_address', 'cidr', 'email', 'email_domain', 'phone', 'card_fingerprint'],
];

/** A list of the account's own: its type stays what it is now. */
function NewList() {
  const problem = useSignal<string | undefined>(undefined);
  const create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const {
      name = '',
      type = '',
      effect = 'none',
      note = '',
    } = Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, String(value).trim()]));
    problem.value = await makeList(name, { type, effect: effect as List['effect'], note: note || null });
    if (problem.value !== undefined) return;
    form.reset();
    goTo({ page: 'lists', list: name });
  };
  return (
    <Panel title="New list">
      <form class="list-add" onSubmit={(event) => void create(event)}>
        <label>
          Name
          <input name="name" required maxLength={63} pattern={'[a-z][a-z0-9_\\-]*'} autoComplete="off" />
        </label>
        <label>
          Type
          <input name="type" required maxLength={80} list="list-types" autoComplete="off" />
          <datalist id="list-types">
            {[...TYPES, 'attribute:'].map((type) => (
              <option key={type} value={type} />
            ))}
          </datalist>
        </label>
        <label>
          Effect
          <select name="effect">
            {Object.entries(EFFECTS).map(([effect, label]) => (
              <option key={effect} value={effect}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Note
          <input name="note" maxLength={500} autoComplete="off" />
        </label>
        <Problem>{problem.value}</Problem>
        <button type="submit" class="button primary">
          Create list
        </button>
      </form>
    </Panel>
  );
}

export function ListsPage({ open }: { readonly open: string | undefined }) {
  useEffect(() => {
    void openLists();
  }, []);
  const { data: lists, failure } = listsView.value;
  const canMake = session.value?.canMakeLists === true;
  const list = lists?.find(({ name }) => name === open) ?? lists?.[0];
  return (
    <div class="page">
      <PageHeading>Lists</PageHeading>
      {failure && <Failed failure={failure} retry={() => void openLists()} />}
      {!failure && !lists && <Skeleton lines={3} label="Loading lists" />}
      {lists && lists.length === 0 && (
        <Empty title="No lists yet">
          <p>{canMake ? 'Create the first one here.' : 'An administrator’s key can create the first one.'}</p>
        </Empty>
      )}
      {lists && lists.length === 0 && canMake && <NewList />}
      {lists && list && (
        <div class="lists-columns">
          <ListOfLists lists={lists} open={list.name} />
          <div>
            <OpenList list={list} />
            {canMake && <NewList />}
          </div>
        </div>
      )}
    </div>
  );
}
