import type { IncomingHttpHeaders } from 'node:http';
import type { AccessRequest } from '../iam/evaluate';

/** An SDK request as it arrived at the front. */
export interface AwsRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** What the front works out about a request before it is authorized. */
export interface AwsCall {
  readonly service: string;
  readonly operation: string;
  /** Every permission that AWS would ask for. */
  readonly access: readonly AccessRequest[];
  /** The parsed body of the JSON protocols, for faults and services answered here. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** A response made on this machine, not by a backend. */
export interface AwsAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A refusal in the words of the service: `type` is the SDK's error name. */
export class AwsError extends Error {
  constructor(
    readonly type: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}
