import { createHash } from 'node:crypto';
import { isPersonName } from './api-key';
import { ROLES, type Role } from './role';

/** The identity provider, and which claims of its access tokens mean what. */
export interface SignInSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly audience: string;
  readonly roleClaim: string;
  readonly accountClaim: string;
  /** The one claim that names the person. @default the first usable one of `preferred_username`, `email`, `sub` */
  readonly personClaim?: string;
}

/** Why a token is refused; for the log, never for the caller. */
export type TokenRefusal =
  | 'malformed'
  | 'algorithm'
  | 'issuer'
  | 'unknown_key'
  | 'signature'
  | 'expired'
  | 'not_yet_valid'
  | 'not_an_access_token'
  | 'audience'
  | 'no_role'
  | 'no_account'
  | 'no_person';

/** The person a checked token speaks for. */
export interface TokenHolder {
  /** Takes the position of a key's ID: the same for all tokens of one person. */
  readonly key_id: string;
  readonly role: Role;
  readonly person: string;
  readonly accountIds: readonly string[];
}

export type Claims = Readonly<Record<string, unknown>>;

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/|$)/;

/** Keys sent over plain HTTP could come from anyone. On one machine, as in a local run, nothing leaves it. */
export const isTrustworthyAddress = (url: string): boolean => url.startsWith('https://') || LOOPBACK.test(url);

/** A person works in one account per stage; more than a few is a mistake in the provider's mapping. */
const MOST_ACCOUNTS = 5;
const ACCOUNT_ID = /^acc_[0-9A-Z]{26}$/;
const PERSON_CLAIMS = ['preferred_username', 'email', 'sub'] as const;

// The gateway passes on at most 10,240 bytes of headers.
const BEARER_TOKEN = /^Bearer ([\w-]{2,2000}\.[\w-]{2,6000}\.[\w-]{2,2000})$/i;

/** The access token in an `Authorization` header; undefined if there is none. API keys have no dots. */
export const bearerToken = (header: string | undefined): string | undefined => BEARER_TOKEN.exec(header ?? '')?.[1];

const textsOf = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((each): each is string => typeof each === 'string');

/** A token without `aud`, as Amazon Cognito makes them, must name our client instead. */
function isForUs({ aud, client_id }: Claims, { audience, clientId }: SignInSettings): boolean {
  return aud === undefined ? client_id === clientId : textsOf(aud).includes(audience);
}

function personIn(claims: Claims, { personClaim }: SignInSettings): string | undefined {
  const named = personClaim === undefined ? PERSON_CLAIMS : [personClaim];
  return named
    .filter((name) => name !== 'email' || claims.email_verified !== false)
    .map((name) => claims[name])
    .find((value): value is string => typeof value === 'string' && isPersonName(value));
}

/** The one role that the token has here: a token with none is refused, unlike a key from before there were roles. */
function roleIn(claims: Claims, { roleClaim }: SignInSettings): Role | undefined {
  const given = textsOf(claims[roleClaim]);
  const [role, ...others] = ROLES.filter((known) => given.includes(known));
  return others.length === 0 ? role : undefined;
}

function keyIdOf(issuer: string, subject: string): string {
  return `oidc_${createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 26)}`;
}

/** Whom these claims speak for, once signature, issuer and times have been checked. */
export function holderIn(claims: Claims, settings: SignInSettings): TokenHolder | TokenRefusal {
  const { sub, token_use } = claims;
  if (typeof sub !== 'string' || sub === '') return 'malformed';
  if (token_use !== undefined && token_use !== 'access') return 'not_an_access_token';
  if (!isForUs(claims, settings)) return 'audience';
  const role = roleIn(claims, settings);
  if (!role) return 'no_role';
  const accountIds = [...new Set(textsOf(claims[settings.accountClaim]))].filter((id) => ACCOUNT_ID.test(id));
  if (accountIds.length === 0 || accountIds.length > MOST_ACCOUNTS) return 'no_account';
  const person = personIn(claims, settings);
  if (person === undefined) return 'no_person';
  return { key_id: keyIdOf(settings.issuer, sub), role, person, accountIds };
}
