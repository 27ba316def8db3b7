import { CallFailed, unanswered } from './client';

/** Whom people of this deployment sign in with; written into the page by lib/bundling/bundle-console.ts. */
interface Provider {
  readonly stage: 'sandbox' | 'production';
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly audience?: string;
}

interface Endpoints {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly end_session_endpoint?: string;
}

/** The provider's tokens, for this tab only: a reload keeps them, closing the tab does not. */
interface Tokens {
  readonly access: string;
  readonly refresh: string | undefined;
  readonly id: string | undefined;
  readonly expiresAtMs: number;
}

const TIMEOUT_MS = 15_000;
/** A token that ends within this time is replaced before it is used. */
const EARLY_MS = 60_000;
/** Providers should say how long a token lasts; RFC 6749 does not make them. */
const USUAL_SECONDS = 300;
const PENDING = 'sign-in.pending';
const TOKENS = 'sign-in.tokens';

function readProvider(): Provider | undefined {
  const content = document.querySelector('meta[name="sign-in"]')?.getAttribute('content');
  return content ? (JSON.parse(content) as Provider) : undefined;
}

/** Undefined where people sign in with API keys only. */
export const provider = readProvider();

const here = (): string => location.origin + location.pathname;

function read<Stored>(name: string): Stored | undefined {
  const text = sessionStorage.getItem(name);
  return text === null ? undefined : (JSON.parse(text) as Stored);
}

const write = (name: string, value: object): void => sessionStorage.setItem(name, JSON.stringify(value));

async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    const common = { credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
    return await fetch(url, { ...init, ...common });
  } catch (error) {
    throw unanswered(error);
  }
}

const broken = (message: string): CallFailed => new CallFailed({ kind: 'broken', message, requestId: undefined });

let found: Endpoints | undefined;

async function endpoints({ issuer }: Provider): Promise<Endpoints> {
  if (found) return found;
  const response = await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (!response.ok) throw broken(`The sign-in provider returned HTTP ${response.status}.`);
  const described = (await response.json()) as Endpoints;
  if (described.issuer !== issuer) throw broken('The sign-in provider describes itself as another issuer.');
  found = described;
  return found;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Leaves for the provider's own page. State needed on return stays in this tab. */
export async function leaveToSignIn(to: Provider): Promise<void> {
  const { authorization_endpoint } = await endpoints(to);
  const [verifier, state] = [random(), random()];
  const challenge = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  write(PENDING, { verifier, state, address: location.hash });
  const url = new URL(authorization_endpoint);
  const query = {
    response_type: 'code',
    client_id: to.clientId,
    redirect_uri: here(),
    scope: to.scope,
    state,
    code_challenge: base64url(new Uint8Array(challenge)),
    code_challenge_method: 'S256',
    ...(to.audience ? { audience: to.audience } : {}),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  location.assign(url.href);
}

async function redeem(to: Provider, grant: Record<string, string>): Promise<Tokens> {
  const { token_endpoint } = await endpoints(to);
  const body = new URLSearchParams({ client_id: to.clientId, ...grant });
  const response = await ask(token_endpoint, { method: 'POST', body });
  if (response.status >= 500) throw broken(`The sign-in provider returned HTTP ${response.status}.`);
  if (!response.ok) {
    const message = 'The sign-in provider refused.';
    throw new CallFailed({ kind: 'refused', status: response.status, code: 'unauthorized', message, details: [] });
  }
  const given = await response.json();
  const tokens: Tokens = {
    access: given.access_token,
    // Some providers rotate refresh tokens, others keep one.
    refresh: given.refresh_token ?? grant.refresh_token,
    id: given.id_token ?? read<Tokens>(TOKENS)?.id,
    expiresAtMs: Date.now() + (given.expires_in ?? USUAL_SECONDS) * 1000,
  };
  write(TOKENS, tokens);
  return tokens;
}

/**
 * Finishes a sign-in, if this page was opened by the provider's answer to one that began in this tab; says whether
 * it did. The address is cleaned of the code and leads back to where the person was.
 */
export async function returnFromSignIn(to: Provider): Promise<boolean> {
  const answer = new URLSearchParams(location.search);
  if (!answer.has('state') || !(answer.has('code') || answer.has('error'))) return false;
  const pending = read<{ verifier: string; state: string; address: string }>(PENDING);
  sessionStorage.removeItem(PENDING);
  history.replaceState(null, '', location.pathname);
  const isOurs = pending?.state === answer.get('state') && (answer.get('iss') ?? to.issuer) === to.issuer;
  if (!pending || !isOurs) throw broken('This sign-in did not begin in this tab. Sign in again.');
  if (pending.address) location.replace(pending.address);
  const refusal = answer.get('error');
  if (refusal !== null) throw broken(`The sign-in provider refused: ${answer.get('error_description') ?? refusal}.`);
  await redeem(to, {
    grant_type: 'authorization_code',
    code: answer.get('code') ?? '',
    redirect_uri: here(),
    code_verifier: pending.verifier,
  });
  return true;
}

export const hasTokens = (): boolean => sessionStorage.getItem(TOKENS) !== null;

export const forgetTokens = (): void => sessionStorage.removeItem(TOKENS);

let renewing: Promise<Tokens> | undefined;

function renew(to: Provider, refresh_token: string): Promise<Tokens> {
  // One at a time: providers that rotate refresh tokens take a second use for theft.
  renewing ??= redeem(to, { grant_type: 'refresh_token', refresh_token }).finally(() => {
    renewing = undefined;
  });
  return renewing;
}

/** A valid access token, renewed if need be; empty if nobody is signed in. */
export async function freshToken(to: Provider): Promise<string> {
  const tokens = read<Tokens>(TOKENS);
  if (!tokens) return '';
  const { access, refresh, expiresAtMs } = tokens;
  if (refresh === undefined || Date.now() < expiresAtMs - EARLY_MS) return access;
  try {
    return (await renew(to, refresh)).access;
  } catch (error) {
    // There was a minute left: the old token will do while the provider cannot be reached.
    if (error instanceof CallFailed && error.failure.kind !== 'refused' && Date.now() < expiresAtMs) return access;
    throw error;
  }
}

/** Signs out at the provider too, where it has a page for that: else the next person at this desk is one click away. */
export async function leaveToSignOut(to: Provider): Promise<void> {
  const id = read<Tokens>(TOKENS)?.id;
  forgetTokens();
  const { end_session_endpoint } = await endpoints(to);
  if (!end_session_endpoint) return;
  const url = new URL(end_session_endpoint);
  url.searchParams.set('client_id', to.clientId);
  url.searchParams.set('post_logout_redirect_uri', here());
  if (id) url.searchParams.set('id_token_hint', id);
  location.assign(url.href);
}
