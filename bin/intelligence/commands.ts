import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { compileIntelligence, type DatedFile, termsOf } from '../../lib/bundling/compile-intelligence';
import type { IntelligenceAdmin } from '../../lib/bundling/renew-intelligence';
import { type CommandTable, needWord, STAGE_OPTIONS, UsageError } from '../../shared/cli/command-line';
import { textTable } from '../../shared/cli/text-table';
import {
  type IntelligenceDescription,
  openIntelligence,
  SOURCE_KINDS,
  type SourceKind,
} from '../../shared/domain/intelligence/intelligence-table';

const isKind = (word: string): word is SourceKind => (SOURCE_KINDS as readonly string[]).includes(word);

/** As it was downloaded: DB-IP compresses its files. */
function textOf(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\uFEFF/, '');
}

/** `vpn=ipv4.txt` or `dbip-country-lite-2026-11.csv`; the date is that in the name, else when the file was written. */
function fileOf(word: string): DatedFile {
  const [before = '', after] = word.split(/=(.*)/s);
  const kind = after !== undefined && isKind(before) ? before : undefined;
  const path = kind === undefined ? word : (after as string);
  const name = basename(path, '.gz');
  const [, year, month, day = '01'] = /(20\d\d)-?([01]\d)(?:-?([0-3]\d))?/.exec(name) ?? [];
  try {
    const date = year ? `${year}-${month}-${day}` : statSync(path).mtime.toISOString().slice(0, 10);
    return { name, kind, text: textOf(path), ...termsOf(name), date };
  } catch (error) {
    throw new UsageError(`Could not read ${path}: ${(error as Error).message}`);
  }
}

const sourceTable = ({ version, sources }: IntelligenceDescription): string =>
  [
    `Table ${version}:`,
    textTable([
      ['KIND', 'SOURCE', 'DATE', 'ENTRIES', 'LICENCE'],
      ...sources.map(({ kind, name, date, entries, licence }) => [
        ...[kind, name, date, entries.toLocaleString('en-US'), licence],
      ]),
    ]),
    ...[...new Set(sources.map(({ attribution }) => attribution))].flatMap((text) =>
      text === undefined ? [] : [`Show where you show results: ${text}`],
    ),
  ].join('\n');

async function listText(admin: IntelligenceAdmin): Promise<string> {
  const { current, tables } = await admin.state();
  const rows = [...tables]
    .reverse()
    .map(({ version, stored_at }) => [version === current ? '*' : '', version, stored_at]);
  return [
    sourceTable(await admin.current()),
    '',
    textTable([['', 'VERSION', 'STORED'], ...rows, [current === null ? '*' : '', 'bundle', 'with the functions']]),
  ].join('\n');
}

/** Every command of `npm run intelligence`. */
export const INTELLIGENCE_COMMANDS: CommandTable<IntelligenceAdmin> = {
  program: 'npm run intelligence',
  about:
    'What screenings know offline of IP addresses and email domains. Acts on the local run, or with --aws on the deployed stack.',
  next: 'docs/ip-intelligence.md names the files that can be read, and where they are.',
  options: {
    ...STAGE_OPTIONS,
    without: { value: 'kinds', does: 'update: kinds that the new table may lack, such as vpn,tor' },
    version: { value: 'version', does: 'lookup: the table to look in' },
  },
  commands: {
    list: { usage: 'list', does: 'each source of the current table, and the tables before it', run: listText },
    update: {
      usage: 'update [KIND=]FILE…',
      does: `builds a table from downloaded files, and from those that ship for the kinds they lack; KIND is ${SOURCE_KINDS.join(', ')}`,
      run: async (admin, given) => {
        needWord(given, 0, 'file');
        const words = (given.texts.without ?? '').split(',').filter((word) => word !== '');
        const unknown = words.find((word) => !isKind(word));
        if (unknown !== undefined) throw new UsageError(`--without: no kind ${unknown}`);
        const without = new Set(words.filter(isKind));
        const made = await admin.update(given.words.map(fileOf), { nowMs: Date.now(), without });
        return `${sourceTable(made)}\nFunctions take it within five minutes.`;
      },
    },
    rollback: {
      usage: 'rollback',
      does: 'makes the table before the current one current again',
      run: async (admin) =>
        `${(await admin.rollback()) ?? 'The table of the bundle'} is current. Functions take it within five minutes.`,
    },
    lookup: {
      usage: 'lookup ADDRESS [--version VERSION]',
      does: 'what a table says about an IP or email address: the current one, or the intelligence_version of a decision',
      run: async (admin, given) => {
        const value = needWord(given, 0, 'IP or email address');
        const { current, tables } = await admin.state();
        const ships = openIntelligence(compileIntelligence());
        const version = given.texts.version ?? current ?? ships.description.version;
        const found = tables.find((each) => each.version === version);
        if (!found && version !== ships.description.version)
          throw new UsageError(
            `The bucket has no table ${version}. If an older release shipped it, look it up in a checkout of that.`,
          );
        const table = found ? await admin.table(found) : ships;
        return JSON.stringify((value.includes('@') ? table.email(value) : table.lookup(value)) ?? null);
      },
    },
  },
};
