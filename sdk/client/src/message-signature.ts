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
  /** The member of a dictionary. @default the whole field */
  readonly key?: string | undefined;
  /** As it is written in the signature base. */
  readonly text: string;
}

/** One signature of a request (RFC 9421): what it covers, its parameters, and its bytes. */
export interface MessageSignature {
  readonly label: string;
  readonly components: readonly Component[];
  readonly params: Readonly<Record<string, string | number>>;
  /** Covered components and parameters, as they were sent. */
  readonly input: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An Ed25519 key as a directory publishes it. */
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

/** The members of a dictionary as text, in order; a comma within quotes separates nothing. */
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

/** The signatures of a request that this module understands; what is malformed is left out. */
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
