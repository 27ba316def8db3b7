import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { unavailable } from '../../shared/domain/errors';
import { addCounters, type Counters } from '../../shared/domain/overview/overview-counters';
import { overviewSpan } from '../../shared/domain/overview/overview-span';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import type { RelayOrder } from '../../shared/domain/webhooks/queue-message';
import { openCaseItems } from '../../shared/store/cases/case-items';
import type { ChangeRecord } from '../../shared/store/change-record';
import { overviewReader, overviewTallies } from '../../shared/store/overview/overview-store';
import { readTally } from '../../shared/store/overview/tally-record';
import { screeningItem } from '../../shared/store/screening/screening-store';
import type { Table } from '../../shared/store/sdk/client';
import { deliveryPut } from '../../shared/store/webhooks/delivery-store';
import { readChange } from '../../shared/store/webhooks/read-change';
import { tallyChanges } from '../../shared/usecases/overview/tally-changes';
import { PATIENCE_MS, relayBatch } from '../../shared/usecases/webhooks/relay-events';
import { healRelay } from '../../shared/usecases/webhooks/sweep-deliveries';
import { sized } from '../support/sized';
import { emptyTable } from '../support/stores/empty-table';
import { openCase, ruleVersion, screened, tellScreened } from '../support/webhooks/changes';
import { deliveryWorld } from '../support/webhooks/delivery-world';

describe('overview tally', () => {
  const NOW = Date.parse('2026-11-14T12:00:00Z');
  const HOUR = 3_600_000;

  const image = (item: object) => marshall(item, { removeUndefinedValues: true, allowImpreciseNumbers: true });
  const inserted = (account: string, change: Partial<ScreeningRecord> = {}): ChangeRecord => ({
    eventName: 'INSERT',
    dynamodb: { NewImage: image(screeningItem(account, screened(NOW, change))) },
  });
  /** A record that the filter lets through and that holds something else than it should. */
  const spoilt = (members: object): ChangeRecord => ({
    eventName: 'INSERT',
    dynamodb: { NewImage: image({ ...screeningItem('acc_a', screened(NOW)), ...members, entity: 'screening' }) },
  });
  const numbered = (records: readonly ChangeRecord[], from = 1) =>
    records.map((raw, i) => ({ sequence: String(from + i), raw }));

  let table: Table;
  beforeEach(async () => {
    table = await emptyTable();
  });

  function tally(records: ReturnType<typeof numbered>, shardId = 'shard-1') {
    const clock = { now: () => NOW };
    const deps = { clock, read: readTally, tallies: overviewTallies(table, clock), report: () => undefined };
    return tallyChanges(deps, shardId, records);
  }

  async function sumOf(account: string): Promise<Counters> {
    const parts = await overviewReader(table).read(account, overviewSpan(NOW - HOUR, NOW + HOUR, NOW));
    return addCounters(...parts.values());
  }

  it('counts a batch that comes twice, in other pieces and by two calls at once, one time each', async () => {
    const records = numbered([
      ...Array.from({ length: 130 }, (_, i) => inserted(`acc_${i % 60}`)),
      inserted('acc_a', {
        automated_decision: 'review',
        risk_score: 61,
        contributions: [{ signal: 'new_device', points: 56, detail: '' }],
      }),
    ]);
    const first = await Promise.all([tally(records), tally(records)]);
    // A call that lost the race too often hands the rest back, as Lambda would hand it over again.
    for (const { failed } of first) if (failed) await tally(records.slice(Number(failed) - 1));
    expect(await tally(records)).toMatchObject({ counted: 0, repeated: 131 });
    expect(await tally(records.slice(40, 90))).toMatchObject({ counted: 0, repeated: 50 });
    expect((await sumOf('acc_3')).get('allow')).toBe(3);
    expect((await sumOf('acc_59')).get('allow')).toBe(2);
    expect(Object.fromEntries(await sumOf('acc_a'))).toEqual({
      review: 1,
      transaction: 1,
      's12:review': 1,
      'n:new_device': 1,
      // 25 euros that are held, in cents of a dollar.
      'u:review': 2913,
    });
  });

  it('takes the same number of another shard for another record', async () => {
    await tally(numbered([inserted('acc_a')]), 'shard-1');
    await tally(numbered([inserted('acc_a')]), 'shard-2');
    expect((await sumOf('acc_a')).get('allow')).toBe(2);
  });

  it('leaves out what the table refuses, and counts what comes before and after it', async () => {
    // A name beyond the 64 kB that DynamoDB allows: readable, but never to be written.
    const endless = [{ signal: 'x'.repeat(66_000), points: 1, detail: '' }];
    const records = numbered([
      inserted('acc_a'),
      inserted('acc_a', { contributions: endless }),
      inserted('acc_b'),
      inserted('acc_a'),
    ]);
    expect(await tally(records)).toEqual({ counted: 3, repeated: 0, skipped: 1, failed: undefined });
    expect([(await sumOf('acc_a')).get('allow'), (await sumOf('acc_b')).get('allow')]).toEqual([2, 1]);
  });

  it('is held up by no record, whatever is in it', async () => {
    const anything = fc.oneof(
      fc.constantFrom(undefined, null, '', 'x', -1, 1e300, true, [], {}, [null], [{}], [{ signal: 7, points: 1 }]),
      fc.jsonValue(),
    );
    const members = fc.record(
      {
        account_id: anything,
        screened_at_ms: anything,
        automated_decision: anything,
        subject_type: anything,
        risk_score: anything,
        contributions: anything,
        review: anything,
      },
      { requiredKeys: [] },
    );
    let at = 1;
    await fc.assert(
      fc.asyncProperty(members, async (change) => {
        const records = numbered([inserted('acc_before'), spoilt(change), inserted('acc_after')], at);
        at += records.length;
        const { counted, skipped, failed } = await tally(records);
        expect([counted + skipped, failed]).toEqual([3, undefined]);
      }),
      { numRuns: sized(60, 20) },
    );
    const runs = (at - 1) / 3;
    expect([(await sumOf('acc_before')).get('allow'), (await sumOf('acc_after')).get('allow')]).toEqual([runs, runs]);
  });
});

