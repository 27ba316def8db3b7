import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as sdk from '@aws-sdk/client-dynamodb';
import * as sdkSecrets from '@aws-sdk/client-secrets-manager';
import * as sdkSqs from '@aws-sdk/client-sqs';
import * as sdkLib from '@aws-sdk/lib-dynamodb';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import * as lightLib from '../../../shared/runtime/stand-ins/lib-dynamodb';
import * as light from '../../../shared/runtime/stand-ins/service-clients';
import { signedRequests } from '../../../shared/store/sdk/signed-requests';

/** The request that a client put on the wire. */
interface Seen {
  readonly url: string | undefined;
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

type Answer = { readonly status?: number; readonly body: unknown; readonly hang?: true; readonly hangUp?: true };

let server: Server;
let answers: Answer[];
let seen: Seen[];
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };
const saved = { ...process.env };
const ours = { ...light, ...lightLib };

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    seen.push({ url: request.url, method: request.method, headers: request.headers, body: JSON.parse(text) });
    const { status = 200, body, hang, hangUp } = (answers.length > 1 ? answers.shift() : answers[0]) ?? { body: {} };
    if (hangUp) request.socket.destroy();
    else if (!hang) response.writeHead(status, { 'x-amzn-requestid': 'id-1' }).end(asText(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, CREDENTIALS, { AWS_REGION: 'eu-central-1', AWS_ENDPOINT_URL: endpoint });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  process.env = saved;
});
beforeEach(() => {
  seen = [];
  answers = [{ body: {} }];
});

const asText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));
const error = (name: string, more: object = {}): Answer => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'no', ...more },
});

const sdkClient = () => new sdk.DynamoDBClient({ region: 'eu-central-1', maxAttempts: 1 });
const ourClient = (config: ConstructorParameters<typeof light.DynamoDBClient>[0] = {}) =>
  new ours.DynamoDBClient({ maxAttempts: 1, ...config });

const Key = { pk: 'ACCOUNT#1', sk: 'ACCOUNT' };
const item = {
  ...Key,
  name: 'é',
  count: 3,
  on: true,
  none: null,
  list: [1, { deep: 'x' }],
  bytes: new Uint8Array([1, 2]),
};
const TableName = 'table';
const ExpressionAttributeValues = { ':one': 1, ':big': 12345678901234567890n, ':gone': undefined };
const update = { TableName, Key, UpdateExpression: 'ADD a :one', ExpressionAttributeValues };

/** Every command to DynamoDB that a bundle may send, as stores build them. */
const COMMANDS = [
  ['GetCommand', { TableName, Key, ConsistentRead: true }],
  ['PutCommand', { TableName, Item: item, ConditionExpression: 'attribute_not_exists(pk)' }],
  ['UpdateCommand', update],
  ['DeleteCommand', { TableName, Key, ConditionExpression: 'a = :one', ExpressionAttributeValues: { ':one': 1 } }],
  [
    'QueryCommand',
    {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': 'x' },
      ExclusiveStartKey: Key,
    },
  ],
  ['ScanCommand', { TableName, ExclusiveStartKey: Key }],
  ['BatchGetCommand', { RequestItems: { [TableName]: { Keys: [Key], ConsistentRead: true } } }],
  [
    'TransactWriteCommand',
    {
      TransactItems: [
        { Put: { TableName, Item: item } },
        { Update: update },
        { Delete: { TableName, Key } },
        {
          ConditionCheck: { TableName, Key, ConditionExpression: 'a = :one', ExpressionAttributeValues: { ':one': 1 } },
        },
      ],
      ClientRequestToken: 'the same',
    },
  ],
] as const;

// biome-ignore lint/suspicious/noExplicitAny: the same calls on two packages of different types.
type Any = any;
const documentClients = () =>
  [
    [sdkLib, sdkLib.DynamoDBDocumentClient.from(sdkClient(), { marshallOptions: { removeUndefinedValues: true } })],
    [ours, ours.DynamoDBDocumentClient.from(ourClient())],
  ] as Any[];

const WIRE_COMMANDS = [
  ['BatchGetItemCommand', { RequestItems: { [TableName]: { Keys: [{ pk: { S: 'a' } }], ConsistentRead: true } } }],
  ['ScanCommand', { TableName, ExclusiveStartKey: { pk: { S: 'a' } } }],
] as const;

