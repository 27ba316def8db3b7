import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { localCredentials } from '../../shared/runtime/local-credentials';
import type { AwsClient } from '../backends/aws-client';
import { PATIENT_SERVER, refuseStrangers } from '../data-directory';
import { type AccessDecision, type AccessRequest, asAWhole } from '../iam/roles';
import { withLineage } from '../lambda/logs';
import type { ApiKeys } from './api-gateway-keys';
import type { Athena } from './athena';
import {
  type AwsAnswer,
  type AwsCall,
  AwsError,
  type AwsRequest,
  type CallRecord,
  endToEndHeaders,
  errorAnswer,
  forward,
  type Input,
  relay,
} from './call';
import { type Denials, describeCall, type Surroundings, sentenceOf } from './describe-call';
import { tablesOf, WRITES } from './dynamodb-actions';
import type { Firehose } from './firehose';
import { bucketArn, type S3Mirror, s3Target, type WhenConditionHolds } from './s3-actions';

/** The limits of `PutEvents` that a caller can run into. */
const MOST_ENTRIES = 10;
const MOST_BYTES = 262_144;

/**
 * EventBridge as far as the service uses it: it takes events and hands them to nobody. Who receives them is decided by rules on a bus
 * that is not part of the stack.
 */
export function putEventsAnswer(operation: string, { Entries: entries }: Input): object {
  if (operation !== 'PutEvents')
    throw new AwsError('UnknownOperationException', `The local run does not emulate events:${operation}.`);
  if (!Array.isArray(entries) || entries.length === 0 || entries.length > MOST_ENTRIES)
    throw new AwsError('ValidationException', `Entries must have 1 to ${MOST_ENTRIES} members.`);
  if (Buffer.byteLength(JSON.stringify(entries)) > MOST_BYTES)
    throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.');
  const results = (entries as readonly Input[]).map((entry, at) => entryResult(entry, at));
  return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
}

