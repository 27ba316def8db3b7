import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { signedRequests } from '../store/sdk/signed-requests';

/** Where a secret is. */
export interface SecretAddress {
  readonly secretId: string;
  readonly region: string;
  /** The endpoint of an emulator. @default Secrets Manager of the region */
  readonly endpoint?: string | undefined;
}

/** Reads the text of a secret by one signed request: the SDK's client would add 90 kB to a screening function. */
export function secretReader({ secretId, region, endpoint }: SecretAddress): () => Promise<string> {
  const address = { service: 'secretsmanager', region, endpoint, credentials: defaultProvider() };
  const post = signedRequests(address, { connectionTimeout: 2_000 });
  const headers = { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': 'secretsmanager.GetSecretValue' };
  const body = JSON.stringify({ SecretId: secretId });

  return async () => {
    const { status, body: said } = await post({ method: 'POST', headers, body });
    const answer = JSON.parse(said.toString()) as { SecretString?: string; __type?: string };
    if (answer.SecretString === undefined) {
      throw new Error(`Secrets Manager answered ${status} ${answer.__type ?? ''}`.trim());
    }
    return answer.SecretString;
  };
}
