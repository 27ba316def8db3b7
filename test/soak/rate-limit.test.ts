import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadedStack, startStack } from '../../bench/load/start-stack';
import { IS_FULL, printFigure, sized } from './soak-size';

interface Shot {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
interface Cannon {
  readonly url: string;
  readonly connections: number;
  readonly overallRate: number;
  readonly duration: number;
  readonly requests: ReadonlyArray<{
    readonly headers: Readonly<Record<string, string>>;
    readonly onResponse: (status: number, body: string, context: object, headers: Record<string, string>) => void;
  }>;
}
// It comes without types.
const autocannon = require('autocannon') as (options: Cannon) => Promise<{ readonly latency: Latency }>;
interface Latency {
  readonly p50: number;
  readonly p99: number;
}

// So small that a slow machine can go three times beyond it.
const LIMIT = 10;
const SECONDS = sized(60, 8);
const QUIET_PER_SECOND = 3;

const directory = mkdtempSync(join(tmpdir(), 'rate-limit-'));
let stack: LoadedStack;

beforeAll(async () => {
  const context = { accountRateLimit: LIMIT, accountBurstLimit: LIMIT };
  stack = await startStack('rate limit', 2, { dataDir: join(directory, 'data') }, context);
}, 600_000);
afterAll(async () => {
  await stack?.run.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function shoot(key: string, perSecond: number, seconds = SECONDS): Promise<{ shots: Shot[]; latency: Latency }> {
  const shots: Shot[] = [];
  const { latency } = await autocannon({
    url: `${stack.run.url}/v1/webhooks`,
    connections: 3,
    overallRate: perSecond,
    duration: seconds,
    requests: [
      {
        headers: { authorization: `Bearer ${key}` },
        onResponse: (status, body, _context, headers) => shots.push({ status, body, headers }),
      },
    ],
  });
  return { shots, latency };
}

it('three times the limit on one key: 429 with Retry-After in our envelope, and its neighbour never notices', async () => {
  const [loud, quiet] = stack.accounts.map(({ key }) => key) as [string, string];
  // The first answers are those of functions that start.
  await shoot(quiet, QUIET_PER_SECOND, 3);
  const alone = await shoot(quiet, QUIET_PER_SECOND);
  const [{ shots: busy }, beside] = await Promise.all([shoot(loud, 3 * LIMIT), shoot(quiet, QUIET_PER_SECOND)]);
  const calm = [...alone.shots, ...beside.shots];
  const figures = [alone, beside].map(({ latency: { p50, p99 } }) => `p50 ${p50} ms, p99 ${p99} ms`);
  printFigure(`the quiet key alone: ${figures[0]}; beside the loud one: ${figures[1]}`);

  const refused = busy.filter(({ status }) => status === 429);
  const served = busy.filter(({ status }) => status === 200);
  expect(busy).toHaveLength(refused.length + served.length);
  // A full bucket at the beginning, and what flows into it: no more passes, whatever the machine's speed.
  expect(served.length).toBeLessThanOrEqual(LIMIT + LIMIT * (SECONDS + 1));
  expect(refused.length).toBeGreaterThan(LIMIT);
  for (const { headers, body } of refused) {
    const names = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    expect(Number(names['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(body).error.code).toBe('rate_limited');
  }

  expect(calm.length).toBeGreaterThan(2 * SECONDS);
  const others = calm.filter(({ status }) => status !== 200);
  expect(others.map(({ status, body }) => `${status} ${body}`)).toEqual([]);
  if (IS_FULL) expect(beside.latency.p99).toBeLessThanOrEqual(1.2 * alone.latency.p99);
}, 300_000);
