import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CLOSED, FRESH_STATE } from '../../../shared/domain/webhooks/endpoint-state';
import { localClient } from '../../../shared/runtime/admin-wiring';
import { endpointStateStore } from '../../../shared/store/webhooks/endpoint-state-store';
import { localRun } from '../local-run';
import { DAY } from '../machine/time-machine';

/**
 * Takes every slot of an endpoint for a long time, as if senders had only just taken them: whoever comes now looks again
 * for a free one, however slow the machine and far ahead the functions' clock.
 */
export async function takeEverySlot(accountId: string, webhookId: string): Promise<void> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(localRun())));
  const states = endpointStateStore({ client, name: localRun().outputs.TableName ?? '' });
  const slots = FRESH_STATE.slots.map((_free, slot) => slot);
  const pass = { slots, leaseUntilMs: Date.now() + 365 * DAY, isProbe: false, breaker: CLOSED };
  expect(await states.take(accountId, webhookId, { before: FRESH_STATE, pass }, Date.now())).toMatchObject({
    done: true,
  });
  client.destroy();
}
