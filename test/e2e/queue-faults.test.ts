import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  GetQueueAttributesCommand,
  ListQueuesCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { localClient } from '../../shared/runtime/admin-wiring';
import { eventually } from '../support/local-fixture/fixture';
import { localRun } from '../support/local-run';
import { sized } from '../support/sized';
import { useTimeMachine } from '../support/time-machine';
import { webhookAccount } from '../support/webhook-account';
import { type Received, useReceiver } from '../support/webhook-receiver';

const receiver = useReceiver();
useTimeMachine(receiver.env);

it('26: a message that is none of ours ends among the dead letters, and its batch mates do not notice', async () => {
  const client = new SQSClient(localClient(localRun()));
  const { QueueUrls: urls = [] } = await client.send(new ListQueuesCommand({}));
  const queue = (part: string): string => urls.find((url) => url.includes(part)) ?? `no queue ${part}`;
  const [fresh, dead] = [queue('QueuesFresh'), queue('QueuesDead')];
  // Five times three minutes is too long for a test; the rest of the redrive is as deployed.
  await client.send(new SetQueueAttributesCommand({ QueueUrl: fresh, Attributes: { VisibilityTimeout: '1' } }));

  const account = await webhookAccount(receiver);
  const { path, webhook_id } = await account.register(['transaction.screened']);
  const bodies = ['not JSON', '{}', '{"account_id":"acc_x","webhook_id":"../..","attempt":0}', '[]', 'null'];
  const payments = sized(500, 25);
  for (let i = 0; i < payments; i++) {
    const MessageBody = bodies[i % bodies.length];
    if (i < bodies.length) await client.send(new SendMessageCommand({ QueueUrl: fresh, MessageBody }));
    await account.pay();
  }
  await receiver.untilAll(path, payments, 120_000);
  const depth = async (): Promise<true | undefined> => {
    const AttributeNames = ['ApproximateNumberOfMessages' as const];
    const { Attributes: found } = await client.send(new GetQueueAttributesCommand({ QueueUrl: dead, AttributeNames }));
    return found?.ApproximateNumberOfMessages === String(bodies.length) ? true : undefined;
  };
  await eventually(depth, 120_000);
  // Nothing was posted twice, though the bad ones came back again and again beside them.
  expect(receiver.at(path)).toHaveLength(payments);

  // A hint that fell among the dead letters goes back by the command; strangers stay.
  const { headers } = receiver.at(path)[0] as Received;
  const queueMessage = {
    account_id: account.account_id,
    webhook_id,
    delivery_id: headers['x-service-delivery'],
    message_id: headers['webhook-id'],
    attempt: 0,
  };
  await client.send(new SendMessageCommand({ QueueUrl: dead, MessageBody: JSON.stringify(queueMessage) }));
  const env = { ...process.env, LOCAL_DATA_DIR: localRun().dataDir };
  const redrive = ['--import', 'tsx', 'bin/admin.ts', 'webhooks', 'redrive'];
  const { stdout: said } = await promisify(execFile)(process.execPath, redrive, { env });
  expect(said).toMatch(/^1 moved back .*\n5 left in the dead-letter queue: not delivery messages/);
  client.destroy();
}, 600_000);
