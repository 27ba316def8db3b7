import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import type { HttpRequest } from '@smithy/types';
import { Sha256 } from '../store/sdk/node-checksums';

/** Where a secret is. */
export interface SecretAddress {
  readonly secretId: string;
  readonly region: string;
  /** The endpoint of an emulator. @default Secrets Manager of the region */
  readonly endpoint?: string | undefined;
}

/**
 * Reads the text of a secret by one signed request of our own. The SDK's client would add 90 kB to a screening function
 * for one call; its signer and its HTTP handler are in the bundle already, with the DynamoDB client.
 */
export function secretReader({ secretId, region, endpoint }: SecretAddress): () => Promise<string> {
  // No request timeout: a function that is frozen in between would find its response killed when it thaws.
  const handler = new NodeHttpHandler({ connectionTimeout: 2_000 });
  const signer = new SignatureV4({
    credentials: defaultProvider(),
    region,
    service: 'secretsmanager',
    sha256: Sha256,
  });
  const base = new URL(endpoint ?? `https://secretsmanager.${region}.amazonaws.com`);
  const body = JSON.stringify({ SecretId: secretId });

  return async () => {
    const request: HttpRequest = {
      method: 'POST',
      protocol: base.protocol,
      hostname: base.hostname,
      ...(base.port ? { port: Number(base.port) } : {}),
      path: '/',
      query: {},
      headers: {
        host: base.host,
        'content-type': 'application/x-amz-json-1.1',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': 'secretsmanager.GetSecretValue',
      },
      body,
    };
    const signed = (await signer.sign(request)) as Parameters<NodeHttpHandler['handle']>[0];
    const { response } = await handler.handle(signed);
    const chunks: Buffer[] = [];
    for await (const chunk of response.body as AsyncIterable<Buffer>) chunks.push(chunk);
    const answer = JSON.parse(Buffer.concat(chunks).toString()) as { SecretString?: string; __type?: string };
    if (answer.SecretString === undefined) {
      throw new Error(`Secrets Manager answered ${response.statusCode} ${answer.__type ?? ''}`.trim());
    }
    return answer.SecretString;
  };
}
