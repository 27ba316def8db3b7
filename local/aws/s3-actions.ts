import type { AccessRequest } from '../iam/evaluate';
import type { AwsRequest } from './call';

/** Where a path-style request points. */
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

/** The keys of a DeleteObjects body. */
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
