import { call, newAccount, type Reply } from '../support/api';
import { localRun } from '../support/local-run';
import { useTimeMachineApart } from '../support/machine/time-machine';
import { atRate, IS_FULL, percentile, printMeasurement, sized, spread } from './soak-size';

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
const autocannon = require('autocannon') as (options: Cannon) => Promise<unknown>;

// So small that a slow machine can go three times beyond it.
const LIMIT = 10;
const QUIET_PER_SECOND = 6;
const [ROUNDS, SECONDS] = [sized(4, 1), sized(30, 4)];

useTimeMachineApart({}, ['-c', `accountRateLimit=${LIMIT}`, '-c', `accountBurstLimit=${LIMIT}`]);

async function shoot(key: string, perSecond: number): Promise<Shot[]> {
  const shots: Shot[] = [];
  await autocannon({
    url: `${localRun().url}/v1/webhooks`,
    connections: 3,
    overallRate: perSecond,
    duration: SECONDS,
    requests: [
      {
        headers: { authorization: `Bearer ${key}` },
        onResponse: (status, body, _context, headers) => shots.push({ status, body, headers }),
      },
    ],
  });
  return shots;
}

interface Timed {
  readonly reply: Reply;
  readonly tookMs: number;
}

/** A merchant who asks now and then, at even intervals: autocannon sends what is due in a second all at once. */
const ask = (key: string, seconds = SECONDS): Promise<Timed[]> =>
  atRate(QUIET_PER_SECOND, QUIET_PER_SECOND * seconds, async () => {
    const started = performance.now();
    const reply = await call('GET', '/v1/webhooks', { key });
    return { reply, tookMs: performance.now() - started };
  });

it('three times the limit on one key: 429 with Retry-After in our envelope, and its neighbour never notices', async () => {
  const [loud, quiet] = [(await newAccount('loud')).key, (await newAccount('quiet')).key];
  // The first answers are those of functions that start.
  await Promise.all([ask(loud, sized(20, 3)), ask(quiet, sized(20, 3))]);

  const [alone, beside, shots]: [Timed[], Timed[], Shot[]] = [[], [], []];
  // In turn: what the machine does besides falls on both alike.
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(...(await ask(quiet)));
    const [asked, shot] = await Promise.all([ask(quiet), shoot(loud, 3 * LIMIT)]);
    beside.push(...asked);
    shots.push(...shot);
  }
  const took = (timed: readonly Timed[]): number[] => timed.map(({ tookMs }) => tookMs);
  printMeasurement(`the quiet key alone: ${spread(took(alone))}; beside the loud one: ${spread(took(beside))}`);

  const refused = shots.filter(({ status }) => status === 429);
  const served = shots.filter(({ status }) => status === 200);
  expect(shots).toHaveLength(refused.length + served.length);
  // A full bucket at the beginning, and what flows into it: no more passes, whatever the machine's speed.
  expect(served.length).toBeLessThanOrEqual(ROUNDS * (LIMIT + LIMIT * (SECONDS + 1)));
  expect(refused.length).toBeGreaterThan(LIMIT);
  for (const { headers, body } of refused) {
    const names = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    expect(Number(names['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(body).error.code).toBe('rate_limited');
  }

  const others = [...alone, ...beside].filter(({ reply }) => reply.status !== 200);
  expect(others.map(({ reply: { status, text } }) => `${status} ${text}`)).toEqual([]);
  if (IS_FULL) expect(percentile(took(beside), 0.99)).toBeLessThanOrEqual(1.2 * percentile(took(alone), 0.99));
}, 600_000);
