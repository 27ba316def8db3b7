import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { PUBLIC_PSEUDONYMS } from '../../../../shared/runtime/stand-ins/screening-stand-ins';
import { labelReader } from '../../../../shared/store/models/label-store';
import { traceStore } from '../../../../shared/store/personal-data/trace-store';
import { abortAfter, insist, reach, type Table } from '../../../../shared/store/sdk/client';
import { numberedParams } from '../../../../shared/store/sdk/numbered-update';
import { s3ObjectStore } from '../../../../shared/store/sdk/object-store';
import { type ReadPace, readPace } from '../../../../shared/store/sdk/read-pace';

describe('insist', () => {
  const named = (name: string): Error => Object.assign(new Error(name), { name });

  /** A call that fails with these errors, one after another, and then succeeds. */
  function failing(...errors: readonly string[]) {
    const left = [...errors];
    let calls = 0;
    const call = async (): Promise<string> => {
      calls++;
      const error = left.shift();
      if (error !== undefined) throw named(error);
      return 'written';
    };
    return { call, calls: () => calls };
  }

  describe('a write that a request stands or falls with', () => {
    it('is sent once more when it was refused for load', async () => {
      const { call, calls } = failing('ProvisionedThroughputExceededException');
      expect(await reach(() => insist(1_000, call))).toBe('written');
      expect(calls()).toBe(2);
    });

    it('is not sent a third time', async () => {
      const { call, calls } = failing('ThrottlingException', 'ThrottlingException', 'ThrottlingException');
      await expect(reach(() => insist(1_000, call))).rejects.toMatchObject({ code: 'unavailable' });
      expect(calls()).toBe(2);
    });

    it.each(['TimeoutError', 'InternalServerError', 'ECONNRESET', 'ConditionalCheckFailedException'])(
      'is not repeated after %s, when it may have been carried out',
      async (name) => {
        const { call, calls } = failing(name);
        await expect(insist(1_000, call)).rejects.toThrow(name);
        expect(calls()).toBe(1);
      },
    );

    it('shares one limit between both', async () => {
      const call = ({ abortSignal }: { readonly abortSignal: AbortSignal }): Promise<string> =>
        new Promise((_, reject) => {
          abortSignal.addEventListener('abort', () => reject(named('AbortError')));
        });
      await expect(insist(1, call)).rejects.toThrow('AbortError');
    });
  });
});

describe('a pace of reads', () => {
  function paced(unitsPerSecond: number) {
    const waits: number[] = [];
    const clock = { ms: 5_000 };
    const wait = async (ms: number): Promise<void> => void waits.push(ms);
    return { waits, clock, pace: readPace(unitsPerSecond, { now: () => clock.ms }, wait) };
  }

  it('is one for all that read at the same time', async () => {
    const { waits, clock, pace } = paced(100);
    await Promise.all([pace(50), pace(50), pace(25)]);
    clock.ms += 10_000;
    await pace(50);
    expect(waits).toEqual([500, 1_000, 1_250, 500]);
  });

  it('holds up nobody where reads are paid per request', async () => {
    const { waits, pace } = paced(Number.POSITIVE_INFINITY);
    await pace(1_000);
    expect(waits).toEqual([0]);
  });

  it.each([
    [
      'a walk of erasures',
      (table: Table, pace: ReadPace) => traceStore(table, pace).page([], PUBLIC_PSEUDONYMS, undefined, 0),
    ],
    ['training', (table: Table, pace: ReadPace) => labelReader(table, { pace }).storedInMonth('acc_1', '2026-05')],
  ])('is kept by %s, by what DynamoDB says it took', async (_name, read) => {
    const taken: number[] = [];
    const send = async ({ input }: { input: { ReturnConsumedCapacity?: string } }) => {
      expect(input.ReturnConsumedCapacity).toBe('TOTAL');
      return { Items: [], ConsumedCapacity: { CapacityUnits: 128 } };
    };
    const table = { client: { send }, name: 'table' } as unknown as Table;
    await read(table, async (units) => taken.push(units));
    expect(taken).toEqual([128]);
  });
});

