import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type AwsAnswer, AwsError, type AwsRequest } from './call';
import { s3Target } from './s3-actions';

const MOST_LISTED = 1_000;

/** The keys of the files in a folder, in the order of S3. */
export const keysIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();

/** The bucket that the local Firehose writes to: files in a folder, where DuckDB and people find them. */
export function warehouseBucket(folder: string) {
  mkdirSync(folder, { recursive: true });
  const xml = (body: string): AwsAnswer => ({ status: 200, headers: { 'content-type': 'application/xml' }, body });
  return (request: AwsRequest): AwsAnswer => {
    const { key, query } = s3Target(request.url);
    const path = join(folder, key);
    if (relative(folder, path).startsWith('..')) throw new AwsError('AccessDenied', 'Outside of the bucket.', 403);
    if (key === '') {
      const [prefix, after] = [query.get('prefix') ?? '', query.get('start-after') ?? ''];
      const keys = keysIn(folder).filter((each) => each.startsWith(prefix) && each > after);
      const listed = keys.slice(0, MOST_LISTED).map((each) => {
        const modified = statSync(join(folder, each)).mtime.toISOString();
        return `<Contents><Key>${each}</Key><LastModified>${modified}</LastModified></Contents>`;
      });
      return xml(`<ListBucketResult>${listed.join('')}</ListBucketResult>`);
    }
    if (request.method === 'PUT') {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, request.body);
      return { status: 200, headers: { etag: '"local"' }, body: '' };
    }
    if (request.method === 'DELETE') {
      rmSync(path, { force: true });
      return { status: 204, headers: {}, body: '' };
    }
    if (!keysIn(folder).includes(key)) throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
    return { status: 200, headers: { etag: '"local"' }, body: readFileSync(path) };
  };
}
