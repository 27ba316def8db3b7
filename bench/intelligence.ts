import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIntelligence, bundledFiles, compileIntelligence } from '../lib/bundling/compile-intelligence';
import { openIntelligence } from '../shared/domain/intelligence/intelligence-table';
import { seededRandom } from '../shared/domain/models/seeded-random';
import type { Measurement } from './support/measurement';

const LOOKUPS = 100_000;
const ROUNDS = 9;

/** The shortest of several rounds, in microseconds of CPU per piece: what other work adds is not ours. */
const microsPer = (pieces: number, work: () => void): number =>
  Math.min(
    ...Array.from({ length: ROUNDS }, () => {
      const start = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / pieces;
    }),
  );

/** The table of what is known offline, to open it and to ask it, and one with ranges alone, as it was before it knew domains. */
export function run(): Measurement[] {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const written = (name: string, bytes: Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const before = process.memoryUsage().external;
    const table = openIntelligence(readFileSync(path));
    return {
      path,
      table,
      megabytes: [bytes.length, process.memoryUsage().external - before].map((each) => each / 1e6),
    };
  };
  const [ranges, all] = [
    written('ranges', buildIntelligence(bundledFiles(new Set(['disposable', 'free'])))),
    written('all', compileIntelligence()),
  ] as const;
  const random = seededRandom(7);
  const asked = (make: () => string) => Array.from({ length: LOOKUPS }, make);
  const group = (): number => Math.floor(random() * 65_536);
  const v4 = asked(() => [0, 0].flatMap(() => [group() & 255, group() & 255]).join('.'));
  const v6 = asked(() => ['2a02', ...Array.from({ length: 7 }, () => group().toString(16))].join(':'));
  const domains = ['gmail.com', 'a.mailinator.com', 'shop.example.org', 'yopmail.com'];
  const mails = asked(() => `user${group()}@${domains[group() % domains.length]}`);
  const both = (unit: string, measure: (of: typeof all) => number): string =>
    `${measure(all).toFixed(2)} ${unit} (ranges alone: ${measure(ranges).toFixed(2)})`;
  const lookup = (all: readonly string[]) =>
    both('µs', ({ table }) => microsPer(LOOKUPS, () => all.forEach((each) => void table.lookup(each))));
  const email = microsPer(LOOKUPS, () => mails.forEach((each) => void all.table.email(each)));
  return [
    { what: 'table of what is known offline', found: both('MB', ({ megabytes }) => megabytes[0] ?? 0) },
    { what: 'memory of it, outside the heap', found: both('MB', ({ megabytes }) => megabytes[1] ?? 0) },
    {
      what: 'to load it',
      found: both('ms', ({ path }) => microsPer(1_000, () => openIntelligence(readFileSync(path)))),
      aim: '≤ 2 ms',
    },
    { what: 'IP address lookup, IPv4', found: lookup(v4), aim: '≤ 2 µs' },
    { what: 'IP address lookup, IPv6', found: lookup(v6), aim: '≤ 2 µs' },
    { what: 'email domain lookup', found: `${email.toFixed(2)} µs`, aim: '≤ 4 µs' },
  ];
}
