import { hkdfSync } from 'node:crypto';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { type Pseudonyms, pseudonymsBy } from '../domain/entities/pseudonyms';
import { unavailable } from '../domain/errors';
import { within } from '../store/sdk/client';
import { signedRequests } from '../store/sdk/signed-requests';

export interface StageSecret {
  /** The material of the data key, which seals webhook secrets. */
  readonly material: string;
  /**
   * The materials of the identity keys, oldest first, which name entities. @default the data key's material: both are
   * derived from it under their own labels, and it stays here when the data key is rotated
   */
  readonly identity?: readonly string[];
}

export function parseStageSecret(text: string): StageSecret {
  const secret = JSON.parse(text) as StageSecret;
  if (typeof secret.material !== 'string') throw new Error("The stage's secret has no key material");
  return secret;
}

const materialsOf = ({ material, identity = [material] }: StageSecret): readonly string[] => identity;

/** The identity keys, oldest first. */
export const identityKeys = (secret: StageSecret): Uint8Array[] =>
  materialsOf(secret).map((material) =>
    Buffer.from(hkdfSync('sha256', material, '', 'fraud-screening identity key v1', 32)),
  );

export const withDataKey = (secret: StageSecret, material: string): StageSecret => ({
  material,
  identity: materialsOf(secret),
});

export const withIdentityKey = (secret: StageSecret, material: string): StageSecret => ({
  material: secret.material,
  identity: [...materialsOf(secret), material],
});

export interface StagePseudonymsDeps {
  readonly clock: { now(): number };
  readonly read: () => Promise<string>;
  readonly onFailure: (error: unknown) => void;
}

/*
 * A function reads the secret as it starts, alongside everything else that it loads, and never waits for it again: every
 * five minutes it reads it alongside a request, so that a rotated key is known to all soon after one another.
 */
const READ_EVERY_MS = 5 * 60_000;
/** After a failure, and for a read that never returned because the function was frozen in the middle of it. */
const TRY_AGAIN_MS = 2_000;
const WAIT_AT_MOST_MS = 800;

/** The pseudonyms of a stage; a promise only until the secret has been read once. */
export function stagePseudonyms(deps: StagePseudonymsDeps): () => Pseudonyms | Promise<Pseudonyms> {
  const { clock, read, onFailure } = deps;
  let known: { readonly text: string; readonly pseudonyms: Pseudonyms } | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let startedMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<Pseudonyms> | undefined;

  async function readNow(nowMs: number): Promise<Pseudonyms> {
    const text = await read();
    if (known?.text !== text) known = { text, pseudonyms: pseudonymsBy(identityKeys(parseStageSecret(text))) };
    readAtMs = nowMs;
    return known.pseudonyms;
  }

  function start(nowMs: number): Promise<Pseudonyms> {
    startedMs = nowMs;
    const started = readNow(nowMs);
    reading = started;
    started.catch((error) => {
      if (reading === started) reading = undefined;
      onFailure(error);
    });
    return started;
  }

  void start(clock.now());

  return () => {
    const nowMs = clock.now();
    const isLate = nowMs - startedMs >= TRY_AGAIN_MS;
    if (known !== undefined) {
      if (isLate && nowMs - readAtMs >= READ_EVERY_MS) void start(nowMs);
      return known.pseudonyms;
    }
    const pending = reading === undefined || isLate ? start(nowMs) : reading;
    return within(WAIT_AT_MOST_MS, pending).catch((error) => {
      throw unavailable(error);
    });
  };
}

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
