import { LEASE_MS } from '../../../shared/domain/webhooks/delivery-state';
import { START_WITHIN_MS } from '../../../shared/domain/webhooks/webhook-endpoint';
import {
  attemptDelivery,
  cancelReason,
  freshEndpoint,
  type Job,
} from '../../../shared/usecases/webhooks/attempt-delivery';
import { relayChange } from '../../../shared/usecases/webhooks/relay-events';
import { screened } from '../../support/changes';
import { answers } from '../../support/delivery-scene';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';

/** A delivery that is due, and a gate that finds nothing wrong with its endpoint. */
async function world() {
  const scene = memoryDeliveryWorld({ random: () => 0.5 });
  const { accountId, table, clock } = scene;
  const { webhook_id } = await scene.register(['transaction.screened']);
  const change = { kind: 'screened', account_id: accountId, record: screened(clock.now()) } as const;
  const [queued] = await relayChange(scene.relay, change);
  if (!queued) throw new Error('Nobody listens');
  const { queueMessage } = queued;
  const job = { queueMessage, ...(await table.queued.load([queueMessage])).delivery(queueMessage) } as Job;
  const gate = { ended: async () => false };
  return {
    ...{ scene, webhook_id, job, gate },
    attempt: (deps = scene.deliver, over = gate) =>
      attemptDelivery(deps, job, freshEndpoint(deps, accountId, webhook_id), over),
    stored: () => table.deliveries.find(job.delivery),
    endpoint: () => table.webhooks.merchant.find(accountId, webhook_id),
  };
}

it('sends the stored bytes and records how it went', async () => {
  const { scene, job, attempt, stored } = await world();
  scene.pass(250);
  await attempt();
  expect(scene.posts).toMatchObject([{ message: job.message, deliveryId: job.delivery.delivery_id, attempt: 1 }]);
  expect(await stored()).toMatchObject({
    state: { status: 'delivered', attempt: 1 },
    attempts: [{ attempt: 1, status_code: 200, outcome: 'delivered' }],
  });
  expect(scene.attempts).toMatchObject([{ status: 'delivered', latencyMs: 250, disabledEndpoint: false }]);
  expect(scene.sent).toEqual([]);
});

it('queues the next attempt for when it is due', async () => {
  const { scene, attempt, stored } = await world();
  scene.receiver = () => answers(500);
  await attempt();
  const after = await stored();
  if (after?.state.status !== 'pending') throw new Error('Not pending');
  const delayMs = Date.parse(after.state.next_attempt_at) - scene.clock.now();
  expect(after.state).toMatchObject({ attempt: 1, lease_until: null });
  expect(delayMs).toBeGreaterThan(0);
  expect(scene.sent).toMatchObject([{ queueMessage: { attempt: 1 }, delayMs }]);
});

it('is made once, however many received its queue message', async () => {
  const { scene, attempt } = await world();
  await Promise.all([attempt(), attempt(), attempt()]);
  await attempt();
  expect(scene.posts).toHaveLength(1);
  expect(scene.attempts).toHaveLength(1);
});

it('cancels instead of sending when the endpoint was deleted or disabled in the meantime', async () => {
  const deleted = await world();
  await deleted.scene.unregister(deleted.webhook_id);
  await deleted.attempt();
  expect((await deleted.stored())?.state).toMatchObject({ status: 'cancelled', reason: 'endpoint_deleted' });
  const disabled = await world();
  const { accountId, clock, table } = disabled.scene;
  await table.webhooks.sender.disable(accountId, disabled.webhook_id, 'failing', clock.now());
  await disabled.attempt();
  expect((await disabled.stored())?.state).toMatchObject({ status: 'cancelled', reason: 'endpoint_disabled' });
  expect([...deleted.scene.posts, ...disabled.scene.posts]).toEqual([]);
});

it('disables an endpoint that answers 410', async () => {
  const { scene, attempt, stored, endpoint } = await world();
  scene.receiver = () => answers(410);
  await attempt();
  expect((await stored())?.state).toMatchObject({ status: 'failed', reason: 'endpoint_gone' });
  expect(await endpoint()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
  expect(scene.attempts).toMatchObject([{ status: 'failed', disabledEndpoint: true }]);
});

it('does not send what it could not claim, and leaves a claim that it lost the answer of to the lease', async () => {
  for (const moment of ['before', 'after'] as const) {
    const { scene, attempt, stored } = await world();
    const deliveries = interpose(
      scene.deliver.deliveries,
      failing((_call, nth) => (nth === 0 ? moment : undefined)),
    );
    await expect(attempt({ ...scene.deliver, deliveries })).rejects.toMatchObject({ code: 'unavailable' });
    expect(scene.posts).toEqual([]);
    const lease_until = moment === 'before' ? null : new Date(scene.clock.now() + LEASE_MS).toISOString();
    expect((await stored())?.state).toMatchObject({ status: 'pending', lease_until });
  }
});

it('records a delivery although its endpoint could not be judged', async () => {
  const { scene, attempt, stored } = await world();
  await attempt(scene.deliver, { ended: () => Promise.reject(new Error('timed out')) });
  expect((await stored())?.state).toMatchObject({ status: 'delivered' });
  expect(scene.problems).toEqual([expect.stringContaining('timed out')]);
});

it('says nothing of the status when somebody else has settled the delivery meanwhile', async () => {
  const { scene, attempt, stored, job } = await world();
  scene.receiver = async () => {
    const now = await stored();
    const over = { status: 'cancelled', attempt: 1, completed_at: '', reason: 'endpoint_disabled' } as const;
    await scene.table.deliveries.step({ ...job.delivery, state: now?.state as never }, { after: over });
    return answers(500);
  };
  await attempt();
  expect(scene.attempts).toMatchObject([{ attempt: 1, status: undefined }]);
  expect(scene.sent).toEqual([]);
  expect((await stored())?.state).toMatchObject({ status: 'cancelled' });
});

describe('an endpoint', () => {
  it('is read again once it is too old to begin an attempt with', async () => {
    const { scene, webhook_id } = await world();
    const now = freshEndpoint(scene.deliver, scene.accountId, webhook_id);
    expect(cancelReason(await now())).toBeUndefined();
    await scene.unregister(webhook_id);
    scene.pass(START_WITHIN_MS);
    expect(await now()).toMatchObject({ webhook_id });
    scene.pass(1);
    expect(cancelReason(await now())).toBe('endpoint_deleted');
  });

  it('that can never be read fast enough is given up', async () => {
    const { scene, webhook_id } = await world();
    const find: typeof scene.deliver.endpoints.find = (...ids) => {
      scene.pass(START_WITHIN_MS + 1);
      return scene.deliver.endpoints.find(...ids);
    };
    const slow = { ...scene.deliver, endpoints: { ...scene.deliver.endpoints, find } };
    const now = freshEndpoint(slow, scene.accountId, webhook_id);
    await expect(now()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
