import { rmSync } from 'node:fs';
import type { AwsClient } from '../backends/aws-client';
import { readJsonFile, writeJsonFile } from '../data-directory';

interface Message {
  readonly body: string;
  readonly messageAttributes?: Readonly<Record<string, unknown>>;
  readonly delayUntil?: number;
  readonly messageGroupId?: string;
  readonly messageDeduplicationId?: string;
}

interface Inspected {
  readonly messages: {
    readonly ready: readonly Message[];
    readonly delayed: readonly Message[];
    readonly inflight: readonly { readonly message: Message }[];
  };
}

type Saved = Readonly<Record<string, readonly Message[]>>;

const MAX_DELAY_SECONDS = 900;

/**
 * fauxqs keeps messages in memory only. An orderly stop saves them and the next start resends them (with new
 * IDs and a receive count of zero). After a kill they are lost, unlike in AWS.
 */
export async function saveMessages(client: AwsClient, queueNames: Iterable<string>, file: string): Promise<void> {
  const saved: Record<string, readonly Message[]> = {};
  const headers = { authorization: client.authorization('sqs') };
  for (const name of queueNames) {
    const reply = await client.send({ method: 'GET', path: `/_fauxqs/queues/${name}`, headers });
    if (reply.status !== 200) continue;
    const { messages } = JSON.parse(reply.body.toString()) as Inspected;
    const all = [...messages.inflight.map(({ message }) => message), ...messages.ready, ...messages.delayed];
    if (all.length > 0) saved[name] = all;
  }
  writeJsonFile(file, saved);
}

/** Resends the messages of the last orderly stop to their queues. */
export async function restoreMessages(
  client: AwsClient,
  queueUrls: ReadonlyMap<string, string>,
  file: string,
): Promise<void> {
  const saved = readJsonFile<Saved>(file, {});
  for (const [name, url] of queueUrls) {
    for (const message of saved[name] ?? []) {
      const waitSeconds = Math.ceil(((message.delayUntil ?? 0) - Date.now()) / 1_000);
      await client.call('AmazonSQS.SendMessage', {
        QueueUrl: url,
        MessageBody: message.body,
        MessageAttributes: message.messageAttributes ?? {},
        ...(message.messageGroupId
          ? { MessageGroupId: message.messageGroupId, MessageDeduplicationId: message.messageDeduplicationId }
          : { DelaySeconds: Math.min(Math.max(waitSeconds, 0), MAX_DELAY_SECONDS) }),
      });
    }
  }
  rmSync(file, { force: true });
}
