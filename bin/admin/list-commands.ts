import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { type Command, type Given, needWord, UsageError } from '../../shared/cli/command-line';
import { progressLine } from '../../shared/cli/progress-line';
import { textTable } from '../../shared/cli/text-table';
import { entityNames } from '../../shared/domain/entities/entity-ref';
import { entryMark, isListType, LIST_EFFECTS, type ListChange } from '../../shared/domain/lists/list-definition';
import type { NewEntry } from '../../shared/domain/lists/list-entry';
import { nameValue } from '../../shared/domain/lists/list-value';
import { newUlid } from '../../shared/runtime/ids';
import { requireAccount } from '../../shared/usecases/accounts/administer-accounts';
import { addEntries } from '../../shared/usecases/lists/manage-entries';
import { deleteList, getList, putList } from '../../shared/usecases/lists/manage-lists';
import type { Target } from './target';

export interface CsvEntry {
  readonly line: number;
  readonly entry: NewEntry;
}

const COLUMNS = ['value', 'expires_at', 'reason'] as const;

/** Spreadsheets run what begins like this (owasp.org/www-community/attacks/CSV_Injection): an apostrophe makes it text. */
const FORMULA = /^(?='*[=+\-@\t\r])/;
/** That apostrophe, which a file that is read again loses. */
const INERT = /^'(?='*[=+\-@\t\r])/;

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Entries of a CSV file, one after another. Without a header, the columns are value, expires_at and reason. */
export async function* readEntries(file: string): AsyncGenerator<CsvEntry> {
  const parser = parse({ info: true, bom: true, trim: true, skip_empty_lines: true, relax_column_count: true });
  const rows = createReadStream(file).pipe(parser) as AsyncIterable<Parsed>;
  let columns: readonly string[] | undefined;
  for await (const { record, info } of rows) {
    if (columns === undefined) {
      const names = record.map((name) => name.toLowerCase());
      columns = names.includes('value') ? names : COLUMNS;
      if (columns === names) continue;
    }
    const cell = (name: string): string | undefined =>
      record[columns?.indexOf(name) ?? -1]?.replace(INERT, '') || undefined;
    const entry = { value: cell('value') ?? '', expires_at: cell('expires_at'), reason: cell('reason') };
    yield { line: info.lines, entry };
  }
}

const quoted = (cell: string): string => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export const csvLine = (cells: ReadonlyArray<string | null>): string =>
  `${cells.map((cell) => quoted((cell ?? '').replace(FORMULA, "'"))).join(',')}\n`;

type Deps = Target['deps'];

const OPERATOR = 'operator';
const BATCH = 1_000;
/** More bad lines than anybody corrects by hand. */
const MOST_SHOWN = 100;

function listDeps(deps: Deps) {
  // Read once: a command is over before the key can change.
  const pseudonyms = deps.identity.pseudonyms();
  return {
    clock: deps.clock,
    newUlid,
    pseudonyms: () => pseudonyms,
    lists: deps.lists.definitions,
    entries: deps.lists.entries,
  };
}

async function callerOf(deps: Deps, given: Given) {
  const { account_id } = await requireAccount(deps, needWord(given, 0, 'account id'));
  return { account_id, key_id: OPERATOR };
}

async function importEntries(deps: Deps, given: Given): Promise<string> {
  const caller = await callerOf(deps, given);
  const name = needWord(given, 1, 'list');
  const file = resolve(needWord(given, 2, 'CSV file'));
  if (!existsSync(file)) throw new UsageError(`No such file: ${file}`);
  const uses = listDeps(deps);
  const count = { added: 0, updated: 0 };
  const bad: string[] = [];
  const progress = progressLine();
  const send = async (batch: readonly CsvEntry[]): Promise<void> => {
    const entries = batch.map(({ entry }) => entry);
    const { added, updated, rejected } = await addEntries(uses, caller, name, { entries });
    count.added += added;
    count.updated += updated;
    for (const { index, message } of rejected) bad.push(`line ${batch[index]?.line}: ${message}`);
    progress.show(() => `${count.added} added, ${count.updated} updated, ${bad.length} rejected`);
  };
  let batch: CsvEntry[] = [];
  for await (const each of readEntries(file)) {
    batch.push(each);
    if (batch.length < BATCH) continue;
    await send(batch);
    batch = [];
  }
  if (batch.length > 0) await send(batch);
  progress.done();
  const more = bad.length > MOST_SHOWN ? [`… and ${bad.length - MOST_SHOWN} more`] : [];
  return [
    ...bad.slice(0, MOST_SHOWN),
    ...more,
    `${count.added} added, ${count.updated} updated, ${bad.length} rejected.`,
  ].join('\n');
}

