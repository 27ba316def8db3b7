import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { holderIn, type SignInSettings, type TokenHolder, type TokenRefusal } from '../domain/accounts/token-holder';
import type { ProviderKeys } from './provider-keys';

export interface AccessTokensDeps {
  readonly settings: SignInSettings;
  readonly keys: Pick<ProviderKeys, 'keyFor'>;
  readonly clock: { now(): number };
}

/** Signatures that only the provider can make. With a shared secret (HS256) our client's ID would do as a key. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** How far the provider's clock may be off. With the gateway's 50 s of memory, a token ends within 60 s. */
const CLOCK_TOLERANCE_SECONDS = 10;

/** RFC 9068 marks access tokens; most providers just say that it is a JWT. */
const TYPES: readonly unknown[] = [undefined, 'JWT', 'jwt', 'at+jwt', 'application/at+jwt'];

/** Checks that need no key, so a bad token triggers no request to the provider. */
function refusalAtSight(token: string, { issuer }: SignInSettings): TokenRefusal | undefined {
  try {
    const { alg, typ } = decodeProtectedHeader(token);
    if (!ALGORITHMS.includes(alg ?? '')) return 'algorithm';
    if (!TYPES.includes(typ)) return 'not_an_access_token';
    return decodeJwt(token).iss === issuer ? undefined : 'issuer';
  } catch {
    return 'malformed';
  }
}

function refusalOf(error: unknown): TokenRefusal {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf') return 'not_yet_valid';
  if (error instanceof errors.JOSEError || error instanceof TypeError) return 'malformed';
  throw error;
}

export function accessTokens({ settings, keys, clock }: AccessTokensDeps) {
  return {
    async holderOf(token: string): Promise<TokenHolder | TokenRefusal> {
      const refusal = refusalAtSight(token, settings);
      if (refusal) return refusal;
      const key = await keys.keyFor({ ...decodeProtectedHeader(token), alg: decodeProtectedHeader(token).alg ?? '' });
      if (!key) return 'unknown_key';
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ALGORITHMS,
          issuer: settings.issuer,
          requiredClaims: ['exp'],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(clock.now()),
        });
        return holderIn(payload, settings);
      } catch (error) {
        return refusalOf(error);
      }
    },
  };
}
