/** A Lambda proxy's response, ready to be written. */
export interface ProxyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

interface Raw {
  readonly statusCode?: unknown;
  readonly headers?: Readonly<Record<string, unknown>> | null;
  readonly multiValueHeaders?: Readonly<Record<string, readonly unknown[]>> | null;
  readonly body?: unknown;
  readonly isBase64Encoded?: unknown;
}

const KNOWN: ReadonlySet<string> = new Set([
  'statusCode',
  'headers',
  'multiValueHeaders',
  'body',
  'isBase64Encoded',
  'cookies',
]);

function headersOf({ headers, multiValueHeaders }: Raw): Readonly<Record<string, string | readonly string[]>> {
  const merged: Record<string, string | readonly string[]> = {};
  const names = new Map<string, string>();
  const set = (name: string, value: string | readonly string[]): void => {
    const earlier = names.get(name.toLowerCase());
    if (earlier !== undefined) delete merged[earlier];
    names.set(name.toLowerCase(), name);
    merged[name] = value;
  };
  set('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(headers ?? {})) set(name, String(value));
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) set(name, values.map(String));
  return merged;
}

/** Validates a proxy's payload as API Gateway does; undefined if it is malformed (the client then gets a 502). */
export function proxyResponse(payload: string, wantsBinary: boolean): ProxyResponse | undefined {
  const raw = JSON.parse(payload) as Raw | null;
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  if (Object.keys(raw).some((name) => !KNOWN.has(name))) return undefined;
  const status = Number(raw.statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  if (raw.body !== undefined && raw.body !== null && typeof raw.body !== 'string') return undefined;
  const binary = raw.isBase64Encoded === true && wantsBinary;
  return { status, headers: headersOf(raw), body: Buffer.from(raw.body ?? '', binary ? 'base64' : 'utf8') };
}
