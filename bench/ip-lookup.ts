import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileIpTable, readIpSources } from '../lib/bundling/compile-ip-table';
import { NETWORK_CLASSES, openIpTable } from '../shared/domain/ip/ip-table';
import { seededRandom } from '../shared/domain/models/seeded-random';
import type { Measurement } from './support/measurement';

/* Prints size, load time, time per lookup and class shares: `npm run bench -- ip-lookup`. */
const LOOKUPS = 200_000;
const ROUNDS = 5;
const SHARE_SAMPLE = 1_000_000;

const elapsedMs = (work: () => void): number => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const random = seededRandom(7);
const next = () => Math.floor(random() * 2 ** 32);
const v4 = (word = next()) => [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255].join('.');
/** Random hosts in networks that exist: random IPv6 addresses would nearly all fall into gaps. */
const v6Networks = readIpSources()
  .asnV6.split('\n')
  .filter((line) => line !== '')
  .map((line) => BigInt(line.slice(0, line.indexOf(','))) >> 80n);
const v6 = () => {
  const network = v6Networks[next() % v6Networks.length] ?? 0n;
  const groups = [32n, 16n, 0n].map((shift) => Number((network >> shift) & 0xffffn));
  return [...groups, ...Array.from({ length: 5 }, () => next() & 0xffff)].map((group) => group.toString(16)).join(':');
};

/** The size of the table, and the time per lookup. */
export function run(): Measurement[] {
  const folder = mkdtempSync(join(tmpdir(), 'ip-table-'));
  const path = join(folder, 'ip-table.bin');
  const compileMs = elapsedMs(() => compileIpTable(path));
  const cachedMs = elapsedMs(() => compileIpTable());
  const table = openIpTable(readFileSync(path));
  const loadMs = median(Array.from({ length: 9 }, () => elapsedMs(() => openIpTable(readFileSync(path)))));
  const bytes = readFileSync(path).length;
  rmSync(folder, { recursive: true });

  console.log(`size            ${(bytes / 1e6).toFixed(2)} MB`);
  console.log(`compile         ${compileMs.toFixed(0)} ms, from the cache ${cachedMs.toFixed(0)} ms`);
  console.log(`load            ${loadMs.toFixed(2)} ms (read and open, median of 9)`);

  let slowest = 0;
  for (const [name, make] of [
    ['v4', () => v4()],
    ['v6', v6],
  ] as const) {
    const addresses = Array.from({ length: LOOKUPS }, make);
    let found = 0;
    const runs = Array.from({ length: ROUNDS }, () =>
      elapsedMs(() => {
        for (const address of addresses) if (table.lookup(address) !== undefined) found++;
      }),
    );
    const micros = (median(runs) * 1000) / LOOKUPS;
    slowest = Math.max(slowest, micros);
    const known = ((100 * found) / (LOOKUPS * ROUNDS)).toFixed(0);
    console.log(`lookup ${name}       ${micros.toFixed(3)} µs, text to facts (${known}% known)`);
  }

  const counts = new Map<string, number>();
  for (let i = 0; i < SHARE_SAMPLE; i++) {
    const network = table.lookup(v4())?.network;
    if (network !== undefined) counts.set(network, (counts.get(network) ?? 0) + 1);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  for (const network of NETWORK_CLASSES) {
    const share = (100 * (counts.get(network) ?? 0)) / total;
    console.log(`${network.padEnd(16)}${share.toFixed(1)}% of the known v4 addresses (sample of ${SHARE_SAMPLE})`);
  }
  return [{ what: 'IP address lookup', found: `${slowest.toFixed(2)} µs`, aim: '≤ 2 µs' }];
}
