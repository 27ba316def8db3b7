import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DeleteMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describeCall } from '../../../local/aws/describe-call';
import { putEventsAnswer } from '../../../local/aws/front';
import { parseTraceparent } from '../../../shared/domain/traceparent';
import { parseQueueMessage, type QueueMessage } from '../../../shared/domain/webhooks/queue-message';
import { messageOf } from '../../../shared/domain/webhooks/webhook-event';
import { sqsDeliveryQueue } from '../../../shared/queue/delivery-queue';
import { type BusEntry, busEntry, eventBus } from '../../../shared/queue/event-bus';
import { relayFailures } from '../../../shared/queue/relay-failures';
import { relayChange } from '../../../shared/usecases/webhooks/relay-events';
import { memoryDeliveryWorld } from '../../support/memory/memory-delivery-world';
import { screened } from '../../support/webhooks/changes';

describe('delivery queue', () => {
  interface Entry {
    readonly Id: string;
    readonly MessageBody: string;
    readonly MessageGroupId: string;
    readonly DelaySeconds: number;
  }

  /** An SQS that fails the entries it is told to, as often as it is told to. */
  function stubQueue(fails: (entry: Entry, call: number) => boolean | 'throw' = () => false) {
    const calls: Entry[][] = [];
    const send = async ({ input }: { input: { Entries: Entry[] } }) => {
      calls.push(input.Entries);
      const verdicts = input.Entries.map((entry) => [entry, fails(entry, calls.length)] as const);
      if (verdicts.some(([, verdict]) => verdict === 'throw')) throw new Error('timeout');
      return { Failed: verdicts.filter(([, failed]) => failed).map(([{ Id }]) => ({ Id })) };
    };
    return { calls, queue: sqsDeliveryQueue({ send } as unknown as SQSClient, 'https://queue') };
  }

  const ULID = '01J9Z3K8Q4V7W2X5Y6Z7A8B9C0';
  const queueMessage = (attempt = 0): QueueMessage => ({
    account_id: `acc_${ULID}`,
    webhook_id: `wh_${ULID}`,
    delivery_id: `dlv_${ULID}`,
    message_id: `msg_${ULID}`,
    attempt,
  });
  const queueMessages = (count: number, delayMs = 0) =>
    Array.from({ length: count }, (_, n) => ({ queueMessage: queueMessage(n), delayMs }));

  describe('sending hints', () => {
    it('goes in batches of ten, grouped by endpoint, held back in whole seconds', async () => {
      const { calls, queue } = stubQueue();
      expect(await queue.send(queueMessages(23, 4_100))).toBe(0);
      expect(calls.map(({ length }) => length)).toEqual([10, 10, 3]);
      expect(calls[2]?.[1]).toEqual({
        Id: '1',
        MessageBody: JSON.stringify(queueMessage(21)),
        MessageGroupId: `wh_${ULID}`,
        DelaySeconds: 5,
      });
      expect(await queue.send([])).toBe(0);
      expect(calls).toHaveLength(3);
    });

    it('never asks for more than the 900 s that SQS allows, for any wait that is queueable', async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 900_000 }), async (delayMs) => {
          const { calls, queue } = stubQueue();
          await queue.send([{ queueMessage: queueMessage(), delayMs }]);
          const [[entry]] = calls as [[Entry]];
          expect(entry.DelaySeconds).toBeLessThanOrEqual(900);
          expect(entry.DelaySeconds * 1000 - delayMs).toBeGreaterThanOrEqual(0);
          expect(entry.DelaySeconds * 1000 - delayMs).toBeLessThan(1000);
        }),
      );
    });

    it('sends again what a 200 says has failed, and only that', async () => {
      const { calls, queue } = stubQueue(({ Id }, call) => call === 1 && Id === '3');
      expect(await queue.send(queueMessages(10))).toBe(0);
      expect(calls[1]?.map(({ MessageBody }) => parseQueueMessage(MessageBody).attempt)).toEqual([3]);
    });

    it('sends all again when the call itself failed, and counts what is left', async () => {
      const once = stubQueue((_entry, call) => (call === 1 ? 'throw' : false));
      expect(await once.queue.send(queueMessages(4))).toBe(0);
      expect(once.calls.map(({ length }) => length)).toEqual([4, 4]);
      const never = stubQueue(({ Id }) => (Id === '0' ? 'throw' : false));
      expect(await never.queue.send(queueMessages(4))).toBe(4);
      const some = stubQueue(({ Id }) => Id === '2');
      expect(await some.queue.send(queueMessages(4))).toBe(1);
    });
  });

  describe('reading hints', () => {
    it('gives back what was sent', () => {
      const parked = { ...queueMessage(3), parked: 2 };
      expect(parseQueueMessage(JSON.stringify(queueMessage(3)))).toEqual(queueMessage(3));
      expect(parseQueueMessage(JSON.stringify(parked))).toEqual(parked);
    });

    it.each([
      '',
      'null',
      '{}',
      '[]',
      '"x"',
      JSON.stringify({ ...queueMessage(), attempt: '1' }),
      JSON.stringify({ ...queueMessage(), webhook_id: 'wh_#' }),
    ])('refuses %s', (body) => {
      expect(() => parseQueueMessage(body)).toThrow();
    });
  });

  describe('records set aside', () => {
    it('come back as they were, whatever a merchant wrote, and leave when removed', async () => {
      const bodies = new Map<string, string>();
      const send = async (command: { input: Record<string, string> }) => {
        const { input } = command;
        if (command instanceof SendMessageCommand) bodies.set(String(bodies.size), input.MessageBody ?? '');
        if (command instanceof DeleteMessageCommand) bodies.delete(input.ReceiptHandle ?? '');
        return { Messages: [...bodies].map(([ReceiptHandle, Body]) => ({ ReceiptHandle, Body })) };
      };
      const failures = relayFailures<object>({ send } as unknown as SQSClient, 'https://queue');
      const raw = { dynamodb: { NewImage: { notes: { S: 'Zoë \uffff \ufffe \u0000 🦊' } } } };
      await failures.put(raw);
      // SQS takes no character outside XML's, and Lambda's own notes lie in the same queue.
      expect([...bodies.values()].every((body) => /^[\x20-\x7e]*$/.test(body))).toBe(true);
      bodies.set('lambda', JSON.stringify({ version: '1.0', DDBStreamBatchInfo: { shardId: 's' } }));
      const [taken, ...rest] = await failures.take();
      expect([taken?.raw, rest]).toEqual([raw, []]);
      await taken?.remove();
      expect([...bodies.keys()]).toEqual(['lambda']);
    });
  });
});

