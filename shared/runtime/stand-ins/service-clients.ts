import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { type Patience, type ServiceAnswer, signedRequests } from '../../store/sdk/signed-requests';
import { config } from '../config';
import { randomFraction } from '../ids';

/*
 * Stands in for the SDK's clients of DynamoDB, SQS and Secrets Manager in bundles (lib/bundling). Their protocol is a
 * signed POST of JSON; of the SDK's 170 kB, functions need this much. Same commands, same errors, same retries; items
 * are in wire format on both sides, bytes in base64.
 */

interface ClientConfig {
  readonly maxAttempts?: number;
  readonly requestHandler?: Patience;
}

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

export interface Command {
  readonly operation: string;
  readonly input: object;
}

export const commandOf = (operation: string) =>
  class {
    readonly operation = operation;
    constructor(readonly input: object) {}
  };

export const BatchGetItemCommand = commandOf('BatchGetItem');
export const GetItemCommand = commandOf('GetItem');
export const PutItemCommand = commandOf('PutItem');
export const QueryCommand = commandOf('Query');
export const ScanCommand = commandOf('Scan');
export const TransactWriteItemsCommand = commandOf('TransactWriteItems');
export const UpdateItemCommand = commandOf('UpdateItem');
export const DeleteMessageCommand = commandOf('DeleteMessage');
export const ReceiveMessageCommand = commandOf('ReceiveMessage');
export const SendMessageCommand = commandOf('SendMessage');
export const SendMessageBatchCommand = commandOf('SendMessageBatch');
export const GetSecretValueCommand = commandOf('GetSecretValue');

interface Refusal {
  readonly Item?: object;
  readonly CancellationReasons?: ReadonlyArray<{ readonly Code?: string }>;
}

class ServiceError extends Error implements Refusal {
  readonly Item?: object;
  readonly CancellationReasons?: ReadonlyArray<{ readonly Code?: string }>;

  constructor(
    override readonly name: string,
    message: string,
    readonly $metadata: { readonly httpStatusCode: number; readonly requestId?: string | undefined },
    refusal: Refusal,
  ) {
    super(message);
    if (refusal.Item) this.Item = refusal.Item;
    if (refusal.CancellationReasons) this.CancellationReasons = refusal.CancellationReasons;
  }
}

export class ConditionalCheckFailedException extends ServiceError {}
export class TransactionCanceledException extends ServiceError {}

const CLASSES: Readonly<Record<string, typeof ServiceError>> = {
  ConditionalCheckFailedException,
  TransactionCanceledException,
};

function errorOf({ status, headers, body }: ServiceAnswer): Error {
  const text = body.toString();
  // A load balancer in front of DynamoDB answers in its own words.
  const said = text.startsWith('{') ? (JSON.parse(text) as Refusal & Record<string, string>) : {};
  const { __type: type = `HTTP ${status}`, message, Message, ...refusal } = said as Refusal & Record<string, string>;
  const name = type.slice(type.indexOf('#') + 1);
  const requestId = headers['x-amzn-requestid'] as string | undefined;
  const metadata = { httpStatusCode: status, requestId };
  return new (CLASSES[name] ?? ServiceError)(name, message ?? Message ?? name, metadata, refusal as Refusal);
}

// As the SDK's standard mode: of what may be cured by a retry, throttling gets more time.
const THROTTLED_MS = 500;
const TRANSIENT_MS = 100;
const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'ThrottlingException',
  'TransactionInProgressException',
]);
const TRANSIENT = new Set(['TimeoutError', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'InternalServerError']);

/** How long to wait before the next attempt; undefined if another one cannot help. */
function pauseMs(error: unknown): number | undefined {
  const { name = '', code = '', $metadata } = error as { name?: string; code?: string } & Partial<ServiceError>;
  if (THROTTLED.has(name)) return THROTTLED_MS;
  const isTransient = TRANSIENT.has(name) || TRANSIENT.has(code) || ($metadata?.httpStatusCode ?? 0) >= 500;
  return isTransient ? TRANSIENT_MS : undefined;
}

const PATIENT: Patience = { connectionTimeout: 1_000, requestTimeout: 3_000 };

class ServiceClient {
  private readonly attempts: number;
  private readonly post: ReturnType<typeof signedRequests>;

  constructor(
    service: string,
    private readonly target: string,
    private readonly contentType: string,
    { maxAttempts = 3, requestHandler = PATIENT }: ClientConfig,
  ) {
    this.attempts = maxAttempts;
    const address = { service, region: config.region(), endpoint: config.awsEndpoint() };
    this.post = signedRequests({ ...address, credentials: defaultProvider() }, requestHandler);
  }

  async send({ operation, input }: Command, { abortSignal }: SendOptions = {}): Promise<object> {
    const headers = { 'Content-Type': this.contentType, 'X-Amz-Target': `${this.target}.${operation}` };
    const request = { method: 'POST', headers, body: JSON.stringify(input) } as const;
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.post(request, abortSignal);
        if (answer.status >= 300) throw errorOf(answer);
        return JSON.parse(answer.body.toString()) as object;
      } catch (error) {
        const ms = pauseMs(error);
        if (ms === undefined || attempt >= this.attempts || abortSignal?.aborted) throw error;
        await new Promise((resolve) => setTimeout(resolve, randomFraction() * ms));
      }
    }
  }
}

const JSON_1_0 = 'application/x-amz-json-1.0';
const JSON_1_1 = 'application/x-amz-json-1.1';

export class DynamoDBClient extends ServiceClient {
  constructor(options: ClientConfig = {}) {
    super('dynamodb', 'DynamoDB_20120810', JSON_1_0, options);
  }
}

export class SQSClient extends ServiceClient {
  constructor(options: ClientConfig = {}) {
    super('sqs', 'AmazonSQS', JSON_1_0, options);
  }
}

export class SecretsManagerClient extends ServiceClient {
  constructor(options: ClientConfig = {}) {
    super('secretsmanager', 'secretsmanager', JSON_1_1, options);
  }
}
