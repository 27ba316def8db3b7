import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { s3ObjectStore } from '../../../../shared/store/sdk/object-store';

/** What a client put on the wire. */
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
