import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { subjectId } from '../../shared/domain/screening/subjects/subject-id';
import { localClient } from '../../shared/runtime/admin-wiring';
import { screeningWriter } from '../../shared/store/screening/screening-store';
import { localRun } from '../support/local-run';
import { MINUTE, pass, useTimeMachineApart } from '../support/machine/time-machine';
import { screened } from '../support/webhooks/changes';
import { webhookAccount } from '../support/webhooks/webhook-account';
import { type Received, useReceiver } from '../support/webhooks/webhook-receiver';
import { atRate, fire, IS_FULL, percentile, printMeasurement, sized, spread } from './soak-size';

const receiver = useReceiver();
useTimeMachineApart(receiver.env, ['--concurrency', '10']);
type Account = Awaited<ReturnType<typeof webhookAccount>>;

let writer: ReturnType<typeof screeningWriter>;
beforeAll(() => {
  const { outputs } = localRun();
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(localRun())));
  writer = screeningWriter({ client, name: outputs.TableName ?? '' });
});

/** Commits a screening as the functions do, without the work before it: what is measured begins with the commit. */
async function commit({ account_id }: Account, aheadMs = 0): Promise<string> {
  const record = screened(Date.now() + aheadMs);
  await writer.insert(account_id, record, 30_000);
  return subjectId(record.subject_type, record.ulid);
}

/** From the commit to the request at the receiver, whose clock the functions' may be ahead of. */
const latencies = (received: readonly Received[], aheadMs = 0): number[] =>
  received.map(({ atMs, json }) => atMs + aheadMs - Date.parse(json.created_at));

const allAt = (path: string, count: number): Promise<Received[]> => receiver.untilAll(path, count, 10 * MINUTE);

/** Deliveries per second that a machine of two cores makes, DynamoDB Local included, before it becomes the limit. */
const DELIVERIES_A_SECOND = 10;

/** An account, one of `besides`, with endpoints that are told of so many payments each: what came, once all of it has. */
async function healthy(endpoints: number, payments: number, aheadMs = 0, besides = 1): Promise<Received[]> {
  const account = await webhookAccount(receiver);
  const paths: string[] = [];
  for (let i = 0; i < endpoints; i++) paths.push((await account.register(['transaction.screened'])).path);
  await atRate(DELIVERIES_A_SECOND / (endpoints * besides), payments, () => commit(account, aheadMs));
  const all = await Promise.all(paths.map((path) => allAt(path, payments)));
  return all.flat();
}

it('6: the first attempt comes soon after the commit', async () => {
  const account = await webhookAccount(receiver);
  const { path } = await account.register(['transaction.screened']);
  await commit(account);
  await allAt(path, 1);
  const [perSecond, seconds] = [sized(100, 10), sized(60, 2)];
  const committed = await atRate(perSecond, perSecond * seconds, () => commit(account));
  const received = (await allAt(path, committed.length + 1)).slice(1);
  const took = latencies(received);
  printMeasurement(
    `${perSecond} events/s × ${seconds} s: ${received.length}/${committed.length} delivered, ${spread(took)}`,
  );
  expect(new Set(received.map(({ json }) => json.data.transaction_id))).toEqual(new Set(committed));
  if (IS_FULL) {
    expect(percentile(took, 0.95)).toBeLessThan(1_000);
    expect(percentile(took, 0.99)).toBeLessThan(2_000);
  }
}, 600_000);

it('10: an endpoint that hangs has five deliveries in flight at most, and holds nobody else up', async () => {
  const [endpoints, payments] = [sized(20, 2), sized(50, 5)];
  const solo = latencies(await healthy(endpoints, payments));

  const victim = await webhookAccount(receiver);
  const { path } = await victim.register(['transaction.screened']);
  let [inFlight, mostInFlight] = [0, 0];
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  receiver.answer(path, async () => {
    mostInFlight = Math.max(mostInFlight, ++inFlight);
    // The sender's deadline of 10 s began before the request was here, and may be over a little earlier than we think.
    await wait(9_000);
    inFlight--;
    await wait(2_000);
    return 200;
  });
  await atRate(sized(100, 20), sized(1_000, 16), () => commit(victim));
  // The last one committed is delivered: the others have been tried, or put off because their endpoint is busy.
  await healthy(1, 1);
  const beside = latencies(await healthy(endpoints, payments));
  printMeasurement(`healthy alone ${spread(solo)}; beside one that hangs ${spread(beside)}; in flight ${mostInFlight}`);
  expect(beside).toHaveLength(endpoints * payments);
  expect([mostInFlight > 0, mostInFlight <= 5]).toEqual([true, true]);
  if (IS_FULL) {
    expect(percentile(beside, 0.95)).toBeLessThan(2_000);
    expect(percentile(beside, 0.95)).toBeLessThanOrEqual(2 * percentile(solo, 0.95));
  }
}, 900_000);

it('11: a storm of retries does not delay fresh events', async () => {
  const storms: Account[] = await Promise.all([1, 2, 3, 4].map(() => webhookAccount(receiver)));
  const retries = sized(5_000, 24);
  for (const account of storms) {
    const { path } = await account.register(['transaction.screened']);
    receiver.answer(path, () => 500);
  }
  await atRate(sized(100, 20), retries, (index) => commit(storms[index % storms.length] as Account));
  // The last one committed is delivered: all before it have been tried, or put off because their endpoint fails.
  await healthy(1, 1);
  const aheadMs = 20 * MINUTE;
  await pass(aheadMs);
  const sweep = fire('Delivery/DeliveriesDue');
  // Ten accounts, lest five places in flight at one endpoint be what a busy machine waits for.
  const accounts = Array.from({ length: 10 }, () => healthy(1, sized(20, 1), aheadMs, 10));
  const took = latencies((await Promise.all(accounts)).flat(), aheadMs);
  await sweep;
  printMeasurement(`${retries} retries due, then fresh events: ${spread(took)}`);
  expect(took).toHaveLength(10 * sized(20, 1));
  if (IS_FULL) expect(percentile(took, 0.95)).toBeLessThan(2_000);
}, 900_000);
