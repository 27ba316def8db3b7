import { DeleteMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { parseQueueMessage, type QueueMessage } from '../../../shared/domain/webhooks/queue-message';
import { sqsDeliveryQueue } from '../../../shared/queue/delivery-queue';
import { relayFailures } from '../../../shared/queue/relay-failures';

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
