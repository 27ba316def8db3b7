import { existsSync, readFileSync } from 'node:fs';
import { IS_FULL, percentile, printMeasurement, sized, spread } from '../soak/soak-size';
import { call, newAccount } from '../support/api';
import { localRun } from '../support/local-run';

const ROUTE = '/v1/transactions/screen';
const members = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1])));

const HOSTILE: ReadonlyArray<readonly [name: string, body: string, status: number]> = [
  ['64 KB and a byte', `"${'a'.repeat(64 * 1024 - 1)}"`, 413],
  ['10 MB', `"${'a'.repeat(9_999_998)}"`, 413],
  ['17 levels', '['.repeat(17) + ']'.repeat(17), 400],
  ['5,000 levels', '['.repeat(5_000) + ']'.repeat(5_000), 400],
  ['a million levels', '['.repeat(1_000_000), 413],
  ['1,001 members', members(1_001), 400],
  ['100,000 members', members(100_000), 413],
];

let key: string;
beforeAll(async () => {
  ({ key } = await newAccount());
});

it.each(HOSTILE)(
  '23: %s is refused at once',
  async (name, body, status) => {
    const took: number[] = [];
    for (let round = 0; round < sized(50, 5); round++) {
      const started = performance.now();
      const reply = await call('POST', ROUTE, { key, body });
      took.push(performance.now() - started);
      expect(reply.status).toBe(status);
    }
    printMeasurement(`${name}: ${status}, ${spread(took)}, with its way over HTTP`);
    if (IS_FULL) expect(percentile(took, 0.5)).toBeLessThan(50);
  },
  300_000,
);

/** What the local run, functions and all, takes of this machine's memory; undefined where nobody tells. */
function residentMegabytes(pid: number): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1]) / 1024;
}

it('22: nothing of it is kept', async () => {
  const { pid } = (await (await fetch(`${localRun().url}/_local/health`)).json()) as { pid: number };
  const small = HOSTILE.filter(([, body]) => body.length < 100_000);
  const send = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const replies = await Promise.all(small.map(([, body]) => call('POST', ROUTE, { key, body })));
      expect(replies.map(({ status }) => status)).toEqual(small.map(([, , status]) => status));
    }
  };
  const rounds = sized(1_500, 50);
  // Heaps grow to their size first.
  await send(rounds);
  const before = residentMegabytes(pid);
  if (before === undefined) return;
  await send(rounds);
  const grown = (residentMegabytes(pid) ?? 0) - before;
  printMeasurement(
    `${rounds * small.length} hostile requests after as many: ${Math.round(grown)} MB more than ${Math.round(before)} MB`,
  );
  if (IS_FULL) expect(grown).toBeLessThan(50);
}, 900_000);
