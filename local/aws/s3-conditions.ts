import type { AwsClient } from '../backends/aws-client';
import { AwsError, type AwsRequest } from './call';
import { s3Target } from './s3-actions';

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
