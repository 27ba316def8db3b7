import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  request,
} from 'node:http';

/**
 * Sends a request and returns the response with its body unread. An emulator may close an idle connection just as
 * we reuse it: only in that case is the request resent, on a new connection.
 */
export function openRequest(options: RequestOptions, body: Buffer | string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(options, resolve);
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(openRequest(options, body));
      else reject(error);
    });
    outgoing.end(body);
  });
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface BackendRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Buffer | string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A plain HTTP client of one emulator: the SDK would cost a second at start and a millisecond per call. */
export interface AwsClient {
  readonly endpoint: URL;
  readonly agent: Agent;
  /** The header that names service and region; emulators read the scope and check no signature. */
  authorization(service: string): string;
  send(request: BackendRequest): Promise<Reply>;
  /** One call of a JSON protocol; rejects with the service's error type and message. */
  call<T>(target: string, input: object, signal?: AbortSignal): Promise<T>;
}

/** An error response from an emulator, `type` without its namespace. */
export class BackendError extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(`${type}: ${message}`);
  }
}

const SERVICES: Readonly<Record<string, string>> = {
  DynamoDB_20120810: 'dynamodb',
  DynamoDBStreams_20120810: 'dynamodb',
  AmazonSQS: 'sqs',
};

/**
 * DynamoDB Local accepts letters and digits only in an access key id, hence one identity for all callers. With emulators
 * of our own it is a secret.
 */
export function awsClient(endpoint: string, region: string, accessKey = 'local'): AwsClient {
  const url = new URL(endpoint);
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const authorization = (service: string): string =>
    `AWS4-HMAC-SHA256 Credential=${accessKey}/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=00`;

  const send: AwsClient['send'] = async ({ method, path, headers, body, signal }) => {
    const target = { host: url.hostname, port: url.port || 80 };
    const incoming = await openRequest(
      { ...target, method, path, headers, agent, ...(signal ? { signal } : {}) },
      body,
    );
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) };
  };

  const call = async <T>(target: string, input: object, signal?: AbortSignal): Promise<T> => {
    const body = JSON.stringify(input);
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': Buffer.byteLength(body),
      'x-amz-target': target,
      authorization: authorization(SERVICES[target.split('.')[0] ?? ''] ?? 'dynamodb'),
    };
    const reply = await send({ method: 'POST', path: '/', headers, body, signal });
    const answer = JSON.parse(reply.body.toString() || '{}') as Record<string, unknown>;
    if (reply.status === 200) return answer as T;
    const type =
      String(answer.__type ?? reply.status)
        .split('#')
        .at(-1) ?? '';
    throw new BackendError(type, String(answer.message ?? answer.Message ?? ''));
  };

  return { endpoint: url, agent, authorization, send, call };
}
