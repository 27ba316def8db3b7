import type { AwsAnswer, AwsCall } from '../../local/aws/call';
import type { Intercept, Proceed } from '../../local/aws/front';
import type { Crash } from '../../local/lambda/lambda-function';
import type { Random } from '../../shared/domain/models/seeded-random';

/** How often each fault happens: as a share of the calls that it can affect. */
export interface FaultRates {
  readonly delay: number;
  readonly throttle: number;
  readonly error: number;
  readonly reset: number;
  /** The call is executed, and its response is lost. */
  readonly lostAnswer: number;
  readonly conflict: number;
  readonly duplicate: number;
  /** Some messages of a batch are rejected, in a response with status 200. */
  readonly partial: number;
  readonly crash: number;
}

export type FaultKind = keyof FaultRates;

/** A bad day: about one in seven DynamoDB calls has a fault. */
export const BAD_DAY: FaultRates = {
  delay: 0.05,
  throttle: 0.03,
  error: 0.01,
  reset: 0.01,
  lostAnswer: 0.01,
  conflict: 0.03,
  duplicate: 0.1,
  partial: 0.05,
  crash: 0.01,
};

export const NO_FAULTS: FaultRates = Object.fromEntries(
  Object.keys(BAD_DAY).map((kind) => [kind, 0]),
) as unknown as FaultRates;

const SLOWEST_MS = 300;
const LATEST_CRASH_MS = 150;

type Service = 'dynamodb' | 'sqs' | 'firehose';
const NAMESPACE: Readonly<Record<Service, string>> = {
  dynamodb: 'com.amazonaws.dynamodb.v20120810',
  sqs: 'com.amazonaws.sqs',
  firehose: 'com.amazonaws.firehose',
};

const refusal = (service: Service, type: string, status: number, more: object = {}): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: `${NAMESPACE[service]}#${type}`, message: 'injected', ...more }),
});

/** In DynamoDB's format: a reason for each item, one of which is the conflict. */
function conflictOf({ operation, input }: AwsCall, random: Random): AwsAnswer {
  if (operation !== 'TransactWriteItems') return refusal('dynamodb', 'TransactionConflictException', 400);
  const items = input.TransactItems as readonly unknown[];
  const at = Math.floor(random() * items.length);
  const CancellationReasons = items.map((_, index) => ({ Code: index === at ? 'TransactionConflict' : 'None' }));
  return refusal('dynamodb', 'TransactionCanceledException', 400, { CancellationReasons });
}

const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

/** Sends a batch without some of its entries and reports those as failed, in a 200 response. */
async function partly({ input }: AwsCall, proceed: Proceed, random: Random): Promise<AwsAnswer> {
  const entries = input.Entries as ReadonlyArray<{ readonly Id: string }>;
  const failing = new Set(entries.filter(() => random() < 0.5).map(({ Id }) => Id));
  const Failed = [...failing].map((Id) => ({ Id, Code: 'InternalError', Message: 'injected', SenderFault: false }));
  const rest = entries.filter(({ Id }) => !failing.has(Id));
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  if (rest.length === 0) return { status: 200, headers, body: JSON.stringify({ Successful: [], Failed }) };
  const answer = await proceed({ ...input, Entries: rest });
  return { ...answer, headers, body: JSON.stringify({ ...JSON.parse(String(answer.body)), Failed }) };
}

/** Takes some records of a batch and refuses the others, in a 200 response. */
async function takePart({ input }: AwsCall, proceed: Proceed, random: Random): Promise<AwsAnswer> {
  const records = input.Records as readonly object[];
  const refused = records.map(() => random() < 0.5);
  const taken = records.filter((_, at) => !refused[at]);
  const answer = taken.length > 0 ? await proceed({ ...input, Records: taken }) : undefined;
  const RequestResponses = refused.map((isRefused, at) =>
    isRefused ? { ErrorCode: 'ServiceUnavailableException', ErrorMessage: 'injected' } : { RecordId: String(at) },
  );
  const headers = answer?.headers ?? { 'content-type': 'application/x-amz-json-1.1' };
  return { status: 200, headers, body: JSON.stringify({ FailedPutCount: 1, RequestResponses }) };
}

/** Faults between functions and AWS, from a seed; `count` holds how many of each there were. */
export function faultInjector(random: Random, rates: () => FaultRates) {
  const count = new Map<FaultKind, number>();
  const happens = (kind: FaultKind): boolean => {
    if (random() >= rates()[kind]) return false;
    count.set(kind, (count.get(kind) ?? 0) + 1);
    return true;
  };
  const wait = () => new Promise((resolve) => setTimeout(resolve, random() * SLOWEST_MS));

  const lose = async (proceed: Proceed) => {
    await proceed();
    return 'reset' as const;
  };

  async function dynamodb(call: AwsCall, proceed: Proceed): ReturnType<Intercept> {
    if (happens('throttle')) return refusal('dynamodb', 'ProvisionedThroughputExceededException', 400);
    if (happens('error')) return refusal('dynamodb', 'InternalServerError', 500);
    if (happens('reset')) return 'reset';
    if (WRITES.has(call.operation) && happens('conflict')) return conflictOf(call, random);
    if (happens('lostAnswer')) return lose(proceed);
    if (happens('delay')) await wait();
    return undefined;
  }

  async function sqs(call: AwsCall, proceed: Proceed): ReturnType<Intercept> {
    if (!call.operation.startsWith('SendMessage')) return undefined;
    if (happens('error')) return refusal('sqs', 'ServiceUnavailable', 503);
    if (happens('lostAnswer')) return lose(proceed);
    if (call.operation === 'SendMessageBatch' && happens('partial')) return partly(call, proceed, random);
    // Late ones are overtaken: that is how a standard queue reorders.
    if (happens('delay')) await wait();
    if (happens('duplicate')) await proceed();
    return undefined;
  }

  async function firehose(call: AwsCall, proceed: Proceed): ReturnType<Intercept> {
    if (happens('throttle')) return refusal('firehose', 'ServiceUnavailableException', 500);
    if (happens('reset')) return 'reset';
    if (happens('lostAnswer')) return lose(proceed);
    return happens('partial') ? takePart(call, proceed, random) : undefined;
  }

  const intercept: Intercept = async (call, proceed) => {
    if (call.caller === 'admin') return undefined;
    if (call.service === 'firehose') return firehose(call, proceed);
    if (call.service === 'dynamodb') return dynamodb(call, proceed);
    return call.service === 'sqs' ? sqs(call, proceed) : undefined;
  };
  const crash: Crash = () => (happens('crash') ? random() * LATEST_CRASH_MS : undefined);
  return { intercept, crash, count };
}
