import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { INTELLIGENCE_COMMANDS } from '../../../bin/intelligence/commands';
import { compileIntelligence, type DatedFile } from '../../../lib/bundling/compile-intelligence';
import { faultsOf, intelligenceAdmin } from '../../../lib/bundling/renew-intelligence';
import {
  ageDays,
  INTELLIGENCE_KEY,
  type IntelligenceTable,
  openIntelligence,
  SOURCE_KINDS,
  type SourceKind,
} from '../../../shared/domain/intelligence/intelligence-table';
import { intelligenceBucket } from '../../../shared/runtime/model-wiring';
import { standInIntelligence } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import { memoryObjects } from '../../../shared/store/memory/memory-objects';
import { intelligenceFollower } from '../../../shared/usecases/screening/followers';

const PREFIX = 'sandbox/';
const about = { licence: 'CC0 1.0', date: '2026-11-18' };
const SMALL = { country: 1, asn: 1, disposable: 1, free: 1 };

/** Every kind that ships, small: what is given replaces it, and nothing large has to be compiled. */
const files = (more: Readonly<Record<string, string>> = {}): DatedFile[] =>
  Object.entries({
    'country.csv': '1.0.0.0,1.0.255.255,AU\n1.1.0.0,1.1.0.255,US\n',
    'asn.csv': '1.0.0.0,1.0.255.255,64000,"Some Hosting Ltd"\n',
    'disposable.txt': 'mailinator.com\n',
    'free.txt': 'gmail.com\n',
    ...more,
  }).map(([name, text]) => ({ ...about, name, text }));

