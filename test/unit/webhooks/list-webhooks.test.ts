import { listWebhooks } from '../../../shared/usecases/webhooks/list-webhooks';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';
import { callerOf } from '../../support/payment';

function world() {
  const scene = memoryDeliveryWorld();
  return { scene, deps: { webhooks: scene.table.webhooks.merchant }, caller: callerOf(scene.accountId) };
}

it('lists all endpoints of the account, oldest first, and none of their secrets', async () => {
  const { scene, deps, caller } = world();
  const first = await scene.register(['case.created']);
  scene.pass(1_000);
  const second = await scene.register();
  const listed = await listWebhooks(deps, caller);
  expect(listed).toEqual([first, second]);
  expect(JSON.stringify(listed)).not.toContain('whsec_');
});

it('shows a disabled endpoint with the reason, and a deleted one no more', async () => {
  const { scene, deps, caller } = world();
  const [kept, dropped] = [await scene.register(), await scene.register()];
  await scene.table.webhooks.sender.disable(scene.accountId, kept.webhook_id, 'gone', scene.clock.now());
  await scene.unregister(dropped.webhook_id);
  expect(await listWebhooks(deps, caller)).toEqual([
    { ...kept, status: 'disabled', disabled_reason: 'gone', disabled_at: new Date(scene.clock.now()).toISOString() },
  ]);
});

it('is empty for an account without endpoints, whatever others have', async () => {
  const { scene, deps } = world();
  await scene.register();
  expect(await listWebhooks(deps, callerOf('acc_other'))).toEqual([]);
});

it('does not take a table that is out of reach for an empty list', async () => {
  const { deps, caller } = world();
  const webhooks = interpose(
    deps.webhooks,
    failing(() => 'before'),
  );
  await expect(listWebhooks({ webhooks }, caller)).rejects.toMatchObject({ code: 'unavailable' });
});