const QUEUE = '/123456789012/retry';
const Entries = [{ Id: '0', MessageBody: '{"é":1}', MessageGroupId: 'wh_1', DelaySeconds: 3 }];
const OTHER_COMMANDS = [
  ['SQSClient', 'SendMessageBatchCommand', { QueueUrl: QUEUE, Entries }],
  ['SQSClient', 'SendMessageCommand', { QueueUrl: QUEUE, MessageBody: 'a' }],
  ['SQSClient', 'ReceiveMessageCommand', { QueueUrl: QUEUE, MaxNumberOfMessages: 10 }],
  ['SQSClient', 'DeleteMessageCommand', { QueueUrl: QUEUE, ReceiptHandle: 'r' }],
  ['SecretsManagerClient', 'GetSecretValueCommand', { SecretId: 'secret', VersionId: 'v1' }],
] as const;
const MD5_OF_A = '0cc175b9c0f1b6a831c399e269772661';
const ANSWERS: Readonly<Record<string, object>> = {
  SendMessageBatchCommand: { Successful: [], Failed: [{ Id: '0', Code: 'InternalError', SenderFault: false }] },
  SendMessageCommand: { MessageId: 'm', MD5OfMessageBody: MD5_OF_A },
  ReceiveMessageCommand: { Messages: [{ MessageId: 'm', Body: 'a', MD5OfBody: MD5_OF_A, ReceiptHandle: 'r' }] },
  GetSecretValueCommand: { SecretString: 's', VersionId: 'v1' },
};
/** The SDK sends to the address in the URL of the queue, which is the service's. */
const addressed = (input: object) =>
  'QueueUrl' in input ? { ...input, QueueUrl: `${process.env.AWS_ENDPOINT_URL}${input.QueueUrl}` } : input;
const otherClients = (name: string) =>
  [{ ...sdkSqs, ...sdkSecrets }, light].map((library: Any) => [library, new library[name]({ maxAttempts: 1 })] as Any);

describe('requests of the light client', () => {
  const expectSame = () => {
    const [theirs, mine] = seen as [Seen, Seen];
    expect(mine.body).toEqual(theirs.body);
    const told = ({ url, method, headers }: Seen) => [
      method,
      url,
      headers.host,
      headers['x-amz-target'],
      headers['content-type'],
      headers['content-length'],
      headers['x-amz-security-token'],
    ];
    expect(told(mine)).toEqual(told(theirs));
  };

  it.each(COMMANDS)('%s is what the SDK sends', async (name, input) => {
    for (const [library, client] of documentClients()) await client.send(new library[name](input));
    expectSame();
  });

  it.each(WIRE_COMMANDS)(
    '%s of items in wire format is sent as it is by the document client too',
    async (name, input) => {
      const wire = { pk: { S: 'a' }, n: { N: '12345678901234567890' } };
      answers = [{ body: name === 'ScanCommand' ? { Items: [wire] } : { Responses: { [TableName]: [wire] } } }];
      const read: object[] = [];
      for (const [at, [, client]] of documentClients().entries()) {
        const { $metadata: _own, ...rest } = await client.send(new ([sdk, light][at] as Any)[name](input));
        read.push(rest);
      }
      expect(read[1]).toEqual(read[0]);
      expectSame();
    },
  );

  it.each(OTHER_COMMANDS)('%s: %s is what the SDK sends, and the answer what it reads', async (client, name, input) => {
    const body: object = ANSWERS[name] ?? {};
    answers = [{ body }];
    for (const [library, each] of otherClients(client)) {
      const { $metadata: _own, ...read } = await each.send(new library[name](addressed(input)));
      expect(read).toEqual(body);
    }
    expectSame();
  });

  it.each(OTHER_COMMANDS)('%s: %s that is refused is an error of the same name', async (client, name, input) => {
    answers = [{ status: 400, body: { __type: 'com.amazonaws.any#AccessDeniedException', message: 'no' } }];
    for (const [library, each] of otherClients(client)) {
      await expect(each.send(new library[name](addressed(input)))).rejects.toMatchObject({
        name: 'AccessDeniedException',
      });
    }
  });

  it('carry the signature that the SDK computes for the same headers', async () => {
    await ourClient().send(new ours.GetItemCommand({ TableName, Key: { pk: { S: 'ü' } } }));
    const [{ headers, body }] = seen as [Seen];
    const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
    expect(signed).toEqual(expect.arrayContaining(['host', 'x-amz-date', 'x-amz-security-token', 'x-amz-target']));
    const signer = new SignatureV4({
      credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
      region: 'eu-central-1',
      service: 'dynamodb',
      sha256: Sha256,
      applyChecksum: false,
    });
    const date = String(headers['x-amz-date']).replace(/^(....)(..)(..T..)(..)(.*)$/, '$1-$2-$3:$4:$5');
    const again = await signer.sign(
      {
        ...{ method: 'POST', protocol: 'http:', path: '/', query: {}, hostname: '127.0.0.1' },
        headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
        body: JSON.stringify(body),
      },
      { signingDate: new Date(date), signableHeaders: new Set(signed) },
    );
    const signatureOf = (text = '') => /Signature=(\w+)/.exec(text)?.[1];
    expect(signatureOf(headers.authorization)).toBe(signatureOf(again.headers.authorization));
  });

  it('carries the same signature for a path and a query, as S3 wants them', async () => {
    const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
    const endpoint = String(process.env.AWS_ENDPOINT_URL);
    const send = signedRequests(
      { service: 's3', region: 'eu-central-1', endpoint, credentials },
      { connectionTimeout: 5_000 },
    );
    await send({
      method: 'POST',
      path: "/bucket/a%20(b)'?prefix=dt%3D1%2F*&delete&list-type=2",
      headers: {},
      body: '{}',
    });
    const [{ headers }] = seen as [Seen];
    const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
    const signer = new SignatureV4({
      ...{ credentials, region: 'eu-central-1', service: 's3', sha256: Sha256, uriEscapePath: false },
    });
    const date = String(headers['x-amz-date']).replace(/^(....)(..)(..T..)(..)(.*)$/, '$1-$2-$3:$4:$5');
    const again = await signer.sign(
      {
        ...{ method: 'POST', protocol: 'http:', path: '/bucket/a%20%28b%29%27', hostname: '127.0.0.1', body: '{}' },
        query: { 'list-type': '2', prefix: 'dt=1/*', delete: '' },
        headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
      },
      { signingDate: new Date(date), signableHeaders: new Set(signed) },
    );
    const signatureOf = (text = '') => /Signature=(\w+)/.exec(text)?.[1];
    expect(signatureOf(headers.authorization)).toBe(signatureOf(again.headers.authorization));
  });
});