function entryResult({ Source: source, DetailType: type, Detail: detail }: Input, at: number): object {
  if (!source || !type || !detail)
    return { ErrorCode: 'InvalidArgument', ErrorMessage: 'Source, DetailType or Detail' };
  try {
    JSON.parse(String(detail));
  } catch {
    return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  }
  return { EventId: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` };
}

export interface CallingRole {
  readonly name: string;
  may(request: AccessRequest): AccessDecision;
}

/** Executes a call, each time it is invoked; with a different input, if one is given. */
export type Proceed = (input?: AwsCall['input']) => Promise<AwsAnswer>;

/**
 * The seam for faults and meters: sees each authorized call, and may delay it, execute it and inspect the response,
 * respond in its place, or drop the connection. `undefined` lets the call pass.
 */
export type Intercept = (
  call: AwsCall & { readonly caller: string },
  proceed: Proceed,
) => Promise<AwsAnswer | 'reset' | undefined>;

export interface FrontOptions extends Surroundings {
  readonly callers: ReadonlyMap<string, CallingRole>;
  /** The secret of the run, which every caller's session token derives from. */
  readonly secret: string;
  readonly backends: Readonly<Record<'dynamodb' | 'sqs' | 's3', AwsClient>>;
  readonly keys: ApiKeys;
  readonly firehose: Firehose;
  readonly athena: Athena;
  /** The bucket that Firehose writes to. @default there is no warehouse */
  readonly warehouse?: { readonly bucket: string; answer(request: AwsRequest): AwsAnswer } | undefined;
  readonly denials: Denials;
  readonly calls: CallRecord;
  readonly mirror?: S3Mirror | undefined;
  readonly whenConditionHolds: WhenConditionHolds;
  readonly intercept?: Intercept | undefined;
  /** Queue name → its URL in the emulator. */
  readonly queueUrls: ReadonlyMap<string, string>;
  onWrite(tableName: string): void;
}

export const ADMIN: CallingRole = { name: 'admin', may: () => 'allowed' };

/** The endpoint of every SDK on this machine. */
export interface Front {
  readonly url: string;
  /** Starts answering; until then, every call waits. */
  serve(options: FrontOptions): void;
  close(): Promise<void>;
}

async function read(incoming: IncomingMessage): Promise<AwsRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = 'GET', url = '/', headers, rawHeaders } = incoming;
  return {
    method,
    url,
    headers,
    rawHeaders,
    body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks),
  };
}

function scopeOf({ headers }: AwsRequest): { readonly accessKey: string; readonly service: string } {
  const [, accessKey = '', service = ''] =
    /Credential=([^/,]+)\/\d+\/[^/]+\/([^/]+)\/aws4_request/.exec(headers.authorization ?? '') ?? [];
  return { accessKey, service };
}

/** The caller whose token the request carries: a name alone proves nothing. */
function callerOf({ callers, secret }: FrontOptions, accessKey: string, { headers }: AwsRequest): CallingRole {
  const caller = callers.get(accessKey);
  const expected = Buffer.from(localCredentials(secret, accessKey).sessionToken);
  const given = Buffer.from(String(headers['x-amz-security-token'] ?? ''));
  if (caller && given.length === expected.length && timingSafeEqual(given, expected)) return caller;
  throw new AwsError('UnrecognizedClientException', 'The security token included in the request is invalid.');
}

function authorize({ denials, calls }: FrontOptions, caller: CallingRole, call: AwsCall): void {
  if (caller === ADMIN) return;
  for (const access of asAWhole(call.access)) {
    const decision = caller.may(access);
    if (decision === 'allowed') {
      calls.note(caller.name, access);
      continue;
    }
    const denial = denials.record(caller.name, access);
    const reason = decision === 'explicitly denied' ? ' (with an explicit deny)' : '';
    throw new AwsError('AccessDeniedException', `${sentenceOf(denial)}${reason}`);
  }
}

function send(response: ServerResponse, answer: AwsAnswer | IncomingMessage): void {
  if (answer instanceof IncomingMessage) relay(answer, response);
  else {
    const { status, headers, body } = answer;
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  }
}

async function readWhole(answer: AwsAnswer | IncomingMessage): Promise<AwsAnswer> {
  if (!(answer instanceof IncomingMessage)) return answer;
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const headers = endToEndHeaders(answer) as Record<string, string>;
  return { status: answer.statusCode ?? 502, headers, body: Buffer.concat(chunks) };
}

function queueUrlAnswer({ queueUrls, account }: FrontOptions, { input }: AwsCall, host: string): AwsAnswer {
  const name = String(input.QueueName);
  if (!queueUrls.has(name)) throw new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');
  const body = JSON.stringify({ QueueUrl: `http://${host}/${account}/${name}` });
  return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body };
}

type Messages = { readonly Entries?: readonly object[] };

/** SDKs inside Lambda send the trace header of their invocation; SQS keeps it with the message. */
function messagesOf({ operation, input }: AwsCall, { headers }: AwsRequest): object {
  const trace = String(headers['x-amzn-trace-id'] ?? '');
  if (operation === 'SendMessage') return withLineage(input, trace);
  if (operation !== 'SendMessageBatch') return input;
  return { ...input, Entries: ((input as Messages).Entries ?? []).map((entry) => withLineage(entry, trace)) };
}

/** Functions know queues by the front's URLs; the emulator needs its own. */
function withEmulatorUrl({ queueUrls }: FrontOptions, call: AwsCall, request: AwsRequest): AwsRequest {
  const url = queueUrls.get(
    String(call.input.QueueUrl ?? '')
      .split('/')
      .at(-1) ?? '',
  );
  if (!url) return request;
  return { ...request, body: Buffer.from(JSON.stringify({ ...messagesOf(call, request), QueueUrl: url })) };
}

