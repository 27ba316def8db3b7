import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AwsClient } from '../backends/aws-client';
import { readJsonFile, writeJsonFile } from '../data-directory';
import type { AccessRequest } from '../iam/roles';
import { AwsError, type AwsRequest } from './call';

export interface S3Target {
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
}

export function s3Target(url: string): S3Target {
  const [path = '', query = ''] = url.split('?', 2);
  const [bucket = '', ...key] = path.slice(1).split('/');
  return {
    bucket: decodeURIComponent(bucket),
    key: decodeURIComponent(key.join('/')),
    query: new URLSearchParams(query),
  };
}

export const bucketArn = (bucket: string): string => `arn:aws:s3:::${bucket}`;

const BUCKET_ACTIONS: Readonly<Record<string, string>> = {
  GET: 'ListBucket',
  HEAD: 'ListBucket',
  PUT: 'CreateBucket',
  DELETE: 'DeleteBucket',
};

const unescapeXml = (text: string): string =>
  text.replace(
    /&(lt|gt|quot|apos|amp);/g,
    (_all, name: string) => ({ lt: '<', gt: '>', quot: '"', apos: "'" })[name] ?? '&',
  );

export const deletedKeys = (body: Buffer): readonly string[] =>
  [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => unescapeXml(key));

function objectAction(method: string, query: URLSearchParams): string {
  if (method === 'DELETE') return query.has('uploadId') ? 'AbortMultipartUpload' : 'DeleteObject';
  if (method === 'GET' || method === 'HEAD') return query.has('versionId') ? 'GetObjectVersion' : 'GetObject';
  return 'PutObject';
}

/** The permissions of a path-style S3 request: on objects for objects, on the bucket for listings. */
export function s3Access({ method, url, headers, body }: AwsRequest): readonly AccessRequest[] {
  const { bucket, key, query } = s3Target(url);
  if (!bucket) return [{ action: 's3:ListAllMyBuckets', resource: '*' }];
  const object = (name: string): string => `${bucketArn(bucket)}/${name}`;
  if (!key) {
    if (method === 'POST' && query.has('delete')) {
      return deletedKeys(body).map((name) => ({ action: 's3:DeleteObject', resource: object(name) }));
    }
    const prefix = query.get('prefix');
    const context = () => (prefix === null ? {} : { 's3:prefix': [prefix] });
    return [{ action: `s3:${BUCKET_ACTIONS[method] ?? method}`, resource: bucketArn(bucket), context }];
  }
  const own: AccessRequest = { action: `s3:${objectAction(method, query)}`, resource: object(key) };
  const source = headers['x-amz-copy-source'];
  if (typeof source !== 'string') return [own];
  const from = s3Target(source.startsWith('/') ? source : `/${source}`);
  return [own, { action: 's3:GetObject', resource: `${bucketArn(from.bucket)}/${from.key}` }];
}

/** Executes a request if its condition holds; requests without one are executed at once. */
export type WhenConditionHolds = <T>(request: AwsRequest, carryOut: () => Promise<T>) => Promise<T>;

/**
 * Conditional writes, which S3 has and fauxqs ignores: `If-None-Match: *` and `If-Match` on PUT. Writes to one object
 * queue up, so that of two with the same condition exactly one succeeds.
 */
export function s3Conditions(client: AwsClient): WhenConditionHolds {
  const queues = new Map<string, Promise<unknown>>();
  const headers = { authorization: client.authorization('s3') };

  async function check({ url, headers: asked }: AwsRequest): Promise<void> {
    const path = url.split('?', 1)[0] ?? url;
    const { status, headers: found } = await client.send({ method: 'HEAD', path, headers });
    const etag = status === 200 ? found.etag : undefined;
    const wanted = asked['if-match'];
    if (wanted !== undefined && etag === undefined) {
      throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
    }
    if ((wanted !== undefined && wanted !== etag) || (asked['if-none-match'] === '*' && etag !== undefined)) {
      const message = 'At least one of the pre-conditions you specified did not hold';
      throw new AwsError('PreconditionFailed', message, 412);
    }
  }

  return async (request, carryOut) => {
    const isConditional = 'if-match' in request.headers || 'if-none-match' in request.headers;
    const { bucket, key } = s3Target(request.url);
    if (request.method !== 'PUT' || !key) return carryOut();
    const name = `${bucket}/${key}`;
    const before = queues.get(name) ?? Promise.resolve();
    const mine = before.then(async () => {
      if (isConditional) await check(request);
      return carryOut();
    });
    const settled = mine.catch(() => undefined);
    queues.set(name, settled);
    try {
      return await mine;
    } finally {
      if (queues.get(name) === settled) queues.delete(name);
    }
  };
}

interface Stored {
  readonly bucket: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Keeps the objects of the in-memory S3 on disk, so that they survive a restart as they would in AWS. */
export interface S3Mirror {
  /** To be awaited before a successful change is answered. */
  changed(request: AwsRequest): Promise<void>;
  restore(): Promise<void>;
}

const KEPT = /^(?:content-(?:type|encoding|disposition|language)|cache-control|x-amz-meta-.+)$/;

const pathOf = (bucket: string, key: string): string =>
  `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;

export function s3Mirror(directory: string, client: AwsClient): S3Mirror {
  // Keys may be longer than file names and hold any character: the file is named by the hash.
  const fileOf = (bucket: string, key: string): string =>
    join(directory, createHash('sha256').update(`${bucket}/${key}`).digest('hex'));
  const headers = { authorization: client.authorization('s3') };

  const remove = (bucket: string, key: string): void => {
    const file = fileOf(bucket, key);
    rmSync(`${file}.bin`, { force: true });
    rmSync(`${file}.json`, { force: true });
  };

  // Reading the object back covers chunked, multipart and copied uploads with one rule.
  const save = async (bucket: string, key: string): Promise<void> => {
    const reply = await client.send({ method: 'GET', path: pathOf(bucket, key), headers });
    if (reply.status !== 200) return;
    const kept = Object.entries(reply.headers).filter(([name]) => KEPT.test(name)) as [string, string][];
    mkdirSync(directory, { recursive: true });
    writeFileSync(`${fileOf(bucket, key)}.bin`, reply.body, { mode: 0o600 });
    writeJsonFile(`${fileOf(bucket, key)}.json`, { bucket, key, headers: Object.fromEntries(kept) });
  };

  return {
    changed: async (request) => {
      const { bucket, key, query } = s3Target(request.url);
      if (request.method === 'GET' || request.method === 'HEAD') return;
      if (!key) {
        if (query.has('delete')) for (const deleted of deletedKeys(request.body)) remove(bucket, deleted);
      } else if (request.method === 'DELETE') {
        if (!query.has('uploadId')) remove(bucket, key);
      } else if (!query.has('partNumber') && !query.has('uploads')) {
        await save(bucket, key);
      }
    },
    restore: async () => {
      mkdirSync(directory, { recursive: true });
      for (const name of readdirSync(directory).filter((file) => file.endsWith('.json'))) {
        const stored = readJsonFile<Stored | undefined>(join(directory, name), undefined);
        if (!stored) continue;
        const body = readFileSync(join(directory, name.replace(/json$/, 'bin')));
        await client.send({
          method: 'PUT',
          path: pathOf(stored.bucket, stored.key),
          headers: { ...headers, ...stored.headers, 'content-length': body.length },
          body,
        });
      }
    },
  };
}
