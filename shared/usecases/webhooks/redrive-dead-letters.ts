import { type DelayedMessage, parseQueueMessage } from '../../domain/webhooks/queue-message';

/** A queue message that was set aside after five failures, and the way to remove it. */
export interface DeadLetter {
  readonly id: string;
  readonly body: string;
  remove(): Promise<void>;
}

/** Dependencies of moving dead letters back. */
export interface RedriveDeps {
  readonly dead: { take(): Promise<readonly DeadLetter[]> };
  readonly queue: { send(queueMessages: readonly DelayedMessage[]): Promise<number> };
}

/** The result of moving dead letters back. */
export interface RedriveReport {
  readonly moved: number;
  /** Not ours or not readable: they stay, for a person to look at. */
  readonly unreadable: number;
  /** The queue did not accept them: they stay, for the next run. */
  readonly unsent: number;
}

/**
 * Moves dead letters back to the retry queue, each removed only once the queue has it. A letter that is moved twice,
 * or whose delivery was made in the meantime, does nothing: the delivery in the table is the source of truth.
 */
export async function redriveDeadLetters({ dead, queue }: RedriveDeps): Promise<RedriveReport> {
  const seen = new Set<string>();
  let [moved, unreadable, unsent] = [0, 0, 0];
  for (;;) {
    // A letter that stays becomes visible again after a while: one pass is enough.
    const letters = (await dead.take()).filter(({ id }) => !seen.has(id));
    if (letters.length === 0) return { moved, unreadable, unsent };
    for (const { id, body, remove } of letters) {
      seen.add(id);
      const queueMessage = queueMessageIn(body);
      if (!queueMessage) unreadable++;
      else if ((await queue.send([{ queueMessage, delayMs: 0 }])) > 0) unsent++;
      else {
        await remove();
        moved++;
      }
    }
  }
}

function queueMessageIn(body: string): DelayedMessage['queueMessage'] | undefined {
  try {
    return parseQueueMessage(body);
  } catch {
    return undefined;
  }
}
