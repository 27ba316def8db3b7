import type { ReceivedHeaders } from './construct-event';

/** A request as it arrived: a fetch `Request`, or method, absolute URL and headers. */
export interface ReceivedRequest {
  readonly method: string;
  /** Absolute, with the host that the caller used. */
  readonly url: string;
  readonly headers: ReceivedHeaders;
}

/** A covered component of a signature, such as `"@authority"` or `"signature-agent";key="agent2"`. */
export interface Component {
  readonly name: string;
  readonly key?: string | undefined;
  readonly text: string;
}

/** One signature of a request (RFC 9421): what it covers, its parameters, and its bytes. */
export interface MessageSignature {
  readonly label: string;
  readonly components: readonly Component[];
  readonly params: Readonly<Record<string, string | number>>;
  readonly input: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface AgentJwk {
  readonly kty: string;
  readonly crv?: string | undefined;
  readonly x?: string | undefined;
  readonly [member: string]: unknown;
}

const MEMBER = /^([a-z*][a-z0-9_\-.*]*)=([\s\S]*)$/;
const INNER_LIST = /^\(([^()]*)\)(.*)$/s;
const COMPONENT = /"([^"\\]+)"((?:;[^\s]+)?)/y;
const PARAMETER = /;\s*([a-z*][a-z0-9_\-.*]*)=(?:"((?:[^"\\]|\\["\\])*)"|(-?\d{1,15}))/y;
const BYTES = /^:([A-Za-z0-9+/]*={0,2}):$/;

/** The value of a header field, several lines joined as RFC 9421 says; undefined if it is not there. */
export function fieldValue({ headers }: Pick<ReceivedRequest, 'headers'>, name: string): string | undefined {
  if (typeof headers.get === 'function') return (headers as Headers).get(name)?.trim() ?? undefined;
  const lines = Object.entries(headers).flatMap(([each, value]) => (each.toLowerCase() === name ? (value ?? []) : []));
  return lines.length === 0 ? undefined : lines.map((line) => line.trim()).join(', ');
}

/** The members of a dictionary as text, in order; a comma within quotes does not separate. */
export function dictionaryOf(value: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  const parts = value.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? [];
  for (const part of parts) {
    const [, name, text] = MEMBER.exec(part.trim()) ?? [];
    if (name !== undefined && text !== undefined) members.set(name, text);
  }
  return members;
}

function componentsOf(text: string): readonly Component[] | undefined {
  const components: Component[] = [];
  for (const word of text.trim() === '' ? [] : text.trim().split(/ +/)) {
    COMPONENT.lastIndex = 0;
    const [whole, name, more = ''] = COMPONENT.exec(word) ?? [];
    if (whole !== word || name === undefined) return undefined;
    const [, key] = /^;key="([^"\\]+)"$/.exec(more) ?? [];
    // `sf`, `bs`, `req` and `tr` change what is signed: none is understood here, so none is accepted.
    if (more !== '' && key === undefined) return undefined;
    components.push({ name, key, text: whole });
  }
  return components;
}

