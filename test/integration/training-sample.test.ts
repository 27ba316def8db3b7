import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DEFAULT_SETTINGS, labelEndMs } from '../../shared/domain/accounts/account';
import { localClient } from '../../shared/runtime/admin-wiring';
import { outcomeStore } from '../../shared/store/cases/outcome-store';
import { labelReader, sampleWriter } from '../../shared/store/models/label-store';
import { reviewDecision } from '../../shared/usecases/cases/record-outcome';
import { screenSubject } from '../../shared/usecases/screening/screen-subject';
import { localRun } from '../support/local-run';
import { callerOf, payment, screeningDeps } from '../support/screening-deps';

const clock = { now: () => Date.now() };
const month = new Date().toISOString().slice(0, 7);
const ulidEnding = (end: string) => () => `01JCM0DE00000000000000000000`.slice(0, 26 - end.length) + end;

function table() {
  const { outputs } = localRun();
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(localRun())));
  return { client, name: outputs.TableName ?? '' };
}

const screened = (account: string, end: string) =>
  screenSubject(
    { ...screeningDeps(), newUlid: ulidEnding(end), samples: sampleWriter(table()) },
    callerOf(account),
    payment(),
  );

it('keeps one of the sample, presumed legitimate, until a person says otherwise', async () => {
  const account = `acc_sample_${Date.now()}`;
  const { record } = await screened(account, '0A');
  await screened(account, 'ZZ');
  const labels = labelReader(table());
  expect(await labels.storedInMonth(account, month)).toEqual([
    expect.objectContaining({
      source: 'sample',
      label: 'legitimate',
      subject_id: `txn_${record.ulid}`,
      ttl: expect.any(Number),
    }),
  ]);
  expect(await labels.ofMonth(account, month)).toEqual([]);

  const deps = { clock, outcomes: outcomeStore(table()) };
  await reviewDecision(deps, callerOf(account), `dec_${record.ulid}`, { decision: 'block' });
  expect(await labels.storedInMonth(account, month)).toEqual([
    expect.objectContaining({ source: 'decision_review', label: 'fraud', subject_id: `txn_${record.ulid}` }),
  ]);
  const [said] = await labels.storedInMonth(account, month);
  expect(said?.ttl).toBe(Math.ceil(labelEndMs(DEFAULT_SETTINGS, record) / 1000));
  expect(await labels.ofMonth(account, month)).toHaveLength(1);
});

it('does not fail a screening when the sample cannot be kept', async () => {
  const deps = {
    ...screeningDeps(),
    newUlid: ulidEnding('0B'),
    samples: { keep: () => Promise.reject(new Error('throttled')) },
  };
  const { record } = await screenSubject(deps, callerOf(`acc_lost_${Date.now()}`), payment());
  expect(record.automated_decision).toBe('allow');
});
