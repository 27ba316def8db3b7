import { ClaimTaken } from '../../../shared/domain/idempotency';
import {
  cancel,
  claim,
  DELIVERY_RETENTION_MS,
  type Delivery,
  type DeliverySelection,
  deliveryAttempt,
  deliveryOf,
  type Pending,
  type PendingDelivery,
  postpone,
  WATCH_GRACE_MS,
} from '../../../shared/domain/webhooks/delivery';
import { queueMessageOf } from '../../../shared/domain/webhooks/queue-message';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint';
import type { StoredMessage } from '../../../shared/domain/webhooks/webhook-event';
import { newId } from '../../../shared/runtime/ids';
import { packMessage } from '../../../shared/store/webhooks/packed-message';
import type { AnswersPort } from '../memory/memory-answers';
import type { DeliveriesPort } from '../memory/memory-deliveries';
import type { WebhooksPort } from '../memory/memory-webhooks';
import { freshAccount, type MakePort, START_MS } from './fresh-account';

/** Messages and deliveries, and the answers that are recorded with those that were asked for. */
export interface DeliveriesWorld extends DeliveriesPort {
  readonly answers: AnswersPort;
  readonly webhooks: WebhooksPort;
}

const iso = (ms: number): string => new Date(ms).toISOString();
const byAge = (a: PendingDelivery, b: PendingDelivery): number => (a.delivery_id < b.delivery_id ? 1 : -1);

