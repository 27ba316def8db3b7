import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { unavailable } from '../../domain/errors';
import { type ServiceAddress, signedRequests } from './signed-requests';

export interface StoredObject {
  readonly body: Uint8Array;
  readonly etag: string;
}

export type WriteCondition = { readonly absent: true } | { readonly etag: string };

export interface ObjectStore {
  /** 'unchanged' only if an ETag was given and still matches; undefined if there is no such object. */
  get(key: string, knownEtag?: string): Promise<StoredObject | 'unchanged' | undefined>;
  /** Whether it was written; false if the condition did not hold. */
  put(key: string, body: Uint8Array | string, condition?: WriteCondition): Promise<boolean>;
}

export interface BucketAddress {
  readonly bucket: string;
  readonly region: string;
  /** The endpoint of an emulator, which then takes the bucket in the path. @default S3 of the region */
  readonly endpoint?: string | undefined;
  /** @default those of the environment; in a bundle, from its variables only */
  readonly credentials?: ServiceAddress['credentials'] | undefined;
}

/** S3 by signed requests of our own: the SDK's client would add 160 kB to a screening function for one GET. */
export function s3Requests({ bucket, region, endpoint, credentials = defaultProvider() }: BucketAddress) {
  // No request timeout: callers that must not wait limit their own waiting.
  const request = signedRequests(
    { service: 's3', region, endpoint: endpoint ?? `https://${bucket}.s3.${region}.amazonaws.com`, credentials },
    { connectionTimeout: 2_000 },
  );
  const prefix = endpoint ? `/${bucket}/` : '/';

  /** With a query, the key is that of the bucket: the empty one. */
  return async (
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    { headers = {}, body, query = '' }: { headers?: Record<string, string>; body?: Uint8Array; query?: string } = {},
  ) => {
    const path = prefix + key.split('/').map(encodeURIComponent).join('/') + query;
    const { status, headers: said, body: bytes } = await request({ method, path, headers, ...(body && { body }) });
    return { status, etag: said.etag ?? '', body: bytes };
  };
}

export function s3ObjectStore(address: BucketAddress): ObjectStore {
  const send = s3Requests(address);
  return {
    get: async (key, knownEtag) => {
      const { status, etag, body } = await send(
        'GET',
        key,
        knownEtag ? { headers: { 'if-none-match': knownEtag } } : {},
      );
      if (status === 304) return 'unchanged';
      if (status === 404) return undefined;
      if (status !== 200) throw refusal('GET', key, status, body);
      return { body, etag };
    },
    put: async (key, body, condition) => {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      const headers = { 'Content-Type': 'application/octet-stream', ...conditionHeaders(condition) };
      const { status, body: answer } = await send('PUT', key, { headers, body: bytes });
      // 409: another conditional write at the same moment; 404: the object with the ETag is gone.
      if (condition && [404, 409, 412].includes(status)) return false;
      if (status !== 200) throw refusal('PUT', key, status, answer);
      return true;
    },
  };
}

function conditionHeaders(condition: WriteCondition | undefined): Record<string, string> {
  if (!condition) return {};
  return 'absent' in condition ? { 'if-none-match': '*' } : { 'if-match': condition.etag };
}

export function refusal(method: string, key: string, status: number, body: Buffer): Error {
  const [, code = ''] = /<Code>([^<]*)<\/Code>/.exec(body.toString()) ?? [];
  const error = new Error(`S3 answered ${method} ${key} with ${status} ${code}`.trim());
  return status >= 500 || code === 'SlowDown' ? unavailable(error) : error;
}
