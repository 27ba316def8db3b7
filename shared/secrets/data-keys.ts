import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { unavailable } from '../domain/errors';
import type { DataKeys } from './aes-sealer';

// Warm instances pick up a rotated key within this time.
const CURRENT_FOR_MS = 5 * 60 * 1000;

/** The stage's data key from Secrets Manager, kept in memory, so that no request pays for reading it twice. */
export function secretsManagerDataKeys(secretId: string, clock: { now(): number }, reach: object = {}): DataKeys {
  const client = new SecretsManagerClient({ maxAttempts: 2, ...reach });
  const byVersion = new Map<string, string>();
  let current: { readonly version: string; readonly readAtMs: number } | undefined;

  async function read(version?: string): Promise<{ version: string; material: string }> {
    const command = new GetSecretValueCommand({ SecretId: secretId, ...(version ? { VersionId: version } : {}) });
    const secret = await client.send(command).catch((error) => {
      throw error.name === 'AccessDeniedException' ? error : unavailable(error);
    });
    if (!secret.VersionId || !secret.SecretString) throw new Error('The data key secret has no value');
    const { material } = JSON.parse(secret.SecretString) as { material: string };
    byVersion.set(secret.VersionId, material);
    return { version: secret.VersionId, material };
  }

  return {
    async current() {
      const material = current && byVersion.get(current.version);
      if (current && material && clock.now() - current.readAtMs < CURRENT_FOR_MS) {
        return { version: current.version, material };
      }
      const fresh = await read();
      current = { version: fresh.version, readAtMs: clock.now() };
      return fresh;
    },
    async byVersion(version) {
      return byVersion.get(version) ?? (await read(version)).material;
    },
  };
}
