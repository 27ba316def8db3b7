import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AlarmStatus } from '../../local/cloudwatch/alarm-states';
import { newApiKey } from '../../shared/domain/accounts/api-key';
import { createKey, revokeKey } from '../../shared/usecases/accounts/administer-accounts';
import { IS_FULL, percentile, printMeasurement, sized, spread } from '../soak/soak-size';
import { admin, call, newAccount } from '../support/api';
import { localRun } from '../support/local-run';
import { patient } from '../support/patience';

describe('hostile input', () => {
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

  /** Memory of this machine that the local run takes, functions and all; undefined where nobody tells. */
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
});

describe('refused keys', () => {
  const STRANGERS = 1_000;
  const AT_ONCE = 20;

  const alarms = async (): Promise<AlarmStatus[]> =>
    (await (await fetch(`${localRun().url}/_local/alarms`)).json()) as AlarmStatus[];
  const stateOf = (all: readonly AlarmStatus[], id: string) => all.find(({ name }) => name.endsWith(`-${id}`))?.state;
  const refusals = (): number =>
    readFileSync(join(localRun().dataDir, 'logs', 'Authorize.log'), 'utf8').split('"outcome":"refused"').length - 1;

  describe('keys that are refused', () => {
    it(
      'are not crashes: a thousand bad keys set off no alarm that would page or take a deployment back',
      async () => {
        const keys = Array.from({ length: STRANGERS }, () => newApiKey('sandbox', randomBytes));
        const statuses = new Set<number>();
        await Promise.all(
          Array.from({ length: AT_ONCE }, async () => {
            for (let key = keys.pop(); key; key = keys.pop()) {
              statuses.add((await call('GET', '/v1/webhooks', { key })).status);
            }
          }),
        );
        expect([...statuses]).toEqual([401]);
        const now = await alarms();
        expect([stateOf(now, 'crashed-authorize'), stateOf(now, 'unhandled-errors')]).toEqual(['OK', 'OK']);
      },
      patient(90_000),
    );

    it('are remembered by the gateway: the same bad key asks the authorizer once', async () => {
      const { account_id } = await newAccount();
      const { key, record } = await createKey(admin(), account_id, null);
      await revokeKey(admin(), account_id, record.key_id);
      const before = refusals();
      for (let time = 0; time < 3; time += 1) {
        const { status, json } = await call('GET', '/v1/webhooks', { key });
        expect([status, json.error.code]).toEqual([401, 'unauthorized']);
      }
      expect(refusals() - before).toBe(1);
    });
  });
});