describe('answers to the light client', () => {
  const wire = { pk: { S: 'a' }, n: { N: '7' }, b: { B: 'AQI=' }, l: { L: [{ NULL: true }] }, s: { SS: ['x'] } };
  it.each([
    ['GetCommand', { TableName, Key }, { Item: wire }],
    ['UpdateCommand', update, { Attributes: wire }],
    ['QueryCommand', { TableName }, { Items: [wire, wire], Count: 2, LastEvaluatedKey: { pk: { S: 'a' } } }],
    ['GetCommand', { TableName, Key }, {}],
    [
      'BatchGetCommand',
      { RequestItems: { [TableName]: { Keys: [Key] } } },
      { Responses: { [TableName]: [wire] }, UnprocessedKeys: { [TableName]: { Keys: [{ pk: { S: 'a' } }] } } },
    ],
  ])('of %s are read as the SDK reads them', async (name, input, body) => {
    answers = [{ body }];
    const read: object[] = [];
    for (const [library, client] of documentClients()) {
      const { $metadata: _own, ...rest } = await client.send(new library[name](input));
      read.push(rest);
    }
    expect(read[1]).toEqual(read[0]);
  });

  it('that refuse are errors of the same class, with the item as it was', async () => {
    answers = [error('ConditionalCheckFailedException', { Item: { pk: { S: 'a' } } })];
    const refused = await ourClient()
      .send(new ours.PutItemCommand({}))
      .catch((caught) => caught);
    expect(refused).toBeInstanceOf(ours.ConditionalCheckFailedException);
    expect(refused).toMatchObject({ name: 'ConditionalCheckFailedException', message: 'no', Item: { pk: { S: 'a' } } });
    const CancellationReasons = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }];
    answers = [error('TransactionCanceledException', { CancellationReasons })];
    const cancelled = await ourClient()
      .send(new ours.PutItemCommand({}))
      .catch((caught) => caught);
    expect(cancelled).toBeInstanceOf(ours.TransactionCanceledException);
    expect(cancelled).toMatchObject({ CancellationReasons, $metadata: { httpStatusCode: 400, requestId: 'id-1' } });
  });

  it('that nobody can read are errors with their status', async () => {
    answers = [{ status: 502, body: '<html>' }];
    await expect(ourClient().send(new ours.GetItemCommand({}))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 502 },
    });
  });
});

describe('retries of the light client', () => {
  const send = (maxAttempts: number) => ourClient({ maxAttempts }).send(new ours.GetItemCommand({}));

  it.each<[string, Answer]>([
    ['throttling', error('ProvisionedThroughputExceededException')],
    ['a fault of DynamoDB', { status: 500, body: { __type: 'InternalServerError' } }],
    ['a connection that breaks', { body: {}, hangUp: true }],
  ])('follow %s', async (_what, fault) => {
    answers = [fault, { body: { Item: {} } }];
    expect(await send(2)).toEqual({ Item: {} });
    expect(seen).toHaveLength(2);
  });

  it('do not follow a refusal, and never come from a client that sends once', async () => {
    answers = [error('ConditionalCheckFailedException')];
    await expect(send(3)).rejects.toThrow('no');
    answers = [error('ThrottlingException')];
    await expect(send(1)).rejects.toThrow('no');
    expect(seen).toHaveLength(2);
  });

  it('end with the last attempt', async () => {
    answers = [error('ThrottlingException')];
    await expect(send(2)).rejects.toMatchObject({ name: 'ThrottlingException' });
    expect(seen).toHaveLength(2);
  });
});

describe('the patience of the light client', () => {
  it('ends a call that gets no answer', async () => {
    answers = [{ body: {}, hang: true }];
    const requestHandler = { connectionTimeout: 5_000, requestTimeout: 20 };
    const call = ourClient({ requestHandler }).send(new ours.GetItemCommand({}));
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('ends a call that is aborted, before or while it runs, and does not retry it', async () => {
    answers = [{ body: {}, hang: true }];
    const client = ourClient({ maxAttempts: 3 });
    await expect(client.send(new ours.GetItemCommand({}), { abortSignal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    const controller = new AbortController();
    const call = client.send(new ours.GetItemCommand({}), { abortSignal: controller.signal });
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(seen).toHaveLength(1);
  });
});
