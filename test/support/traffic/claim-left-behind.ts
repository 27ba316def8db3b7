import { type AttributeValue, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { localClient } from '../../../shared/runtime/admin-wiring';
import { localRun } from '../local-run';

/** The end of a ULID that makes a screening one of the 64th that are kept for training. */
const CHOSEN = '00';

/**
 * Puts the claim of a screening back as if the function had died with it, but with an ID of our choice: a repeat of the
 * request continues that screening. Waiting for chance to choose one takes a hundred screenings.
 */
export async function leaveClaim(claim: Readonly<Record<string, AttributeValue>>): Promise<string> {
  const ulid = `${claim.ulid?.S?.slice(0, -CHOSEN.length)}${CHOSEN}`;
  const client = new DynamoDBClient(localClient(localRun()));
  await client.send(
    new PutItemCommand({ TableName: localRun().outputs.TableName, Item: { ...claim, ulid: { S: ulid } } }),
  );
  client.destroy();
  return ulid;
}
