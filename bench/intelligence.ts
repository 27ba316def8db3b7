import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileIntelligence } from '../lib/bundling/compile-intelligence';
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

/** The table of what is known offline: to open it, and to ask it. */
export function run(): Measurement[] {
  const path = join(mkdtempSync(join(tmpdir(), 'bench-')), 'table.bin');
  const { length } = compileIntelligence(path);
  const table = openIntelligence(readFileSync(path));
  const random = seededRandom(7);
  const asked = (make: () => string) => Array.from({ length: LOOKUPS }, make);
  const group = (): number => Math.floor(random() * 65_536);
  const v4 = asked(() => [0, 0].flatMap(() => [group() & 255, group() & 255]).join('.'));
  const v6 = asked(() => ['2a02', ...Array.from({ length: 7 }, () => group().toString(16))].join(':'));
  const domains = ['gmail.com', 'a.mailinator.com', 'shop.example.org', 'yopmail.com'];
  const mails = asked(() => `user${group()}@${domains[group() % domains.length]}`);
  const lookup = (all: readonly string[], ask: (text: string) => unknown) =>
    `${microsPer(LOOKUPS, () => all.forEach(ask)).toFixed(2)} µs`;
  const load = microsPer(1_000, () => openIntelligence(readFileSync(path)));
  return [
    { what: 'table of what is known offline', found: `${(length / 1e6).toFixed(1)} MB` },
    { what: 'to load it', found: `${load.toFixed(1)} ms`, aim: '≤ 2 ms' },
    { what: 'IP address lookup, IPv4', found: lookup(v4, table.lookup), aim: '≤ 2 µs' },
    { what: 'IP address lookup, IPv6', found: lookup(v6, table.lookup), aim: '≤ 2 µs' },
    { what: 'email domain lookup', found: lookup(mails, table.email), aim: '≤ 4 µs' },
  ];
}