async function exportEntries(deps: Deps, given: Given): Promise<string> {
  const caller = await callerOf(deps, given);
  const list = await getList({ lists: deps.lists.definitions }, caller, needWord(given, 1, 'list'));
  const file = resolve(needWord(given, 2, 'file to write'));
  const progress = progressLine();
  let written = 0;
  async function* lines(): AsyncGenerator<string> {
    yield csvLine(['value', 'expires_at', 'reason', 'added_at', 'added_by']);
    let after: string | undefined;
    do {
      const page = await deps.lists.entries.page(caller.account_id, list, { limit: BATCH, after });
      for (const { value, expires_at, reason, added_at, added_by } of page.entries) {
        yield csvLine([value, expires_at, reason, added_at, added_by]);
        written += 1;
      }
      progress.show(() => `${written} of ${list.entries} entries`);
      after = page.next;
    } while (after !== undefined);
  }
  await pipeline(lines, createWriteStream(file));
  progress.done();
  return `Exported ${written} entries to ${file}. It contains personal data: protect it like the table.`;
}

/** Those that concern a value, however it is written. After a new identity key, earlier ones are not found by it. */
async function changesOf(
  deps: Deps,
  accountId: string,
  value: string,
  changes: readonly ListChange[],
): Promise<readonly ListChange[]> {
  const pseudonyms = await deps.identity.pseudonyms();
  const names = entityNames(accountId, pseudonyms);
  return changes.filter(({ type, marks = [] }) => {
    const named = nameValue(names, type, value);
    return 'ref' in named && marks.includes(entryMark(accountId, named.ref.key));
  });
}

/** Lists of an account and their entries: docs/guide/lists.md. */
export const LIST_COMMANDS: Readonly<Record<string, Command<Deps>>> = {
  'lists show': {
    usage: 'lists show ACCOUNT_ID',
    does: "show an account's lists",
    run: async (deps, given) => {
      const { account_id } = await callerOf(deps, given);
      const rows = (await deps.lists.definitions.all(account_id)).map(({ name, type, effect, entries, note }) => [
        ...[name, type, effect, String(entries), note ?? ''],
      ]);
      return rows.length === 0 ? 'No lists yet.' : textTable([['NAME', 'TYPE', 'EFFECT', 'ENTRIES', 'NOTE'], ...rows]);
    },
  },
  'lists put': {
    usage: 'lists put ACCOUNT_ID NAME --type TYPE --effect EFFECT [--note TEXT]',
    does: 'create a list, or change its effect and note',
    run: async (deps, given) => {
      const { type = '', effect: wanted, note } = given.texts;
      const effect = LIST_EFFECTS.find((each) => each === wanted);
      if (!isListType(type))
        throw new UsageError(`--type must be user_id, email, cidr … or attribute:<key>, not ${type}.`);
      if (!effect) throw new UsageError(`--effect must be one of: ${LIST_EFFECTS.join(', ')}.`);
      const name = needWord(given, 1, 'list');
      const { list, isNew } = await putList(listDeps(deps), await callerOf(deps, given), name, { type, effect, note });
      return `${list.name} ${isNew ? 'created' : 'changed'}: ${list.type}, ${list.effect}; screenings follow within 60 s.`;
    },
  },
  'lists delete': {
    usage: 'lists delete ACCOUNT_ID NAME',
    does: 'delete a list with its entries',
    run: async (deps, given) => {
      const name = needWord(given, 1, 'list');
      await deleteList(listDeps(deps), await callerOf(deps, given), name);
      return `${name} deleted; screenings follow within 60 s.`;
    },
  },
  'lists import': {
    usage: 'lists import ACCOUNT_ID NAME FILE.csv',
    does: 'add the entries of a CSV file (value, expires_at, reason) and report bad lines. If interrupted, rerun it',
    run: importEntries,
  },
  'lists export': {
    usage: 'lists export ACCOUNT_ID NAME FILE.csv',
    does: 'write the entries of a list to a CSV file',
    run: exportEntries,
  },
  'lists changes': {
    usage: 'lists changes ACCOUNT_ID [VALUE]',
    does: 'show who changed which list, newest first; or who changed the entry of a value',
    run: async (deps, given) => {
      const { account_id } = await callerOf(deps, given);
      const changes = await deps.lists.definitions.changes(account_id, 100);
      const [, value] = given.words;
      const shown = value === undefined ? changes : await changesOf(deps, account_id, value, changes);
      const rows = shown.map((each) => [
        ...[each.changed_at, each.changed_by, each.name, each.kind],
        ...[each.added, each.updated, each.removed].map(String),
      ]);
      if (rows.length === 0) return 'No changes yet.';
      return textTable([['AT', 'BY', 'LIST', 'CHANGE', 'ADDED', 'UPDATED', 'REMOVED'], ...rows]);
    },
  },
};