describe('event bus', () => {
  const BUS = 'arn:aws:events:eu-west-1:123456789012:event-bus/orders';
  const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const AT_MS = Date.UTC(2026, 10, 14, 9, 30);
  const message = (account_id = 'acc_1') =>
    messageOf({ type: 'case.created', account_id, ulid: 'U', number: 0, occurredAtMs: AT_MS }, { a: 1 }, 'sandbox');

  interface Put {
    readonly headers: IncomingHttpHeaders;
    readonly entries: readonly BusEntry[];
  }

  /** A bus whose answers a test writes; without one, the local run's. */
  async function withBus(
    answer: ((entries: readonly BusEntry[]) => { status: number; body: object }) | undefined,
    run: (bus: ReturnType<typeof eventBus>, puts: readonly Put[]) => Promise<void>,
  ): Promise<void> {
    const puts: Put[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const input = JSON.parse(Buffer.concat(chunks).toString()) as { Entries: BusEntry[] };
      puts.push({ headers: request.headers, entries: input.Entries });
      const { status, body } = answer?.(input.Entries) ?? { status: 200, body: putEventsAnswer('PutEvents', input) };
      response.writeHead(status, { connection: 'close' }).end(JSON.stringify(body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const credentials = { accessKeyId: 'relay', secretAccessKey: 'secret' };
    try {
      await run(eventBus({ endpoint, credentials }, 'sandbox', BUS), puts);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it('puts the body of the webhook on the bus, with its account, signed for the region of the bus', () =>
    withBus(undefined, async (bus, puts) => {
      await bus.put([message('acc_"1')]);
      const [{ headers, entries }] = puts as [Put];
      const { id, ...body } = JSON.parse(new TextDecoder().decode(message('acc_"1').body));
      expect(entries).toEqual([
        {
          Source: 'fraud-screening.sandbox',
          DetailType: 'case.created',
          Detail: expect.any(String),
          Time: AT_MS / 1000,
          EventBusName: BUS,
        },
      ]);
      expect(JSON.parse(entries[0]?.Detail ?? '')).toEqual({ account_id: 'acc_"1', id, ...body });
      expect(headers['x-amz-target']).toBe('AWSEvents.PutEvents');
      expect(headers.authorization).toContain('/eu-west-1/events/aws4_request');
    }));

  it('puts ten at a time', () =>
    withBus(undefined, async (bus, puts) => {
      await bus.put(Array.from({ length: 23 }, () => message()));
      expect(puts.map(({ entries }) => entries.length)).toEqual([10, 10, 3]);
    }));

  it.each([
    ['an answer that is a refusal', () => ({ status: 400, body: { __type: 'AccessDeniedException' } })],
    [
      'an entry that was not taken',
      () => ({ status: 200, body: { FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException' }] } }),
    ],
  ])('%s is a failure that the stream tries again', (_, answer) =>
    withBus(answer, async (bus) => {
      await expect(bus.put([message()])).rejects.toMatchObject({ code: 'unavailable' });
    }),
  );

  it('gets every event of a change, whether or not an endpoint listens, with the ID that webhooks have', async () => {
    const world = memoryDeliveryWorld();
    const put: BusEntry[] = [];
    const bus = {
      put: async (messages: ReadonlyArray<Parameters<typeof busEntry>[0]>) => {
        put.push(...messages.map((each) => busEntry(each, 'sandbox', BUS)));
      },
    };
    const change = {
      kind: 'screened',
      account_id: world.accountId,
      record: screened(world.clock.now(), {
        automated_decision: 'block',
        risk_score: 99,
        risk_level: 'high',
        trace: parseTraceparent(TRACEPARENT) ?? '',
      }),
    } as const;
    expect(await relayChange({ ...world.relay, bus }, change)).toEqual([]);
    expect(put.map(({ DetailType }) => DetailType).sort()).toEqual([
      'transaction.decision.block',
      'transaction.screened',
    ]);

    const schema = JSON.parse(readFileSync(join(__dirname, '../../../docs/bus-events.schema.json'), 'utf8'));
    const validate = addFormats(new Ajv({ strict: false, allErrors: true })).compile(schema);
    for (const { Source: source, DetailType, Detail } of put) {
      expect(JSON.parse(Detail).traceparent).toBe(TRACEPARENT);
      const isValid = validate({ source, 'detail-type': DetailType, detail: JSON.parse(Detail) });
      expect(validate.errors ?? []).toEqual([]);
      expect(isValid).toBe(true);
    }
    const { account_id: _, ...nobody } = JSON.parse(put[0]?.Detail ?? '');
    expect(validate({ source: put[0]?.Source, 'detail-type': put[0]?.DetailType, detail: nobody })).toBe(false);

    const { webhook_id } = await world.register(['transaction.screened']);
    const [queued] = await relayChange({ ...world.relay, bus }, change);
    expect(queued?.queueMessage.webhook_id).toBe(webhook_id);
    const ids = put.map(({ Detail }) => JSON.parse(Detail).id as string);
    expect(new Set(ids).size).toBe(2);
  });

  it('does not deliver a change before the bus has it: both happen when it is relayed again', async () => {
    const world = memoryDeliveryWorld();
    await world.register(['transaction.screened']);
    const change = { kind: 'screened', account_id: world.accountId, record: screened(world.clock.now()) } as const;
    const down = { put: () => Promise.reject(new Error('down')) };
    await expect(relayChange({ ...world.relay, bus: down }, change)).rejects.toThrow('down');
    expect(await relayChange(world.relay, change)).toHaveLength(1);
  });

  describe('the local run', () => {
    const around = { region: 'local', account: '000000000000' } as Parameters<typeof describeCall>[0];
    const call = (Entries: readonly object[]) =>
      describeCall(around, 'events', {
        ...{ method: 'POST', url: '/', rawHeaders: [] },
        headers: { 'x-amz-target': 'AWSEvents.PutEvents' },
        body: Buffer.from(JSON.stringify({ Entries })),
      });

    it('asks for the permission on the bus that is named', () => {
      expect(call([{ EventBusName: BUS }, {}, {}]).access).toEqual([
        { action: 'events:PutEvents', resource: BUS },
        { action: 'events:PutEvents', resource: 'arn:aws:events:local:000000000000:event-bus/default' },
      ]);
    });

    it('refuses what EventBridge refuses', () => {
      const entry = { Source: 'a', DetailType: 'b', Detail: '{}' };
      expect(putEventsAnswer('PutEvents', { Entries: [entry, { ...entry, Detail: '{' }, {}] })).toMatchObject({
        FailedEntryCount: 2,
        Entries: [{ EventId: expect.any(String) }, { ErrorCode: 'MalformedDetail' }, { ErrorCode: 'InvalidArgument' }],
      });
      expect(() => putEventsAnswer('PutEvents', { Entries: Array(11).fill(entry) })).toThrow('1 to 10');
      expect(() => putEventsAnswer('PutEvents', { Entries: [{ ...entry, Detail: 'x'.repeat(262_144) }] })).toThrow(
        'size',
      );
      expect(() => putEventsAnswer('CreateEventBus', {})).toThrow('does not emulate');
    });
  });
});
