import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { Md5 as TheirMd5, Sha256 as TheirSha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { abortAfter, NEEDLESS, openOnceClient, openTable } from '../../../../shared/store/sdk/client';
import { Md5, Sha256 } from '../../../../shared/store/sdk/node-checksums';
import { numberedParams } from '../../../../shared/store/sdk/numbered-update';
import { speakPlainly } from '../../../../shared/store/sdk/plain-protocol';

/*
 * What store/sdk takes for granted about the SDK beyond its documentation. A test that fails after an upgrade names the
 * trick to look at: the service may still work, but slower, or not at all.
 */

interface Call {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server in DynamoDB's place: records calls, and answers what the test says. */
let answer: { status: number; body: object } = { status: 200, body: {} };
const calls: Call[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on('end', () => {
    calls.push({ headers: request.headers, body });
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'req-1' });
    response.end(JSON.stringify(answer.body));
  });
});

let config: ConstructorParameters<typeof DynamoDBClient>[0];
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  config = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  };
  process.env.AWS_REGION ??= 'us-east-1';
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answer = { status: 200, body: {} };
  calls.length = 0;
});

const ITEM = { pk: { S: 'a' }, n: { N: '12345678901234567890123456789012345678' }, u: { SS: ['x', 'y'] } };
const UPDATE = {
  TableName: 'table',
  Key: { pk: { S: 'a' } },
  ReturnValues: 'ALL_OLD',
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
} as const;

describe('plain-protocol', () => {
  it('sends the bytes that the SDK itself would send, correctly signed and measured', async () => {
    const command = () =>
      new UpdateItemCommand({
        ...UPDATE,
        UpdateExpression: 'SET #0 = :0',
        ExpressionAttributeNames: { '#0': 'é' },
        ExpressionAttributeValues: { ':0': { N: '1' } },
      });
    await new DynamoDBClient(config ?? {}).send(command());
    await speakPlainly(new DynamoDBClient(config ?? {})).send(command());
    const [theirs, ours] = calls as [Call, Call];
    expect(JSON.parse(ours.body)).toEqual(JSON.parse(theirs.body));
    expect(ours.headers['content-length']).toBe(String(Buffer.byteLength(ours.body)));
    for (const name of ['x-amz-target', 'content-type']) expect(ours.headers[name]).toBe(theirs.headers[name]);
    // A signature made before the body was put in would be that of `{}`, and DynamoDB would refuse it.
    for (const call of [theirs, ours]) expect(call.headers.authorization).toBe(await signatureOf(call));
    expect(ours.headers.authorization).not.toBe(await signatureOf({ ...ours, body: '{}' }));
  });

  it('reads an answer as the SDK does', async () => {
    answer = { status: 200, body: { Item: ITEM } };
    const get = () => new GetItemCommand({ TableName: 'table', Key: { pk: { S: 'a' } } });
    const theirs = await new DynamoDBClient(config ?? {}).send(get());
    const ours = await speakPlainly(new DynamoDBClient(config ?? {})).send(get());
    expect(ours.Item).toEqual(theirs.Item);
    expect(ours.$metadata.httpStatusCode).toBe(200);
    expect(ours.$metadata.requestId).toBe('req-1');
  });

  it('leaves errors to the SDK: a refused condition is its exception and carries the item as it was', async () => {
    const __type = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException';
    answer = { status: 400, body: { __type, message: 'The conditional request failed', Item: ITEM } };
    const failed = await speakPlainly(new DynamoDBClient(config ?? {}))
      .send(new UpdateItemCommand(UPDATE))
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ConditionalCheckFailedException);
    expect((failed as ConditionalCheckFailedException).Item).toEqual(ITEM);
  });
});

it('document client: what a refused condition carries stays as DynamoDB sent it', async () => {
  const __type = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException';
  answer = { status: 400, body: { __type, message: 'The conditional request failed', Item: ITEM } };
  const failed = await DynamoDBDocumentClient.from(new DynamoDBClient(config ?? {}))
    .send(new PutCommand({ TableName: 'table', Item: { pk: 'a' }, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }))
    .catch((error: unknown) => error);
  expect((failed as ConditionalCheckFailedException).Item).toEqual(ITEM);
});

