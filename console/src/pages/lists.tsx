import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { failureOf } from '../api/client';
import type { List } from '../api/types';
import { AddEntries, EntryTable } from '../parts/entry-table';
import { Empty, Failed, PageHeading, Panel, Problem, Skeleton } from '../parts/panel';
import { entriesView, listsView, moreEntries, openEntries, openLists, remove } from '../state/lists';
import { addressOf } from '../state/route';
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
      const failed = failureOf(error);
      problem.value = failed.kind === 'offline' ? 'Cannot reach the service.' : failed.message;
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

export function ListsPage({ open }: { readonly open: string | undefined }) {
  useEffect(() => {
    void openLists();
  }, []);
  const { data: lists, failure } = listsView.value;
  const list = lists?.find(({ name }) => name === open) ?? lists?.[0];
  return (
    <div class="page">
      <PageHeading>Lists</PageHeading>
      {failure && <Failed failure={failure} retry={() => void openLists()} />}
      {!failure && !lists && <Skeleton lines={3} label="Loading lists" />}
      {lists && lists.length === 0 && (
        <Empty title="No lists yet">
          <p>Create one through the API or with `npm run admin -- lists put`.</p>
        </Empty>
      )}
      {lists && list && (
        <div class="lists-columns">
          <ListOfLists lists={lists} open={list.name} />
          <div>
            <OpenList list={list} />
          </div>
        </div>
      )}
    </div>
  );
}