/** Tests that every store of messages and deliveries must pass. `makePort` returns an empty one: the sweep sees all accounts. */
export function describeDeliveriesConformance(name: string, makePort: MakePort<DeliveriesWorld>): void {
  describe(`messages and deliveries in ${name}`, () => {
    let world: DeliveriesWorld;
    let account: string;
    let webhook_id: string;
    beforeEach(async () => {
      world = await makePort();
      account = freshAccount();
      webhook_id = newId('wh', START_MS);
    });

    const messageAt = (atMs: number): StoredMessage => ({
      message_id: newId('msg', atMs),
      account_id: account,
      event_type: 'transaction.screened',
      created_at: iso(atMs),
      body: Buffer.from(`{"at":${atMs},"ä":"\u0000"}`),
    });
    const deliveryAt = (
      atMs: number,
      message: StoredMessage & Pick<Delivery, 'packed'> = messageAt(atMs),
    ): PendingDelivery => deliveryOf(message, { webhook_id, origin: 'event' }, newId('dlv', atMs), atMs);
    async function inserted(atMs: number): Promise<PendingDelivery> {
      const delivery = deliveryAt(atMs);
      await world.deliveries.insert(delivery, atMs);
      return delivery;
    }
    const claimed = (delivery: PendingDelivery, nowMs: number): Pending => {
      const taken = claim(delivery.state, delivery.state.attempt, nowMs);
      if (taken.kind === 'lost') throw new Error(taken.why);
      return taken.state;
    };
    const dueAt = async (nowMs: number, limit = 100) =>
      (await Promise.all(world.shards.map((shard) => world.watch.due(shard, nowMs, limit)))).flatMap(({ due }) => due);
    const answer = { scope: 'scope', body_hash: 'hash', status: 202, body: '{}' };

    it('makes a delivery once, and keeps what became of it', async () => {
      const delivery = deliveryAt(START_MS);
      const made = await Promise.all([1, 2, 3].map(() => world.deliveries.insert(delivery, START_MS)));
      expect(made.filter(Boolean)).toHaveLength(1);
      const state = claimed(delivery, START_MS);
      await world.deliveries.step(delivery, { after: state });
      expect(await world.deliveries.insert(delivery, START_MS)).toBe(false);
      expect(await world.deliveries.find(delivery)).toEqual({ ...delivery, state });
      expect(await world.deliveries.find({ ...delivery, account_id: freshAccount() })).toBeUndefined();
      expect(await world.deliveries.find({ ...delivery, webhook_id: newId('wh', START_MS) })).toBeUndefined();
    });

    it('keeps the first of two messages with one id, byte by byte', async () => {
      const message = messageAt(START_MS);
      await world.messages.insert(message, START_MS);
      await world.messages.insert({ ...message, body: Buffer.from('another') }, START_MS);
      const delivery = deliveryAt(START_MS, message);
      await world.deliveries.insert(delivery, START_MS);
      const found = (await world.queued.load([queueMessageOf(delivery)])).delivery(queueMessageOf(delivery));
      expect(found.delivery).toEqual(delivery);
      expect(Buffer.from(found.message?.body ?? [])).toEqual(message.body);
      expect(found.message).toMatchObject({ message_id: message.message_id, created_at: message.created_at });
    });

    it('returns a message that is stored with its deliveries, byte by byte, and needs no other item for it', async () => {
      const trace = 'S_kvNXezTaajzpKdDg5HNgDwZ6oLqQK3AQ';
      for (const message of [messageAt(START_MS), { ...messageAt(START_MS), trace }]) {
        const packed = packMessage(message);
        const delivery = deliveryAt(START_MS, { ...message, packed: packed as Uint8Array });
        await world.deliveries.insert(delivery, START_MS);
        const queueMessage = queueMessageOf(delivery);
        expect(queueMessage.is_packed).toBe(true);
        const { is_packed, ...unsure } = queueMessage;
        for (const asked of [queueMessage, unsure]) {
          const { message: found } = (await world.queued.load([asked])).delivery(asked);
          expect({ ...found, body: Buffer.from(found?.body ?? []) }).toEqual(message);
        }
        // And again with what a merchant asks for, though the message has no item.
        const first = (await world.deliveries.find(delivery)) as PendingDelivery;
        const again = deliveryOf(first, { webhook_id, origin: 'redelivery' }, newId('dlv', START_MS), START_MS);
        expect(await world.requests.redeliver(again, START_MS)).toBe(true);
        const { message: resent } = (await world.queued.load([queueMessageOf(again)])).delivery(queueMessageOf(again));
        expect({ ...resent, body: Buffer.from(resent?.body ?? []) }).toEqual(message);
      }
      const [first, late] = [0, 1].map((n) => {
        const message = messageAt(START_MS + n);
        return deliveryAt(START_MS, { ...message, packed: packMessage(message) as Uint8Array });
      }) as [PendingDelivery, PendingDelivery];
      expect(await world.requests.redeliver(first, START_MS, answer)).toBe(true);
      await expect(world.requests.redeliver(late, START_MS, answer)).rejects.toBeInstanceOf(ClaimTaken);
      expect(await world.deliveries.find(late)).toBeUndefined();
    });

    it('loads what hints lead to, one hint twice and one that leads nowhere', async () => {
      const delivery = await inserted(START_MS);
      const lost = queueMessageOf(deliveryAt(START_MS));
      const queueMessage = queueMessageOf(delivery);
      const loaded = await world.queued.load([queueMessage, { ...queueMessage }, lost]);
      expect(loaded.delivery(queueMessage)).toEqual({ delivery, message: undefined });
      expect(loaded.delivery(lost)).toEqual({ delivery: undefined, message: undefined });
      expect(await loaded.endpoint(account, webhook_id)).toBeUndefined();
    });

    it('loads the endpoint of a delivery as its sender finds it, with both secrets while they rotate', async () => {
      const endpoint: WebhookEndpoint = {
        webhook_id,
        url: 'https://receiver.example/hooks',
        events: ['transaction.screened'],
        label: null,
        status: 'enabled',
        created_at: iso(START_MS),
      };
      await world.webhooks.merchant.insert(account, { endpoint, secret: 'whsec_old' }, START_MS);
      const queueMessage = queueMessageOf(await inserted(START_MS));
      const load = async () => (await world.queued.load([queueMessage])).endpoint(account, webhook_id);
      expect(await load()).toEqual({ ...endpoint, signing_secret: 'whsec_old' });
      await world.webhooks.admin.rotate(account, webhook_id, 'whsec_new', START_MS + 60_000);
      const previous = { secret: 'whsec_old', untilMs: START_MS + 60_000 };
      expect(await load()).toEqual({ ...endpoint, signing_secret: 'whsec_new', previous });
      await world.webhooks.sender.disable(account, webhook_id, 'failing', START_MS);
      expect(await load()).toMatchObject({ status: 'disabled' });
      await world.webhooks.merchant.remove(account, webhook_id);
      expect(await load()).toBeUndefined();
    });

    it('takes each step once, of those that began from the same state', async () => {
      const delivery = await inserted(START_MS);
      const steps = [0, 1, 2, 3].map((after) => ({ after: claimed(delivery, START_MS + after) }));
      const taken = await Promise.all(steps.map((step) => world.deliveries.step(delivery, step)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect((await world.deliveries.find(delivery))?.state).toEqual(steps[taken.indexOf(true)]?.after);
      expect(await world.deliveries.step(deliveryAt(START_MS), steps[0]!)).toBe(false);
    });

    it('takes no step from an older due time, nor from what is over', async () => {
      const delivery = await inserted(START_MS);
      const later = postpone(delivery.state, START_MS + 60_000, START_MS) as Pending;
      expect(await world.deliveries.step(delivery, { after: later })).toBe(true);
      expect(await world.deliveries.step(delivery, { after: later })).toBe(false);
      const waiting = { ...delivery, state: later };
      expect(await world.deliveries.step(waiting, { after: cancel(later, 'endpoint_deleted', START_MS) })).toBe(true);
      expect(await world.deliveries.step(waiting, { after: later })).toBe(false);
      expect((await world.deliveries.find(delivery))?.state).toEqual({
        status: 'cancelled',
        attempt: 0,
        completed_at: iso(START_MS),
        reason: 'endpoint_deleted',
      });
    });

    it('keeps every attempt in order', async () => {
      const delivery = await inserted(START_MS);
      const records = [1, 2].map((attempt) =>
        deliveryAttempt(attempt, START_MS, { kind: 'network', reason: 'ECONNREFUSED', duration_ms: attempt }),
      );
      let before = delivery;
      for (const record of records) {
        const after: Pending = { ...before.state, attempt: record.attempt };
        expect(await world.deliveries.step(before, { after, record })).toBe(true);
        before = { ...before, state: after };
      }
      expect((await world.deliveries.find(delivery))?.attempts).toEqual(records);
    });

    it('is looked at by the sweep when it said, and no more once it is over', async () => {
      const delivery = await inserted(START_MS);
      const firstMs = START_MS + WATCH_GRACE_MS;
      expect(await dueAt(firstMs - 1)).toEqual([]);
      expect(await dueAt(firstMs)).toEqual([{ delivery, requeues: 0, watchAt: iso(firstMs) }]);
      const after = delivery.state;
      await world.deliveries.step(delivery, { after, lookAtMs: firstMs + 5, requeues: 1, watchedAt: iso(firstMs) });
      expect(await dueAt(firstMs + 4)).toEqual([]);
      expect(await dueAt(firstMs + 5)).toEqual([{ delivery, requeues: 1, watchAt: iso(firstMs + 5) }]);
      // A step that says nothing of the sweep leaves the time, and forgets how often it looked.
      const state = claimed(delivery, START_MS);
      await world.deliveries.step(delivery, { after: state });
      expect(await dueAt(firstMs + 5)).toMatchObject([{ requeues: 0, watchAt: iso(firstMs + 5) }]);
      await world.deliveries.step({ ...delivery, state }, { after: cancel(state, 'endpoint_disabled', START_MS) });
      expect(await dueAt(firstMs + 5)).toEqual([]);
    });

    it('lets one of two sweeps take a delivery that changed in nothing but the next look', async () => {
      const delivery = await inserted(START_MS);
      const watchedAt = iso(START_MS + WATCH_GRACE_MS);
      const look = (after: number) =>
        world.deliveries.step(delivery, { after: delivery.state, lookAtMs: START_MS + after, watchedAt });
      expect((await Promise.all([look(900_000), look(900_001), look(900_002)])).filter(Boolean)).toHaveLength(1);
    });

    it('finds the most overdue of a shard first, and no more than asked for', async () => {
      for (let i = 0; i < 40; i++) await inserted(START_MS + i * 1_000);
      const nowMs = START_MS + 3_600_000;
      const pages = await Promise.all(world.shards.map((shard) => world.watch.due(shard, nowMs, 2)));
      for (const { found, due } of pages) {
        expect(found).toBe(due.length);
        expect(due.length).toBeLessThanOrEqual(2);
        expect(due.map(({ watchAt }) => watchAt)).toEqual(due.map(({ watchAt }) => watchAt).sort());
      }
      expect(await dueAt(nowMs)).toHaveLength(40);
    });

    it('lists the newest of an endpoint first, by status, for as long as they are kept', async () => {
      const made: PendingDelivery[] = [];
      for (let i = 0; i < 9; i++) made.push(await inserted(START_MS + i));
      const [over] = made as [PendingDelivery];
      const state = cancel(over.state, 'endpoint_deleted', START_MS);
      await world.deliveries.step(over, { after: state });
      const newest = (statuses: DeliverySelection['statuses'], want: number, nowMs = START_MS + 9) =>
        world.deliveries.newest(account, webhook_id, { statuses, want, nowMs });
      const pending = made.slice(1).sort(byAge);
      expect(await newest(['pending'], 100)).toEqual({ deliveries: pending, isCut: false });
      expect((await newest(['pending'], 3)).deliveries).toEqual(pending.slice(0, 3));
      expect((await newest(['pending', 'cancelled'], 100)).deliveries).toHaveLength(9);
      expect((await newest(['cancelled'], 100)).deliveries).toEqual([{ ...over, state }]);
      expect((await newest([], 100)).deliveries).toEqual([]);
      const lateMs = START_MS + 4 + DELIVERY_RETENTION_MS;
      expect((await newest(['pending'], 100, lateMs)).deliveries).toEqual(pending.slice(0, 5));
      const other = newId('wh', START_MS);
      const selection = { statuses: ['pending'], want: 9, nowMs: START_MS } as const;
      expect((await world.deliveries.newest(account, other, selection)).deliveries).toEqual([]);
    });

    it('makes a message and the delivery that was asked for together with its answer, once', async () => {
      const message = messageAt(START_MS);
      const delivery = deliveryAt(START_MS, message);
      await world.requests.insert(message, delivery, START_MS, answer);
      expect(await world.deliveries.find(delivery)).toEqual(delivery);
      expect(await world.answers.find(account, 'scope', START_MS)).toEqual(answer);
      const other = deliveryAt(START_MS, message);
      await expect(world.requests.insert(message, other, START_MS)).rejects.toThrow('exists already');
      const repeat = messageAt(START_MS);
      const late = deliveryAt(START_MS, repeat);
      await expect(world.requests.insert(repeat, late, START_MS, answer)).rejects.toBeInstanceOf(ClaimTaken);
      for (const refused of [other, late]) expect(await world.deliveries.find(refused)).toBeUndefined();
      expect((await world.queued.load([queueMessageOf(late)])).delivery(queueMessageOf(late)).message).toBeUndefined();
    });

    it('delivers a message once more while it is there, together with the answer', async () => {
      const message = messageAt(START_MS);
      await world.messages.insert(message, START_MS);
      const [again, lost] = [deliveryAt(START_MS, message), deliveryAt(START_MS)];
      expect(await world.requests.redeliver(again, START_MS, answer)).toBe(true);
      expect(await world.deliveries.find(again)).toEqual(again);
      expect(await world.requests.redeliver(lost, START_MS, { ...answer, scope: 'another' })).toBe(false);
      expect(await world.deliveries.find(lost)).toBeUndefined();
      expect(await world.answers.find(account, 'another', START_MS)).toBeUndefined();
      const repeated = world.requests.redeliver(deliveryAt(START_MS, message), START_MS, answer);
      await expect(repeated).rejects.toBeInstanceOf(ClaimTaken);
    });
  });
}
