import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { trustedCertificate } from '../../local/listen/certificates';
import { startListener } from '../../local/listen/start-listener';

export interface Arrival {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Receiver {
  readonly url: string;
  /** Everything received so far; undefined for a receiver that we cannot look into. */
  readonly arrivals: (() => Promise<readonly Arrival[]>) | undefined;
  close(): Promise<void>;
}

/** The user's own receiver: only the service's record tells what it answered. */
export const namedReceiver = (url: string): Receiver => ({ url, arrivals: undefined, close: async () => undefined });

/** A receiver on this machine, for a local run that was started with `--local-webhooks`. */
export async function localReceiver(): Promise<Receiver> {
  const received: Arrival[] = [];
  const certificate = await trustedCertificate(Date.now());
  const listener = await startListener(certificate, 0, async ({ headers, body }) => {
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    received.push({ headers: Object.fromEntries(texts), body });
    return 200;
  });
  return { url: listener.url, arrivals: async () => received, close: listener.close };
}

/** The receiver of the stack `FraudScreening-Verify`: a function URL that queues every request. */
export function queueReceiver(
  url: string,
  queueUrl: string,
  sqs: Pick<SQSClient, 'send'> = new SQSClient({}),
): Receiver {
  const received: Arrival[] = [];
  return {
    url,
    async arrivals() {
      const take = new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 2 });
      const { Messages: messages = [] } = await sqs.send(take);
      for (const { Body: text = '', ReceiptHandle } of messages) {
        const { headers, body } = JSON.parse(text) as { headers: Record<string, string>; body: string };
        received.push({ headers, body: Buffer.from(body, 'base64') });
        await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
      }
      return received;
    },
    close: async () => undefined,
  };
}
