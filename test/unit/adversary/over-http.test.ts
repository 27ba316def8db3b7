import { overHttp } from '../../../bench/adversary/over-http';
import type { Attempt } from '../../../training/simulation/world';
import { errorStep, type Seen, type Step, scriptedServer } from '../../support/scripted-server';

const attempt: Attempt = {
  kind: 'event',
  body: {
    event_type: 'login',
    user_id: 'u1',
    ip_address: '91.0.0.1',
    device_fingerprint: 'd1',
    custom_attributes: {},
  },
};
const answer: Step = {
  status: 200,
  body: { decision_id: 'dec_1', risk_score: 71, decision: 'review', signals: ['new_device'] },
};

async function behind(steps: (seen: Seen) => Step) {
  const server = await scriptedServer(steps);
  const target = await overHttp({ url: `${server.url}/`, keys: { shop: 'key-of-the-shop' }, close: server.close });
  return { target, requests: server.requests };
}

const clock = (seen: Seen): Step | undefined =>
  seen.path.startsWith('/_local/clock/') ? { status: 200, body: { now: new Date().toISOString() } } : undefined;

it('screens with the key, reports the answer, and reviews', async () => {
  const { target, requests } = await behind((seen) => clock(seen) ?? answer);
  expect(await target.screen('shop', attempt)).toEqual({
    ...{ decision_id: 'dec_1', score: 71, decision: 'review', signals: ['new_device'] },
  });
  await target.review('shop', 'dec_1', 'block');
  expect(requests.slice(1).map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/v1/events', 'Bearer key-of-the-shop'],
    ['/v1/decisions/dec_1/review', 'Bearer key-of-the-shop'],
  ]);
  await target.close();
});

it('lets days pass where the clock can be moved, and only there', async () => {
  const local = await behind((seen) => clock(seen) ?? answer);
  expect(local.target.canWait).toBe(true);
  const laterMs = local.target.now() + 86_400_000;
  await local.target.moveTo(laterMs);
  expect(local.target.now()).toBeGreaterThanOrEqual(laterMs);
  const [, ms = '0'] = /clock\/(\d+)\?schedules=off$/.exec(local.requests.at(-1)?.path ?? '') ?? [];
  expect(Number(ms)).toBeGreaterThan(86_000_000);
  await local.target.close();

  const deployed = await behind(() => ({ status: 404, body: {} }));
  expect(deployed.target.canWait).toBe(false);
  await expect(deployed.target.moveTo(deployed.target.now() + 86_400_000)).rejects.toThrow('cannot be moved');
  await deployed.target.close();
});

it('says what a stack refused', async () => {
  const { target } = await behind((seen) => clock(seen) ?? { status: 401, body: { error: { code: 'unauthorized' } } });
  await expect(target.screen('shop', attempt)).rejects.toThrow('/v1/events: 401 {"error":{"code":"unauthorized"}}');
  await target.close();
});

it('asks again, with the same key, while the attempt that was given up still runs', async () => {
  const steps = [errorStep(503, 'unavailable'), errorStep(409, 'idempotency_in_progress'), answer];
  const { target, requests } = await behind((seen) => clock(seen) ?? steps.shift() ?? answer);
  expect(await target.screen('shop', attempt)).toMatchObject({ score: 71 });
  const keys = requests.slice(1).map(({ headers }) => headers['idempotency-key']);
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  await target.close();
});
