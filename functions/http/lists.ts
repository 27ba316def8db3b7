import { invalidRequest } from '../../shared/domain/errors';
import { Created } from '../../shared/http/answer';
import { type AnswerOnceDeps, endpoint, serveFamily } from '../../shared/http/endpoint';
import {
  addedEntriesAnswer,
  entryPageAnswer,
  listAnswer,
  listCollectionAnswer,
  readCursor,
} from '../../shared/http/presenters/list-answer';
import * as routes from '../../shared/routes/lists';
import { listWiring } from '../../shared/runtime/list-wiring';
import { functionLogger } from '../../shared/runtime/logger';
import { DEFAULT_LIMIT } from '../../shared/schemas/conventions';
import { authorNames, type ListKeysDeps } from '../../shared/usecases/accounts/list-keys';
import {
  type AddedEntries,
  addEntries,
  listEntries,
  type ManageEntriesDeps,
  removeEntry,
} from '../../shared/usecases/lists/manage-entries';
import { deleteList, getList, getLists, type ManageListsDeps, putList } from '../../shared/usecases/lists/manage-lists';

type Deps = AnswerOnceDeps & ManageListsDeps & ManageEntriesDeps & ListKeysDeps;

function cursorOf(text: string | undefined): string | undefined {
  const name = readCursor(text);
  if (text !== undefined && name === undefined) {
    throw invalidRequest([{ field: 'cursor', message: 'must be a next_cursor from an earlier page' }]);
  }
  return name;
}

export const build = (deps: Deps) =>
  serveFamily([
    endpoint(routes.putListRoute, deps, async ({ caller, params, body }) => {
      const { list, isNew } = await putList(deps, caller, params.name, body);
      return isNew ? new Created(listAnswer(list)) : listAnswer(list);
    }),
    endpoint(routes.listListsRoute, deps, async ({ caller }) => listCollectionAnswer(await getLists(deps, caller))),
    endpoint(routes.getListRoute, deps, async ({ caller, params }) =>
      listAnswer(await getList(deps, caller, params.name)),
    ),
    endpoint(routes.deleteListRoute, deps, async ({ caller, params }) => {
      await deleteList(deps, caller, params.name);
      return undefined;
    }),
    endpoint(routes.addListEntriesRoute, deps, async ({ caller, params, body, record }) => {
      const recordOf = record && ((added: AddedEntries) => record(addedEntriesAnswer(added)));
      return addedEntriesAnswer(
        await addEntries(deps, caller, params.name, { entries: body.entries, record: recordOf }),
      );
    }),
    endpoint(routes.listListEntriesRoute, deps, async ({ caller, params, query }) => {
      const part = { limit: Number(query.limit ?? DEFAULT_LIMIT), after: cursorOf(query.cursor), value: query.value };
      const page = await listEntries(deps, caller, params.name, part);
      const authors = page.entries.map(({ added_by }) => added_by);
      return entryPageAnswer(page, await authorNames(deps, caller, authors));
    }),
    endpoint(routes.deleteListEntryRoute, deps, async ({ caller, params }) => {
      await removeEntry(deps, caller, params.name, params.value);
      return undefined;
    }),
  ]);

export const handler = build(listWiring(functionLogger('lists')));
