import { RETRY_DELAYS_MS } from '../../../shared/domain/webhooks/retry-schedule';
import { screened, tellScreened } from '../../support/changes';
import { answers, deliveryWorld, MINUTE } from '../../support/delivery-world';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('a delivery', () => {
  it('goes out once, however often its hint comes', async () => {
    const world = await deliveryWorld();
    await world.register();
    await world.relayOrders(tellScreened(world.accountId, screened(world.clock.now())));
    const [{ hint }] = world.queued as [(typeof world.queued)[0]];
    world.queued.push(...Array.from({ length: 24 }, () => ({ hint, atMs: world.clock.now() })));
    await world.live(10 * MINUTE);
    expect(world.posts).toHaveLength(1);
    expect((await world.find(hint))?.state).toMatchObject({ status: 'delivered', attempt: 1 });
    expect(world.problems).toEqual([]);
  });

  it('is attempted ten times on the schedule, with the same bytes, and then failed', async () => {
    const world = await deliveryWorld();
    world.receiver = () => answers(500);
    await world.register();
    await world.relayOrders(tellScreened(world.accountId, screened(world.clock.now())));
    const [{ hint }] = world.queued as [(typeof world.queued)[0]];
    await world.live(5 * DAY);
    expect(world.posts).toHaveLength(10);
    expect(new Set(world.posts.map(({ message }) => Buffer.from(message.body).toString())).size).toBe(1);
    world.posts.slice(1).forEach((posted, index) => {
      const gap = posted.atMs - (world.posts[index]?.atMs ?? 0);
      const scheduled = RETRY_DELAYS_MS[index + 1] ?? 0;
      expect(gap).toBeGreaterThanOrEqual(0.8 * scheduled - 1_000);
      expect(gap).toBeLessThanOrEqual(1.2 * scheduled + 1_000);
    });
    expect((await world.find(hint))?.state).toMatchObject({ status: 'failed', reason: 'attempts_exhausted' });
    expect(world.sent.every(({ delayMs }) => delayMs <= 900_000)).toBe(true);
  });
});
