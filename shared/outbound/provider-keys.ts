import { createLocalJWKSet, errors, type JSONWebKeySet, type JWSHeaderParameters } from 'jose';
import { isTrustworthyAddress } from '../domain/accounts/token-holder';
import { unavailable } from '../domain/errors';

export interface ProviderKeysDeps {
  readonly issuer: string;
  readonly clock: { now(): number };
  readonly fetchJson: (url: string) => Promise<unknown>;
  readonly log: { error(message: string, fields: object): void };
}

type LocalKeys = ReturnType<typeof createLocalJWKSet>;
export type PublicKey = Awaited<ReturnType<LocalKeys>>;

/** Keys that the provider withdrew stop working after this time. */
export const REFRESH_MS = 10 * 60_000;
/** While the provider cannot be reached, its last keys are used for at most this long. */
export const STALE_MS = 24 * 60 * 60_000;
/** Anybody can make up a key ID: they are asked for at most this often. */
export const UNKNOWN_KEY_PAUSE_MS = 30_000;
/** A provider that failed is not asked again for so long: requests must not queue up behind its timeout. */
export const FAILURE_PAUSE_MS = 5_000;

async function askProvider({ issuer, fetchJson }: ProviderKeysDeps): Promise<LocalKeys> {
  const described = (await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)) as {
    readonly issuer?: unknown;
    readonly jwks_uri?: unknown;
  } | null;
  if (described?.issuer !== issuer) throw new Error('The provider describes itself as another issuer');
  const { jwks_uri } = described;
  if (typeof jwks_uri !== 'string' || !isTrustworthyAddress(jwks_uri))
    throw new Error('The provider has no https keys');
  return createLocalJWKSet((await fetchJson(jwks_uri)) as JSONWebKeySet);
}

/** The public keys with which a provider's tokens are checked: fetched when first needed, then kept by this process. */
export function providerKeys(deps: ProviderKeysDeps) {
  const { clock, log } = deps;
  let held: { readonly keys: LocalKeys; readonly atMs: number } | undefined;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  let asking: Promise<void> | undefined;

  const ask = async (): Promise<void> => {
    askedAtMs = clock.now();
    try {
      held = { keys: await askProvider(deps), atMs: askedAtMs };
      failure = undefined;
    } catch (error) {
      failure = error;
      log.error('the keys of the sign-in provider could not be fetched', { error });
    }
  };
  const askOnce = (): Promise<void> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const isOlderThan = (ms: number): boolean => !held || clock.now() - held.atMs >= ms;
  const mayAsk = (pauseMs: number): boolean => asking !== undefined || clock.now() - askedAtMs >= pauseMs;

  const find = async (header: JWSHeaderParameters): Promise<PublicKey | undefined> => {
    try {
      return await held?.keys(header);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        return undefined;
      throw error;
    }
  };

  return {
    /** The key that a token names; undefined if the provider has none like it. Throws `unavailable` without any keys. */
    async keyFor(header: JWSHeaderParameters): Promise<PublicKey | undefined> {
      if (isOlderThan(REFRESH_MS) && mayAsk(failure === undefined ? 0 : FAILURE_PAUSE_MS)) await askOnce();
      if (isOlderThan(STALE_MS)) throw unavailable(failure);
      const known = await find(header);
      if (known || !mayAsk(UNKNOWN_KEY_PAUSE_MS)) return known;
      await askOnce();
      return find(header);
    },
  };
}

export type ProviderKeys = ReturnType<typeof providerKeys>;
