import type { AccessRequest } from '../iam/roles';
import type { Athena } from './athena';
import { type AwsCall, AwsError, type AwsRequest, type Input, partitionsOf } from './call';
import { dynamodbAccess, type TableKeys } from './dynamodb-actions';
import { s3Access, s3Target } from './s3-actions';
import type { SecretsManager } from './secrets-manager';

/** A batch call is authorized as the single one: IAM has no batch actions for SQS. */
const SINGLE: Readonly<Record<string, string>> = {
  SendMessageBatch: 'SendMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
};

export function sqsAccess(
  arnOf: (queueName: string) => string,
  operation: string,
  input: Input,
): readonly AccessRequest[] {
  const action = `sqs:${SINGLE[operation] ?? operation}`;
  if (operation === 'ListQueues') return [{ action, resource: '*' }];
  const name =
    operation === 'GetQueueUrl'
      ? String(input.QueueName)
      : String(input.QueueUrl ?? '')
          .split('/')
          .at(-1);
  return [{ action, resource: arnOf(name ?? '') }];
}

const MAX_DELAY_SECONDS = 900;

/** Refuses requests that SQS refuses and fauxqs accepts, so that they fail here and not after deployment. */
export function checkSqsLimits(operation: string, input: Input): void {
  const entries = operation === 'SendMessageBatch' ? ((input.Entries ?? []) as readonly Input[]) : [input];
  if (operation !== 'SendMessage' && operation !== 'SendMessageBatch') return;
  for (const { DelaySeconds: delay } of entries) {
    if (delay === undefined || (Number(delay) >= 0 && Number(delay) <= MAX_DELAY_SECONDS)) continue;
    throw new AwsError(
      'InvalidParameterValue',
      `Value ${String(delay)} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= ${MAX_DELAY_SECONDS}.`,
    );
  }
}

export interface Surroundings {
  readonly region: string;
  readonly account: string;
  readonly secrets: SecretsManager;
  readonly athena: Pick<Athena, 'access'>;
  keysOf(tableName: string): TableKeys | undefined;
}

function parse(body: Buffer): Input {
  if (body.length === 0) return {};
  try {
    return JSON.parse(body.toString()) as Input;
  } catch {
    throw new AwsError('SerializationException', 'The request body is not JSON.');
  }
}

const operationOf = ({ headers }: AwsRequest): string =>
  String(headers['x-amz-target'] ?? '')
    .split('.')
    .at(-1) ?? '';

type Access = (around: Surroundings, operation: string, input: Input) => readonly AccessRequest[];

const arnIn = ({ region, account }: Surroundings, service: string, resource: string): string =>
  `arn:aws:${service}:${region}:${account}:${resource}`;

/** The permissions that AWS would require, by service; those here name their operation in a header and send JSON. */
const ACCESS: Readonly<Record<string, Access>> = {
  dynamodb: (around, operation, input) =>
    dynamodbAccess(
      { arnOf: (table) => arnIn(around, 'dynamodb', `table/${table}`), keysOf: around.keysOf },
      operation,
      input,
    ),
  sqs: (around, operation, input) => {
    checkSqsLimits(operation, input);
    return sqsAccess((queue) => arnIn(around, 'sqs', queue), operation, input);
  },
  secretsmanager: ({ secrets }, operation, { SecretId: id }) => [
    { action: `secretsmanager:${operation}`, resource: secrets.arnOf(String(id)) },
  ],
  firehose: (around, operation, { DeliveryStreamName: name }) => [
    { action: `firehose:${operation}`, resource: arnIn(around, 'firehose', `deliverystream/${String(name)}`) },
  ],
  athena: ({ athena }, operation, input) => athena.access(operation, input),
  events: (around, operation, input) => {
    const { Entries: entries = [] } = input as {
      readonly Entries?: ReadonlyArray<{ readonly EventBusName?: string }>;
    };
    const buses = new Set(entries.map(({ EventBusName: name = 'default' }) => name));
    return [...buses].map((name) => ({
      action: `events:${operation}`,
      resource: name.startsWith('arn:') ? name : arnIn(around, 'events', `event-bus/${name}`),
    }));
  },
};

/** Determines the service, the operation and the permissions AWS would require. */
export function describeCall(around: Surroundings, service: string, request: AwsRequest): AwsCall {
  if (service === 's3') {
    const access = s3Access(request);
    const { bucket, key } = s3Target(request.url);
    const operation = access[0]?.action.slice('s3:'.length) ?? request.method;
    return { service, operation, access, input: { Bucket: bucket, Key: key } };
  }
  if (service === 'apigateway') {
    const { pathname } = new URL(request.url, 'http://localhost');
    const resource = `arn:aws:apigateway:${around.region}::${pathname}`;
    const access = [{ action: `apigateway:${request.method}`, resource }];
    return { service, operation: `${request.method} ${pathname}`, access, input: parse(request.body) };
  }
  const accessOf = ACCESS[service];
  if (!accessOf)
    throw new AwsError('UnknownOperationException', `The local run does not emulate the service ${service}.`);
  const [operation, input] = [operationOf(request), parse(request.body)];
  return { service, operation, input, access: accessOf(around, operation, input) };
}

export interface Denial {
  readonly function: string;
  readonly action: string;
  readonly resource: string;
  readonly partitions: readonly string[];
  readonly missing: string;
  readonly time: string;
}

export interface Denials {
  list(): readonly Denial[];
  record(functionName: string, access: AccessRequest): Denial;
}

const REMEMBERED = 1_000;

function missingGrant({ action, resource }: AccessRequest, partitions: readonly string[]): string {
  const [service, operation] = action.split(':');
  return service === 'dynamodb' && partitions.length > 0
    ? `{ actions: ['${operation}'], partitions: [${partitions.map((name) => `'${name}'`).join(', ')}] }`
    : `{ actions: ['${action}'], resources: ['${resource}'] }`;
}

export const sentenceOf = ({ function: name, action, resource, partitions, missing }: Denial): string => {
  const of = partitions.length > 0 ? ` of ${partitions.join(', ')}` : '';
  return `${name} is not authorized to perform ${action} on ${resource}${of}. Missing grant: ${missing}`;
};

/** Remembers refused calls and shows each on the terminal, where a missing grant is meant to be noticed. */
export function denialList(print: (line: string) => void): Denials {
  const denials: Denial[] = [];
  return {
    list: () => [...denials],
    record: (name, access) => {
      const partitions = partitionsOf(access);
      const { action, resource } = access;
      const missing = missingGrant(access, partitions);
      const denial = { function: name, action, resource, partitions, missing, time: new Date().toISOString() };
      denials.push(denial);
      if (denials.length > REMEMBERED) denials.shift();
      print(`ACCESS DENIED  ${sentenceOf(denial)}`);
      return denial;
    },
  };
}