describe('object store', () => {
  /** The request that a client put on the wire. */
  interface Seen {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
  }

  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'token' };
  const KEY = 'models/m 1+ü/metadata.json';
  let server: Server;
  let endpoint: string;
  let answer: { status: number; headers?: Record<string, string>; body?: string };
  let seen: Seen[];

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    seen = [];
    answer = { status: 200, headers: { etag: '"tag"' } };
  });

  const address = { bucket: 'models', region: 'eu-central-1', credentials };
  const ours = () => s3ObjectStore({ ...address, endpoint });

  describe('requests to S3', () => {
    const sdk = () => new S3Client({ region: address.region, credentials, endpoint, forcePathStyle: true });
    const scopeOf = ({ headers }: Seen) => /Credential=[^/]+\/\d+\/(\S+),/.exec(headers.authorization ?? '')?.[1];

    it('are those that the SDK would send', async () => {
      await ours().get(KEY, '"known"');
      await sdk().send(new GetObjectCommand({ Bucket: 'models', Key: KEY, IfNoneMatch: '"known"' }));
      await ours().put(KEY, '{}', { etag: '"known"' });
      await sdk().send(new PutObjectCommand({ Bucket: 'models', Key: KEY, Body: '{}', IfMatch: '"known"' }));
      const [get, theirGet, put, theirPut] = seen as [Seen, Seen, Seen, Seen];
      for (const [mine, theirs] of [
        [get, theirGet],
        [put, theirPut],
      ] as const) {
        expect(mine.method).toBe(theirs.method);
        expect(mine.url).toBe(theirs.url.split('?')[0]);
        expect(mine.headers.host).toBe(theirs.headers.host);
        expect(scopeOf(mine)).toBe(scopeOf(theirs));
        expect(mine.headers['x-amz-security-token']).toBe('token');
        expect(mine.headers['if-none-match']).toBe(theirs.headers['if-none-match']);
        expect(mine.headers['if-match']).toBe(theirs.headers['if-match']);
        expect(mine.headers['x-amz-content-sha256']).toMatch(/^[0-9a-f]{64}$/);
      }
      expect(put.body).toBe('{}');
    });

    it('carry the signature that the SDK computes for the same headers', async () => {
      await ours().get('registry.json');
      const [{ headers, url }] = seen as [Seen];
      const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
      expect(signed).toEqual(expect.arrayContaining(['host', 'x-amz-content-sha256', 'x-amz-date']));
      // The SDK's own signer, handed the headers that arrived and the moment they were signed at.
      const { signer } = sdk().config as unknown as {
        signer: () => Promise<{ sign: (r: object, o: object) => unknown }>;
      };
      const again = (await (
        await signer()
      ).sign(
        {
          method: 'GET',
          protocol: 'http:',
          hostname: '127.0.0.1',
          path: url,
          query: {},
          headers: { host: headers.host },
        },
        { signingDate: dateOf(String(headers['x-amz-date'])) },
      )) as { headers: Record<string, string> };
      expect(again.headers.authorization).toBe(headers.authorization);
    });
  });

  const dateOf = (compact: string) =>
    new Date(compact.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

  describe('answers of S3', () => {
    it('unchanged, absent, and refused conditions are answers', async () => {
      answer = { status: 304 };
      expect(await ours().get(KEY, '"known"')).toBe('unchanged');
      answer = { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
      expect(await ours().get(KEY)).toBeUndefined();
      for (const status of [404, 409, 412]) {
        answer = { status };
        expect(await ours().put(KEY, 'x', { etag: '"old"' })).toBe(false);
      }
    });

    it('a refusal names what was asked; a fault of S3 may be tried again', async () => {
      answer = { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' };
      await expect(ours().get('registry.json')).rejects.toThrow('S3 answered GET registry.json with 403 AccessDenied');
      answer = { status: 503, body: '<Error><Code>SlowDown</Code></Error>' };
      await expect(ours().put('registry.json', 'x')).rejects.toMatchObject({ code: 'unavailable' });
      answer = { status: 412 };
      await expect(ours().put('registry.json', 'x')).rejects.toThrow(/412/);
    });
  });

  it('reaches the bucket by its own host name in AWS', async () => {
    const lost = s3ObjectStore({ ...address, bucket: 'no-such-bucket', region: 'invalid-region' });
    await expect(lost.get('registry.json')).rejects.toThrow(/no-such-bucket\.s3\.invalid-region\.amazonaws\.com/);
  });
});

describe('sdk assumptions', () => {
  /*
   * Behaviour of the SDK that store/sdk relies on beyond its documentation. A test that fails after an upgrade names the
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
    await new DynamoDBClient(config ?? {}).send(
      new UpdateItemCommand({ ...UPDATE, ...(params as object) } as ConstructorParameters<typeof UpdateItemCommand>[0]),
    );
    const sent = JSON.parse(calls[0]?.body ?? '{}');
    expect(sent.ExpressionAttributeNames).toEqual({ '#0': 'f', '#1': 'l', '#2': 'x' });
    expect(sent.ExpressionAttributeValues).toEqual({ ':0': { N: '1' }, ':1': { N: '2' } });
    expect(sent.UpdateExpression).toBe('SET #0 = if_not_exists(#0, :0) ADD #1 :1 REMOVE #2');
  });

  describe('client', () => {
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
  });
});
