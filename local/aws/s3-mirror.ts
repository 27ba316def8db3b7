import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AwsClient } from '../backends/aws-client';
import { readJsonFile, writeJsonFile } from '../json-file';
import type { AwsRequest } from './call';
import { deletedKeys, s3Target } from './s3-actions';

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
