import { call, newAccount } from '../support/api';
import { MINUTE, passWithSchedules, useTimeMachine } from '../support/machine/time-machine';

useTimeMachine();

const erasureOf = async (key: string, id: string) => (await call('GET', `/v1/erasures/${id}`, { key })).json;
const erase = async (key: string, user: string) => {
  const { status, json } = await call('DELETE', `/v1/users/${user}`, { key });
  expect([status, Object.keys(json)]).toEqual([202, ['erasure_id']]);
  return json.erasure_id as string;
};

it('erases somebody in the next run, whatever other accounts ask for, and nobody at once', async () => {
  const [busy, quiet] = [(await newAccount()).key, (await newAccount()).key];
  for (let nobody = 0; nobody < 40; nobody++) {
    const id = await erase(busy, `nobody-${nobody}`);
    // Answered without a walk, and like any other: it names nobody and found nothing.
    expect(await erasureOf(busy, id)).toMatchObject({ status: 'completed', items_checked: 0, erased: {} });
  }
  const forced = { custom_attributes: { sandbox_decision: 'review' } };
  for (const [user_id, more] of [
    ['ann', {}],
    ['tester', forced],
  ] as const) {
    const body = { user_id, amount: 20, currency: 'EUR', device_fingerprint: `phone of ${user_id}`, ...more };
    expect((await call('POST', '/v1/transactions/screen', { key: quiet, body })).status).toBe(200);
  }
  const ids = [await erase(quiet, 'ann'), await erase(quiet, 'tester')];
  expect(await erasureOf(quiet, ids[0] ?? '')).toMatchObject({ status: 'pending' });
  // The schedules follow the clock: nobody fires one here.
  await passWithSchedules(15 * MINUTE);
  expect(await erasureOf(quiet, ids[0] ?? '')).toMatchObject({ status: 'completed', erased: { result: 1, entity: 1 } });
  expect(await erasureOf(quiet, ids[1] ?? '')).toMatchObject({ status: 'completed', erased: { result: 1 } });
});