/** A bucket, somebody at a keyboard, and a function that follows. */
function world() {
  const objects = memoryObjects();
  const admin = intelligenceAdmin(objects, PREFIX);
  const shipped: IntelligenceTable = standInIntelligence().current();
  const failures: unknown[] = [];
  const read: string[] = [];
  let nowMs = Date.parse('2026-11-18T00:00:00Z');
  const follower = intelligenceFollower({
    clock: { now: () => nowMs },
    shipped,
    bucket: intelligenceBucket(objects, PREFIX),
    onRead: ({ description }) => read.push(description.version),
    onFailure: (error) => failures.push(String(error)),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    objects,
    admin,
    failures,
    read,
    async update(more?: Readonly<Record<string, string>>, without?: ReadonlySet<SourceKind>) {
      // The shipped table is larger: the first small one must be allowed to be smaller.
      const isFirst = (await admin.state()).current === null;
      const renewal = isFirst ? { without: new Set(SOURCE_KINDS) } : without ? { without } : {};
      return admin.update(files(more), { nowMs, least: SMALL, ...renewal });
    },
    /** A function's answer about an address so many minutes later, at its second request. */
    async after(minutes: number, ip: string, email = 'a@b.example') {
      nowMs += minutes * 60_000;
      follower.current();
      for (let turn = 0; turn < 10; turn++) await settle();
      const table = follower.current();
      return { version: table.description.version, ip: table.lookup(ip), email: table.email(email) };
    },
  };
}

describe('a table that is put into the bucket', () => {
  it('is taken within five minutes, and rolled back as fast', async () => {
    const { admin, update, after, read } = world();
    expect((await after(0, '1.1.0.7')).version).toBe('none');
    const first = await update();
    const second = await update({ torbulkexitlist: '1.1.0.7\n', 'disposable.txt': 'mailinator.com\nyopmail.com\n' });
    expect(await after(5, '1.1.0.7', 'a@x.yopmail.com')).toEqual({
      version: second.version,
      ip: { country: 'US', network: 'other', tor: true },
      email: { disposable: true, free: false },
    });
    expect(await admin.rollback()).toBe(first.version);
    expect(await after(5, '1.1.0.7', 'a@x.yopmail.com')).toEqual({
      version: first.version,
      ip: { country: 'US', network: 'other' },
      email: { disposable: false, free: false },
    });
    expect(await admin.rollback()).toBeNull();
    expect((await after(5, '1.1.0.7')).version).toBe('none');
    await expect(admin.rollback()).rejects.toThrow('there is none before it');
    expect(new Set(read)).toEqual(new Set(['none', first.version, second.version]));
  });

  it('keeps every table, so that a decision can be looked at by its own', async () => {
    const { admin, update } = world();
    const { version } = await update({ torbulkexitlist: '1.1.0.7\n' });
    await update({}, new Set(['tor']));
    const { current, tables } = await admin.state();
    expect(current).not.toBe(version);
    const old = tables.find((each) => each.version === version);
    expect((await admin.table(old!)).lookup('1.1.0.7')).toMatchObject({ tor: true });
  });

  it('reads the bucket every other minute, and not at every request', async () => {
    const { after, read } = world();
    for (let request = 0; request < 10; request++) await after(0.1, '1.1.0.7');
    expect(read).toHaveLength(1);
  });

  it('stays as it was if the new one is cut, changed or missing', async () => {
    const { objects, update, after, failures } = world();
    const good = await update();
    expect((await after(5, '1.0.0.1')).version).toBe(good.version);
    const bad = await update({ 'vpn.txt': '1.0.0.0/24\n' });
    const key = PREFIX + INTELLIGENCE_KEY.table(bad.version);
    const stored = await objects.get(key);
    if (!stored || stored === 'unchanged') throw new Error('nothing was stored');
    await objects.put(key, stored.body.slice(0, -9));
    expect((await after(5, '1.0.0.1')).version).toBe(good.version);
    expect(failures).toEqual([`Error: The table ${bad.version} is not the one that was stored`]);
    await objects.put(key, stored.body);
    expect((await after(5, '1.0.0.1')).ip).toMatchObject({ vpn: true });
  });
});

describe('a table that is not sound', () => {
  it.each<readonly [string, Readonly<Record<string, string>>, string]>([
    ['unreadable', { torbulkexitlist: 'no such thing!\n' }, 'torbulkexitlist: unknown format'],
    ['partly unreadable', { torbulkexitlist: '1.0.0.1\n<html>\n' }, 'torbulkexitlist, line 2: not an address'],
    ['empty', { 'disposable.txt': '# nothing\n' }, 'disposable.txt is empty'],
    ['half gone', { torbulkexitlist: '1.0.0.1\n' }, 'tor: half of it is gone, 1 entries after 4 of torbulkexitlist'],
    ['gone', {}, 'tor: gone; add the newest edition of torbulkexitlist, or --without tor'],
  ])('is refused by name if it is %s, and the last good one stays', async (_, more, message) => {
    const { admin, update } = world();
    const good = await update({ torbulkexitlist: '1.0.0.1\n1.0.0.2\n1.0.0.3\n1.0.0.4\n' });
    await expect(update(more)).rejects.toThrow(message);
    expect((await admin.state()).current).toBe(good.version);
  });

  it('is refused if it is too small for what it claims to be', () => {
    const source = (kind: SourceKind, entries: number) => ({ ...about, kind, name: `${kind}.csv`, entries });
    const ships = [
      source('country', 210_000),
      source('asn', 515_000),
      source('disposable', 8_883),
      source('free', 8_759),
    ];
    const next = { version: 'b', sources: [source('country', 90_000), ...ships.slice(1)] };
    expect(faultsOf(next, { version: 'a', sources: [] })).toEqual([
      'country: too small, 90,000 entries of at least 100,000',
    ]);
    expect(faultsOf({ version: 'b', sources: ships }, { version: 'a', sources: ships })).toEqual([]);
  });
});

it('is as old as the oldest of its essential sources', () => {
  const source = (kind: SourceKind, date: string) => ({ ...about, kind, name: kind, date, entries: 1 });
  const sources = [source('country', '2026-11-08'), source('asn', '2026-11-01'), source('vpn', '2025-01-01')];
  expect(ageDays({ version: 'a', sources }, Date.parse('2026-11-18'))).toBe(17);
});

it('raises no alarm at a first deployment, and asks for a renewal 90 days after what ships was checked', () => {
  const { description } = openIntelligence(compileIntelligence());
  const [{ checked = '', date = '' } = {}] = description.sources;
  expect(date < checked).toBe(true);
  const ageAfter = (days: number) => ageDays(description, Date.parse(checked) + days * 86_400_000);
  expect([ageAfter(0), ageAfter(91)]).toEqual([0, 91]);
  const renewed = {
    ...description,
    sources: [...description.sources, { ...about, kind: 'tor', name: 'x', entries: 1 } as const],
  };
  expect(ageDays(renewed, Date.parse(checked))).toBe(0);
});

it('is built from files as they were downloaded, compressed ones and those of Windows included', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'intelligence-'));
  const [zipped, marked] = [join(folder, 'dbip-country-lite-2026-11.csv.gz'), join(folder, 'torbulkexitlist')];
  writeFileSync(zipped, gzipSync('1.0.0.0,1.0.0.255,AU\n'));
  writeFileSync(marked, '\uFEFF1.0.0.7\r\n');
  const read: DatedFile[] = [];
  const admin = {
    update: async (all: readonly DatedFile[]) => {
      read.push(...all);
      return { version: 'a', sources: [] };
    },
  };
  const given = { words: [zipped, `tor=${marked}`], texts: {}, flags: new Set() };
  await INTELLIGENCE_COMMANDS.commands.update?.run(admin as never, given as never);
  expect(read).toMatchObject([
    { name: 'dbip-country-lite-2026-11.csv', text: '1.0.0.0,1.0.0.255,AU\n', date: '2026-11-01', licence: 'CC BY 4.0' },
    { name: 'torbulkexitlist', text: '1.0.0.7\r\n', kind: 'tor' },
  ]);
});
