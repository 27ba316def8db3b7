import type { DelayedMessage, QueueMessage } from '../../../shared/domain/webhooks/queue-message';
import { newId } from '../../../shared/runtime/ids';
import { redriveDeadLetters } from '../../../shared/usecases/webhooks/redrive-dead-letters';

const NOW = Date.UTC(2026, 2, 1);
const queueMessage = (): QueueMessage => ({
  account_id: 'acc_1',
  webhook_id: newId('wh', NOW),
  delivery_id: newId('dlv', NOW),
  message_id: newId('msg', NOW),
  attempt: 3,
});

/** A queue of dead letters: what was taken and not removed is hidden until all others have been handed out. */
function deadLetters(bodies: readonly string[]) {
  const letters = new Map(bodies.map((body, i) => [`letter-${i}`, body]));
  let hidden = new Set<string>();
  return {
    letters,
    async take() {
      const visible = [...letters].filter(([id]) => !hidden.has(id)).slice(0, 3);
      hidden = new Set(visible.length === 0 ? [] : [...hidden, ...visible.map(([id]) => id)]);
      return visible.map(([id, body]) => ({ id, body, remove: async () => void letters.delete(id) }));
    },
  };
}

it('moves letters back, each removed only once the queue has it', async () => {
  const queueMessages = [queueMessage(), queueMessage(), queueMessage(), queueMessage(), queueMessage()];
  const dead = deadLetters(queueMessages.map((each) => JSON.stringify(each)));
  const sent: DelayedMessage[] = [];
  const queue = {
    send: async (some: readonly DelayedMessage[]) => {
      expect(dead.letters.size).toBe(queueMessages.length - sent.length);
      sent.push(...some);
      return 0;
    },
  };
  expect(await redriveDeadLetters({ dead, queue })).toEqual({ moved: 5, unreadable: 0, unsent: 0 });
  expect(sent).toEqual(expect.arrayContaining(queueMessages.map((each) => ({ queueMessage: each, delayMs: 0 }))));
  expect(dead.letters.size).toBe(0);
});

it('leaves what is not ours or not readable for a person, and looks at it once', async () => {
  const dead = deadLetters([
    'not json',
    '{}',
    JSON.stringify({ ...queueMessage(), webhook_id: '../x' }),
    JSON.stringify(queueMessage()),
  ]);
  const queue = { send: async () => 0 };
  expect(await redriveDeadLetters({ dead, queue })).toEqual({ moved: 1, unreadable: 3, unsent: 0 });
  expect(dead.letters.size).toBe(3);
});

it('leaves what the queue does not take for the next try', async () => {
  const dead = deadLetters([JSON.stringify(queueMessage()), JSON.stringify(queueMessage())]);
  const full = { send: async (some: readonly DelayedMessage[]) => some.length };
  expect(await redriveDeadLetters({ dead, queue: full })).toEqual({ moved: 0, unreadable: 0, unsent: 2 });
  expect(dead.letters.size).toBe(2);
});

it('broken off between sending and removing, it sends the letter once more, which does no harm', async () => {
  const dead = deadLetters([JSON.stringify(queueMessage())]);
  const sent: DelayedMessage[] = [];
  const queue = { send: async (some: readonly DelayedMessage[]) => sent.push(...some) * 0 };
  const dying = {
    take: async () =>
      (await dead.take()).map((each) => ({ ...each, remove: () => Promise.reject(new Error('killed')) })),
  };
  await expect(redriveDeadLetters({ dead: dying, queue })).rejects.toThrow('killed');
  // Until what was taken is visible again.
  expect(await dead.take()).toEqual([]);
  expect(await redriveDeadLetters({ dead, queue })).toMatchObject({ moved: 1 });
  expect(sent[0]).toEqual(sent[1]);
});