it('numbered-update: members without a value do not reach the wire', async () => {
  const params = numberedParams(
    { names: ['f', 'l', 'x'], values: [{ N: '1' }, { N: '2' }], sets: 1, adds: 1, once: 0 },
    'attribute_not_exists(#0)',
  );
  await speakPlainly(new DynamoDBClient(config ?? {})).send(
    new UpdateItemCommand({ ...UPDATE, ...(params as object) } as ConstructorParameters<typeof UpdateItemCommand>[0]),
  );
  const sent = JSON.parse(calls[0]?.body ?? '{}');
  expect(sent.ExpressionAttributeNames).toEqual({ '#0': 'f', '#1': 'l', '#2': 'x' });
  expect(sent.ExpressionAttributeValues).toEqual({ ':0': { N: '1' }, ':1': { N: '2' } });
  expect(sent.UpdateExpression).toBe('SET #0 = if_not_exists(#0, :0) ADD #1 :1 REMOVE #2');
});

describe('client', () => {
  it('the middleware that is left out exists by these names, and is gone from ours', () => {
    const names = (client: { middlewareStack: { identify(): string[] } }) =>
      client.middlewareStack.identify().map((text) => text.split(' ')[0]);
    const theirs = names(new DynamoDBClient(config ?? {}));
    for (const name of NEEDLESS) expect(theirs).toContain(name);
    for (const client of [openOnceClient(), openTable('table').client]) {
      for (const name of NEEDLESS) expect(names(client)).not.toContain(name);
    }
  });

  it('a call that is aborted does not go on', async () => {
    answer = { status: 200, body: {} };
    const client = new DynamoDBClient(config ?? {});
    const aborted = abortAfter(0, async (options) => {
      await new Promise((resolve) => options.abortSignal.addEventListener('abort', resolve));
      return client.send(new GetItemCommand({ TableName: 'table', Key: { pk: { S: 'a' } } }), options);
    });
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
    expect(calls).toEqual([]);
  });

  it('the middleware of a command is made once per client, and then reused', async () => {
    const client = new DynamoDBClient({ ...config, cacheMiddleware: true });
    const command = () => new GetItemCommand({ TableName: 'table', Key: { pk: { S: 'a' } } });
    let made = 0;
    client.middlewareStack.add(
      (next) => {
        made++;
        return next;
      },
      { step: 'build', name: 'countMade' },
    );
    for (let call = 0; call < 3; call++) await client.send(command());
    expect(made).toBe(1);
    expect(calls).toHaveLength(3);
  });
});

describe('node-checksums', () => {
  it.each([
    ['Sha256', new TheirSha256(), new Sha256()],
    ['Md5', new TheirMd5(), new Md5()],
  ])('%s is a name of the module that it stands in for, with the same result', async (_name, theirs, ours) => {
    for (const each of [theirs, ours]) each.update(Buffer.from('käse'));
    expect(Buffer.from(await ours.digest())).toEqual(Buffer.from(await theirs.digest()));
  });

  it('a keyed hash is an HMAC', async () => {
    const keyed = new Sha256('secret');
    keyed.update('text');
    expect(Buffer.from(await keyed.digest())).toEqual(createHmac('sha256', 'secret').update('text').digest());
  });
});

/** The header that AWS would compute from what it received. */
async function signatureOf({ headers, body }: Call): Promise<string | undefined> {
  const [, names = ''] = /SignedHeaders=([^,]*)/.exec(headers.authorization ?? '') ?? [];
  const date = `${headers['x-amz-date']}`.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
  const signer = new SignatureV4({
    credentials,
    region: 'us-east-1',
    service: 'dynamodb',
    sha256: Sha256,
  });
  const signed = await signer.sign(
    {
      ...{ method: 'POST', protocol: 'http:', hostname: '127.0.0.1', path: '/', query: {}, body },
      // The hash of the body is computed anew, and becomes part of what is signed.
      headers: Object.fromEntries(
        names
          .split(';')
          .filter((name) => name !== 'x-amz-content-sha256')
          .map((name) => [name, `${headers[name]}`]),
      ),
    },
    { signingDate: new Date(date) },
  );
  return signed.headers.authorization;
}