async function passOn(
  options: FrontOptions,
  caller: CallingRole,
  call: AwsCall,
  request: AwsRequest,
): Promise<IncomingMessage> {
  const client = options.backends[call.service as 'dynamodb' | 'sqs' | 's3'];
  const send = () => forward(client, call.service, request);
  const answer = await (call.service === 's3' ? options.whenConditionHolds(request, send) : send());
  const succeeded = (answer.statusCode ?? 500) < 300;
  if (call.service === 's3') {
    const { bucket, key } = s3Target(request.url);
    const listing = { action: 's3:ListBucket', resource: bucketArn(bucket) };
    // Without ListBucket, S3 does not distinguish a missing object from a forbidden one.
    const mayList = answer.statusCode !== 404 || !key || caller.may(listing) === 'allowed';
    if (answer.statusCode === 404 && key && mayList && caller !== ADMIN) options.calls.note(caller.name, listing);
    if (!mayList) {
      answer.resume();
      throw new AwsError(
        'AccessDeniedException',
        `${caller.name} may not know whether ${key} exists without ${listing.action}`,
      );
    }
    if (succeeded) await options.mirror?.changed(request);
  }
  if (call.service === 'dynamodb' && succeeded && WRITES.has(call.operation)) {
    answer.on('end', () => {
      for (const table of tablesOf(call.operation, call.input)) options.onWrite(table);
    });
  }
  return answer;
}

interface Emulator {
  answer(operation: string, input: Input): object | Promise<object>;
}

/** Services with the JSON protocol that the local run emulates by itself. */
const emulators = ({ secrets, firehose, athena }: FrontOptions): Readonly<Record<string, Emulator>> => ({
  ...{ secretsmanager: secrets, firehose, athena, events: { answer: putEventsAnswer } },
});

async function carryOut(
  options: FrontOptions,
  caller: CallingRole,
  call: AwsCall,
  request: AwsRequest,
): Promise<AwsAnswer | IncomingMessage> {
  const { service, operation, input } = call;
  const emulator = emulators(options)[service];
  if (emulator) {
    const body = JSON.stringify(await emulator.answer(operation, input));
    return { status: 200, headers: { 'content-type': 'application/x-amz-json-1.1' }, body };
  }
  if (service === 'apigateway') {
    const { status, body } = options.keys.answer(request.method, request.url, input);
    return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
  if (service === 's3' && options.warehouse && input.Bucket === options.warehouse.bucket)
    return options.warehouse.answer(request);
  if (operation === 'GetQueueUrl') return queueUrlAnswer(options, call, request.headers.host ?? '');
  return passOn(options, caller, call, service === 'sqs' ? withEmulatorUrl(options, call, request) : request);
}

async function handle(options: FrontOptions, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const request = await read(incoming);
  const { accessKey, service } = scopeOf(request);
  try {
    const caller = callerOf(options, accessKey, request);
    const call = describeCall(options, service, request);
    authorize(options, caller, call);
    const changed = (input: AwsCall['input']) =>
      carryOut(options, caller, { ...call, input }, { ...request, body: Buffer.from(JSON.stringify(input)) });
    const proceed: Proceed = async (input) =>
      readWhole(await (input ? changed(input) : carryOut(options, caller, call, request)));
    const answer = await options.intercept?.({ ...call, caller: caller.name }, proceed);
    if (answer === 'reset') return void response.destroy();
    send(response, answer ?? (await carryOut(options, caller, call, request)));
  } catch (error) {
    if (error instanceof AwsError) return send(response, errorAnswer(service, error));
    const message = error instanceof Error ? error.message : String(error);
    if (response.headersSent) response.destroy();
    else
      send(
        response,
        errorAnswer(service, new AwsError('InternalServerError', `The local run failed: ${message}`, 500)),
      );
  }
}

/** Listens first and serves later: queue URLs in the functions' environment need the port before the stack is built. */
export async function listenFront(): Promise<Front> {
  let ready: (options: FrontOptions) => void = () => undefined;
  const options = new Promise<FrontOptions>((resolve) => {
    ready = resolve;
  });
  const server = createServer(PATIENT_SERVER, (incoming, response) => {
    if (refuseStrangers(incoming, response)) return;
    options.then((settled) => handle(settled, incoming, response)).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (settled) => ready(settled),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
