import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type AwsClient, openRequest } from '../backends/aws-client';
import type { AccessRequest } from '../iam/roles';

export interface AwsRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export type Input = Readonly<Record<string, unknown>>;

export interface AwsCall {
  readonly service: string;
  readonly operation: string;
  readonly access: readonly AccessRequest[];
  /** The parsed body of the JSON protocols, for faults and services answered here. */
  readonly input: Input;
}

export interface AwsAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A refusal in the words of the service: `type` is the SDK's error name. */
export class AwsError extends Error {
  constructor(
    readonly type: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

/** A permission that a function used: the proof that its grant is needed. */
export interface SeenCall {
  readonly function: string;
  readonly action: string;
  readonly resource: string;
  readonly partition?: string;
}

export interface CallRecord {
  list(): readonly SeenCall[];
  note(functionName: string, access: AccessRequest): void;
}

/** The part of a key that a policy can name; the rest belongs to one account or person. */
export const partitionOf = (key: string): string => key.split('#', 1)[0] ?? key;

/** The partitions of a permission; empty unless it is about items of a table. */
export const partitionsOf = ({ action, context }: AccessRequest): readonly string[] =>
  action.startsWith('dynamodb:')
    ? [...new Set((context?.()['dynamodb:leadingkeys'] ?? []).map(partitionOf))].sort()
    : [];

export function callRecord(): CallRecord {
  const seen = new Map<string, SeenCall>();
  const add = (call: SeenCall): void => {
    const key = [call.function, call.action, call.resource, call.partition].join(' ');
    if (!seen.has(key)) seen.set(key, call);
  };
  return {
    list: () => [...seen.values()],
    note: (name, access) => {
      const { action, resource } = access;
      const call = { function: name, action, resource };
      const partitions = partitionsOf(access);
      if (partitions.length === 0) add(call);
      else for (const partition of partitions) add({ ...call, partition });
    },
  };
}

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** An error in the form the service itself would use, so that the SDK turns it into its usual exception. */
export function errorAnswer(service: string, { type, message, status }: AwsError): AwsAnswer {
  if (service === 's3') {
    const code = type.replace(/Exception$/, '');
    return {
      status: type === 'AccessDeniedException' ? 403 : status,
      headers: { 'content-type': 'application/xml' },
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`,
    };
  }
  const body = JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message, Message: message });
  if (service === 'apigateway') {
    const rest = type === 'AccessDeniedException' ? 403 : status;
    return { status: rest, headers: { 'content-type': 'application/json', 'x-amzn-errortype': type }, body };
  }
  return { status, headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': type }, body };
}

/** Hop-by-hop headers, and those we set ourselves. */
const DROPPED: ReadonlySet<string> = new Set([
  'authorization',
  'x-amz-security-token',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'expect',
]);

function headersFor({ rawHeaders, body }: AwsRequest, authorization: string): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = { authorization, 'content-length': String(body.length) };
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!DROPPED.has(name)) headers[name] = rawHeaders[index + 1] ?? '';
  }
  return headers;
}

export function forward(client: AwsClient, service: string, incoming: AwsRequest): Promise<IncomingMessage> {
  const { method, url, body } = incoming;
  const { hostname: host, port } = client.endpoint;
  const headers = headersFor(incoming, client.authorization(service));
  return openRequest({ method, path: url, headers, agent: client.agent, host, port: port || 80 }, body);
}

export function endToEndHeaders(answer: IncomingMessage): IncomingMessage['headers'] {
  const {
    connection: _connection,
    'keep-alive': _keepAlive,
    'transfer-encoding': _encoding,
    ...headers
  } = answer.headers;
  return headers;
}

export function relay(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, endToEndHeaders(answer));
  answer.pipe(response);
  answer.on('error', () => response.destroy());
}
