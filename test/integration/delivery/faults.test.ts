import type { DeliverDeps } from '../../../shared/usecases/webhooks/deliver-webhooks';
import { relayBatch } from '../../../shared/usecases/webhooks/relay-batch';
import { screened, tellScreened } from '../../support/changes';
import { deliveryWorld, MINUTE } from '../../support/delivery-world';

type Moment = 'before' | 'after';

class Fault extends Error {
  override readonly name = 'TimeoutError';
}

/** Makes the n-th call of any port fail: before it was carried out, or after, when only its answer is lost. */
function faulty<Deps extends object>(deps: Deps, ports: readonly (keyof Deps)[], at: number, moment: Moment) {
  const calls: string[] = [];
  const wrap =
    (name: string, run: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]): Promise<unknown> => {
      const isHit = calls.push(name) - 1 === at;
      if (isHit && moment === 'before') throw new Fault(`${name} was not carried out`);
      const result = await run(...args);
      if (isHit) throw new Fault(`the answer of ${name} was lost`);
      return result;
    };
  const changed = Object.fromEntries(
    ports.map((port) => {
      const value = deps[port] as unknown;
      if (typeof value === 'function') return [port, wrap(String(port), value as never)];
      const methods = Object.entries(value as object);
      return [port, Object.fromEntries(methods.map(([name, run]) => [name, wrap(`${String(port)}.${name}`, run)]))];
    }),
  );
  return { calls, deps: { ...deps, ...changed } as Deps };
}

const MOMENTS: readonly Moment[] = ['before', 'after'];
const sweep = (count: number) =>
  MOMENTS.flatMap((moment) => Array.from({ length: count }, (_, at) => [moment, at] as const));

const DISPATCH_PORTS: readonly (keyof DeliverDeps)[] = ['endpoints', 'states', 'deliveries', 'hinted', 'queue', 'post'];

/** Calls of a delivery that succeeds: endpoint, delivery with its message, place, claim, POST, settle, place back. */
describe('a fault at every await of an attempt', () => {
  it.each(sweep(7))('%s call %i: the event arrives, always with the same bytes', async (moment, at) => {
    const world = await deliveryWorld();
    await world.register(['transaction.screened']);
    await world.relayOrders(tellScreened(world.accountId, screened(world.clock.now())));
    const { deps, calls } = faulty(world.deliver, DISPATCH_PORTS, at, moment);
    await world.dispatchDue(deps);
    expect(calls.length).toBeGreaterThan(at);
    await world.live(10 * MINUTE);
    expect(world.posts.length).toBeGreaterThanOrEqual(1);
    // Only where the POST went out and could not be written down does it go out again.
    const mayRepeat = calls[at] === 'post' || calls[at] === 'deliveries.step';
    expect(world.posts.length).toBeLessThanOrEqual(mayRepeat ? 2 : 1);
    expect(new Set(world.posts.map(({ message }) => Buffer.from(message.body).toString())).size).toBe(1);
    const { delivery_id } = world.attempts.at(-1) ?? {};
    const done = await world.find({
      account_id: world.accountId,
      webhook_id: world.posts[0]!.endpoint.webhook_id,
      delivery_id: delivery_id ?? world.posts[0]!.deliveryId,
    });
    expect(done?.state.status).toBe('delivered');
  });
});

describe('a fault at every await of the relay', () => {
  it.each(sweep(4))('%s call %i: handed over again, it makes one message and one delivery', async (moment, at) => {
    const world = await deliveryWorld();
    await world.register(['transaction.screened']);
    const record = {
      sequence: '1',
      committedAtMs: world.clock.now(),
      raw: tellScreened(world.accountId, screened(world.clock.now())),
    };
    const ports = ['endpoints', 'messages', 'deliveries', 'queue'] as const;
    const { deps, calls } = faulty({ ...world.relay, setAside: async () => undefined }, ports, at, moment);
    await relayBatch(deps, [record]).catch(() => undefined);
    expect(calls.length).toBeGreaterThan(at);
    await relayBatch(world.relay, [record]);
    await world.live(10 * MINUTE);
    expect(world.posts).toHaveLength(1);
  });
});