describe('relay', () => {
  const streamed = <Raw>(raws: readonly Raw[], committedAtMs: number) =>
    raws.map((raw, index) => ({ sequence: `s${index}`, committedAtMs, raw }));

  describe('relaying', () => {
    it('one event to twenty endpoints is one message and twenty deliveries, whose ids are told to the queue', async () => {
      const world = await deliveryWorld();
      for (let i = 0; i < 20; i++) await world.register(['transaction.screened']);
      await world.register(['case.created']);
      const report = await world.relayOrders(tellScreened(world.accountId, screened(world.clock.now())));
      expect(report).toMatchObject({ records: 1, deliveries: 20, unsent: 0, setAside: 0, failed: [] });
      const queueMessages = world.queued.map(({ queueMessage }) => queueMessage);
      expect(new Set(queueMessages.map(({ message_id }) => message_id)).size).toBe(1);
      expect(new Set(queueMessages.map(({ delivery_id }) => delivery_id)).size).toBe(20);
      // Four IDs, the attempt, and that the delivery brings its message along.
      for (const queueMessage of queueMessages) {
        expect(queueMessage).toMatchObject({ attempt: 0, is_packed: true });
        expect(Object.keys(queueMessage)).toHaveLength(6);
      }
      await world.dispatchDue();
      expect(new Set(world.posts.map(({ endpoint }) => endpoint.webhook_id)).size).toBe(20);
    });

    it('a record that is read again makes nothing new, and changes nothing that is there', async () => {
      const world = await deliveryWorld();
      await world.register();
      const order = tellScreened(world.accountId, screened(world.clock.now(), { automated_decision: 'block' }));
      await world.relayOrders(order);
      const first = world.queued.map(({ queueMessage }) => queueMessage);
      const bodyOf = async () => {
        const loaded = await world.deliver.queued.load([first[0]!]);
        return Buffer.from(loaded.delivery(first[0]!).message!.body).toString();
      };
      const frozen = await bodyOf();
      await world.live(1_000);
      expect(world.posts).toHaveLength(2);

      // By another version of the code, which would say something else.
      const orders = streamed([order, order], world.clock.now());
      await relayBatch({ ...world.relay, stage: 'production' }, orders);
      const again = first.map(({ is_packed, ...queueMessage }) => queueMessage);
      expect(world.queued.map(({ queueMessage }) => queueMessage)).toEqual([...again, ...again]);
      await world.live(10 * 60_000);
      expect(world.posts).toHaveLength(2);
      expect(await bodyOf()).toBe(frozen);
      expect(frozen).toContain('"livemode":false');
    });

    it('an account without endpoints costs one read a batch', async () => {
      const world = await deliveryWorld();
      const calls: string[] = [];
      const deps = {
        ...world.relay,
        endpoints: {
          list: async (id: string) => {
            calls.push(`list ${id}`);
            return [];
          },
        },
        pack: () => undefined,
        messages: { insert: async () => void calls.push('message') },
        deliveries: { insert: async () => calls.push('delivery') > 0 },
      };
      const orders = Array.from({ length: 30 }, () => tellScreened(world.accountId, screened(world.clock.now())));
      await relayBatch(deps, streamed(orders, world.clock.now()));
      expect(calls).toEqual([`list ${world.accountId}`]);
    });

    it('leaves out endpoints that are disabled, or were registered after the event', async () => {
      const world = await deliveryWorld();
      const disabled = await world.register();
      await world.deliver.endpoints.disable(world.accountId, disabled.webhook_id, 'gone', world.clock.now());
      const eventAtMs = world.clock.now();
      world.pass(3_600_000);
      await world.register();
      await world.relayOrders(tellScreened(world.accountId, screened(eventAtMs)));
      expect(world.queued).toEqual([]);
    });
  });

  describe('records that fail', () => {
    const poison = new Error('this record always throws');

    it('one of them among many is set aside, the others are relayed; after the fix the sweep heals it', async () => {
      const world = await deliveryWorld();
      await world.register(['transaction.screened']);
      const orders = Array.from({ length: 50 }, () => tellScreened(world.accountId, screened(world.clock.now())));
      const aside: RelayOrder[] = [];
      let isFixed = false;
      const deps = {
        ...world.relay,
        read: (order: RelayOrder) => {
          if (order === orders[17] && !isFixed) throw poison;
          return order;
        },
      };
      const setAside = async (order: RelayOrder) => void aside.push(order);
      const report = await relayBatch({ ...deps, setAside }, streamed(orders, world.clock.now()));
      expect(report).toMatchObject({ deliveries: 49, setAside: 1, failed: [] });
      expect(aside).toEqual([orders[17]]);

      const queue = [...aside];
      const take = async () => queue.splice(0).map((raw) => ({ raw, remove: async () => void aside.shift() }));
      const healing = { ...deps, setAside: { take } };
      expect(await healRelay(healing, world.clock.now() + 1_000)).toEqual({ healed: 0, stillFailing: 1 });
      expect(aside).toHaveLength(1);
      isFixed = true;
      queue.push(...aside);
      expect(await healRelay(healing, world.clock.now() + 1_000)).toEqual({ healed: 1, stillFailing: 0 });
      expect(aside).toEqual([]);
      await world.live(1_000);
      expect(world.posts).toHaveLength(50);
    });

    it('by a fault that may pass are handed over again, but only for five minutes', async () => {
      const world = await deliveryWorld();
      const endpoints = { list: () => Promise.reject(unavailable(new Error('throttled'))) };
      const order = tellScreened(world.accountId, screened(world.clock.now()));
      const aside: RelayOrder[] = [];
      const deps = { ...world.relay, endpoints, setAside: async (raw: RelayOrder) => void aside.push(raw) };
      expect(await relayBatch(deps, streamed([order], world.clock.now()))).toMatchObject({
        failed: ['s0'],
        setAside: 0,
      });
      const old = streamed([order], world.clock.now() - PATIENCE_MS);
      expect(await relayBatch(deps, old)).toMatchObject({ failed: [], setAside: 1 });
      expect(aside).toEqual([order]);
    });

    it('and cannot be set aside either are handed over again', async () => {
      const world = await deliveryWorld();
      const read = (): never => {
        throw poison;
      };
      const deps = { ...world.relay, read, setAside: () => Promise.reject(new Error('no queue')) };
      const order = tellScreened(world.accountId, screened(world.clock.now()));
      expect(await relayBatch(deps, streamed([order], world.clock.now()))).toMatchObject({
        failed: ['s0'],
        setAside: 0,
      });
    });
  });

  describe('a change record', () => {
    const account = 'acc_1';
    const atMs = Date.parse('2026-11-14T12:00:00.000Z');
    const table = { name: 't', client: undefined as never };
    const image = (item: object) => marshall(item, { removeUndefinedValues: true }) as Record<string, unknown>;
    const inserted = (item: object): ChangeRecord => ({ eventName: 'INSERT', dynamodb: { NewImage: image(item) } });
    const modified = (before: object, after: object): ChangeRecord => ({
      eventName: 'MODIFY',
      dynamodb: { OldImage: image(before), NewImage: image(after) },
    });
    const kindOf = (record: ChangeRecord): string | undefined => {
      const order = readChange(record);
      return order?.kind === 'publish' ? order.change.kind : order?.kind;
    };
    const record = screened(atMs);
    const screening = screeningItem(account, record);
    const review = { decision: 'block', analyst_id: null, notes: null, reviewed_at: '2026-11-14T13:00:00.000Z' };
    const caseItem = openCaseItems(account, openCase(atMs))[0]?.Put?.Item ?? {};
    const resolved = { ...caseItem, status: 'rejected', resolved_at: '2026-11-14T13:00:00.000Z' };

    it.each([
      ['a screening inserted', inserted(screening), 'screened'],
      ['a review set', modified(screening, { ...screening, review, review_count: 1 }), 'reviewed'],
      [
        'a review replaced',
        modified({ ...screening, review, review_count: 1 }, { ...screening, review, review_count: 2 }),
        'reviewed',
      ],
      [
        'something else about a reviewed screening',
        modified({ ...screening, review, review_count: 1 }, { ...screening, review, review_count: 1, ttl: 5 }),
        undefined,
      ],
      [
        'a version of a rule',
        inserted({ entity: 'rule-version', account_id: account, ...ruleVersion(atMs) }),
        'rule_changed',
      ],
      ['a case opened', inserted(caseItem), 'case_opened'],
      ['a case resolved', modified(caseItem, resolved), 'case_resolved'],
      ['a case expired by the sweep', modified(caseItem, { ...caseItem, status: 'expired' }), undefined],
      ['a resolved case touched', modified(resolved, { ...resolved, ttl: 5 }), undefined],
      ['a case in a list', inserted({ ...caseItem, entity: 'case-entry' }), undefined],
      ['an item removed', { eventName: 'REMOVE', dynamodb: { OldImage: image(screening) } } as ChangeRecord, undefined],
    ])('%s', (_what, change, kind) => {
      expect(kindOf(change)).toBe(kind);
    });

    it('gives back the very screening that was stored', () => {
      const order = readChange(inserted(screening));
      expect(order).toMatchObject({ kind: 'publish', change: { account_id: account, record } });
    });

    it('queues deliveries that a request made, and none that the relay made itself', async () => {
      const world = await deliveryWorld();
      await world.register(['transaction.screened']);
      await world.relayOrders(tellScreened(world.accountId, screened(world.clock.now())));
      const [{ queueMessage }] = world.queued as [(typeof world.queued)[0]];
      const delivery = await world.find(queueMessage);
      const item = (origin: string) => deliveryPut(table, { ...delivery, origin } as never, atMs).Item;
      expect(readChange(inserted(item('event')))).toBeUndefined();
      expect(readChange(inserted(item('redelivery')))).toEqual({ kind: 'queue', queueMessage });
      expect(readChange(inserted(item('test')))).toEqual({ kind: 'queue', queueMessage });
      expect(readChange(modified(item('test'), item('test')))).toBeUndefined();
    });
  });
});