function paramsOf(text: string): MessageSignature['params'] | undefined {
  const params: Record<string, string | number> = {};
  PARAMETER.lastIndex = 0;
  let end = 0;
  for (let found = PARAMETER.exec(text); found; found = PARAMETER.exec(text)) {
    const [, name = '', quoted, digits] = found;
    params[name] = quoted === undefined ? Number(digits) : quoted.replace(/\\(["\\])/g, '$1');
    end = PARAMETER.lastIndex;
  }
  return end === text.length ? params : undefined;
}

/** The signatures of a request that this module understands; malformed ones are left out. */
export function messageSignatures(request: Pick<ReceivedRequest, 'headers'>): readonly MessageSignature[] {
  const signatures = dictionaryOf(fieldValue(request, 'signature') ?? '');
  return [...dictionaryOf(fieldValue(request, 'signature-input') ?? '')].flatMap(([label, input]) => {
    const [, list, rest = ''] = INNER_LIST.exec(input) ?? [];
    const components = list === undefined ? undefined : componentsOf(list);
    const params = paramsOf(rest);
    const [, base64] = BYTES.exec(signatures.get(label) ?? '') ?? [];
    if (components === undefined || params === undefined || base64 === undefined) return [];
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return [{ label, components, params, input, bytes }];
  });
}

const DERIVED: Readonly<Record<string, (request: ReceivedRequest, url: URL) => string>> = {
  '@method': ({ method }) => method,
  '@target-uri': (_, url) => url.href,
  '@authority': (_, url) => url.host,
  '@scheme': (_, url) => url.protocol.slice(0, -1),
  '@path': (_, url) => url.pathname,
  '@query': (_, url) => url.search || '?',
};

function componentValue(request: ReceivedRequest, url: URL, { name, key }: Component): string | undefined {
  if (name.startsWith('@')) return key === undefined ? DERIVED[name]?.(request, url) : undefined;
  const value = fieldValue(request, name);
  return key === undefined || value === undefined ? value : dictionaryOf(value).get(key);
}

/** The text that was signed; undefined if the request lacks a component, or has one that is not understood. */
export function signatureBase(request: ReceivedRequest, signature: MessageSignature): string | undefined {
  const url = new URL(request.url);
  const { components, input } = signature;
  if (new Set(components.map(({ text }) => text)).size !== components.length) return undefined;
  const lines: string[] = [];
  for (const component of components) {
    const value = componentValue(request, url, component);
    if (value === undefined) return undefined;
    lines.push(`${component.text}: ${value}`);
  }
  return [...lines, `"@signature-params": ${input}`].join('\n');
}

/** Whether this key made the signature of the base. A key that is not an Ed25519 key made none. */
export async function isSignedBy(jwk: AgentJwk, base: string, signature: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const { kty, crv, x } = jwk;
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return false;
  const algorithm = { name: 'Ed25519' };
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, algorithm, false, ['verify']);
  return crypto.subtle.verify(algorithm, key, signature, new TextEncoder().encode(base));
}

/** Remembers nonces until they expire. `use` resolves with false if the nonce was used before. */
export interface AgentNonces {
  use(nonce: string, expiresAtSeconds: number): boolean | Promise<boolean>;
}

export interface VerifyAgentOptions {
  /**
   * The public key of an operator: from the directory at `https://<operator>/.well-known/http-message-signatures-directory`
   * of the operators that you accept, which you fetch and cache. Undefined if you do not know the key.
   */
  readonly keyOf: (keyId: string, operator: string) => AgentJwk | undefined | Promise<AgentJwk | undefined>;
  /** Shared by all your servers, or a signature can be replayed on the next one. `memoryNonces()` is for a single one. */
  readonly nonces: AgentNonces;
  /** The longest validity of a signature that you accept. @default 86400, as the profile recommends */
  readonly maxLifetimeSeconds?: number | undefined;
  /** How far the agent's clock may be ahead of yours. @default 60 */
  readonly toleranceSeconds?: number | undefined;
  readonly nowSeconds?: number | undefined;
}

export type AgentRefusal =
  | 'missing_operator'
  | 'operator_not_signed'
  | 'authority_not_signed'
  | 'missing_parameter'
  | 'unsupported_algorithm'
  | 'expired'
  | 'not_yet_valid'
  | 'lifetime_too_long'
  | 'unknown_key'
  | 'signature_mismatch'
  | 'nonce_reused';

export interface ReceivedAgent {
  readonly agent: { readonly operator: string; readonly key_id?: string; readonly verified: boolean };
  readonly reason?: AgentRefusal;
}

const TAG = 'web-bot-auth';
const UNKNOWN = 'unknown';

/**
 * Finds out at your edge whether an agent shops for the customer, and verifies who runs it: HTTP message signatures
 * (RFC 9421) in the profile web-bot-auth, with Ed25519, a nonce and an expiry. Undefined if the request has no such signature.
 */
export async function verifyAgent(
  request: ReceivedRequest,
  options: VerifyAgentOptions,
): Promise<ReceivedAgent | undefined> {
  const signature = messageSignatures(request).find(({ params }) => params.tag === TAG);
  if (signature === undefined) {
    // An agent that names itself but does not sign, or whose signature cannot be read, is still an agent.
    const claimed = operatorOf(request, undefined);
    return claimed === undefined
      ? undefined
      : { agent: { operator: claimed, verified: false }, reason: 'missing_parameter' };
  }
  const operator = operatorOf(request, signature);
  const { keyid } = signature.params;
  const reason = await refusalOf(request, signature, operator, options);
  return {
    agent: {
      operator: operator ?? UNKNOWN,
      ...(typeof keyid === 'string' && keyid !== '' ? { key_id: keyid } : {}),
      verified: reason === undefined,
    },
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The host of `Signature-Agent`: of the member that is signed, if it is a dictionary. */
function operatorOf(
  request: Pick<ReceivedRequest, 'headers'>,
  signature: MessageSignature | undefined,
): string | undefined {
  const value = fieldValue(request, 'signature-agent');
  if (value === undefined) return undefined;
  const key = signature?.components.find(({ name }) => name === 'signature-agent')?.key;
  const members = dictionaryOf(value);
  const text = key === undefined ? (members.values().next().value ?? value) : (members.get(key) ?? '');
  const [, uri = ''] = /^"([^"\\]*)"/.exec(text) ?? [];
  try {
    return new URL(uri).host || undefined;
  } catch {
    return undefined;
  }
}

async function refusalOf(
  request: ReceivedRequest,
  signature: MessageSignature,
  operator: string | undefined,
  options: VerifyAgentOptions,
): Promise<AgentRefusal | undefined> {
  const { params, components, bytes } = signature;
  const { keyid, nonce, expires } = params;
  const covers = (name: string) => components.some((component) => component.name === name);
  if (operator === undefined) return 'missing_operator';
  if (!covers('signature-agent')) return 'operator_not_signed';
  if (!covers('@authority') && !covers('@target-uri')) return 'authority_not_signed';
  if (typeof keyid !== 'string' || typeof nonce !== 'string' || nonce === '') return 'missing_parameter';
  if (params.alg !== undefined && params.alg !== 'ed25519') return 'unsupported_algorithm';
  const late = timeRefusal(params, options);
  if (late !== undefined) return late;
  const jwk = await options.keyOf(keyid, operator);
  if (jwk === undefined) return 'unknown_key';
  const base = signatureBase(request, signature);
  if (base === undefined || !(await isSignedBy(jwk, base, bytes))) return 'signature_mismatch';
  // Last: only the operator itself can use up a nonce.
  return (await options.nonces.use(`${operator} ${keyid} ${nonce}`, Number(expires))) ? undefined : 'nonce_reused';
}

function timeRefusal(
  { created, expires }: MessageSignature['params'],
  { maxLifetimeSeconds = 86_400, toleranceSeconds = 60, nowSeconds = Date.now() / 1000 }: VerifyAgentOptions,
): AgentRefusal | undefined {
  if (typeof created !== 'number' || typeof expires !== 'number') return 'missing_parameter';
  if (expires <= nowSeconds) return 'expired';
  if (created > nowSeconds + toleranceSeconds) return 'not_yet_valid';
  return expires - created > maxLifetimeSeconds ? 'lifetime_too_long' : undefined;
}

/**
 * Nonces of one process, for a shop with a single server. The oldest are forgotten beyond `most`.
 * @default 100,000 nonces
 */
export function memoryNonces(most = 100_000, nowSeconds: () => number = () => Date.now() / 1000): AgentNonces {
  const used = new Map<string, number>();
  return {
    use(nonce, expiresAtSeconds) {
      const until = used.get(nonce);
      if (until !== undefined && until > nowSeconds()) return false;
      used.delete(nonce);
      used.set(nonce, expiresAtSeconds);
      for (const oldest of used.keys()) {
        if (used.size <= most) break;
        used.delete(oldest);
      }
      return true;
    },
  };
}
