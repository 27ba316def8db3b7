/**
 * Where a request stands in a trace of the caller's (W3C Trace Context): trace ID, ID of the calling span and flags, as 34
 * characters of base64url. It is stored with the screening, whose item should stay below a kilobyte; as text, because
 * bytes arrive from the table's stream in another form than from the table.
 */
export type Trace = string;

const TRACE_ID_DIGITS = 32;
const SPAN_ID_DIGITS = 16;

const FIRST_FOUR = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** `sampled` and `random`; the standard requires the others to be zero when passed on. */
const KNOWN_FLAGS = 0x03;

const isZero = (hex: string): boolean => /^0+$/.test(hex);

/**
 * Reads a `traceparent` header; undefined if it is not valid: then the standard has us ignore it. Of a version that we do
 * not know, the four fields of version 00 are read.
 */
export function parseTraceparent(header: string | undefined): Trace | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = FIRST_FOUR.exec(header ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (isZero(traceId) || isZero(spanId)) return undefined;
  const known = (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, '0');
  return Buffer.from(traceId + spanId + known, 'hex').toString('base64url');
}

const digitsOf = (trace: Trace): string => Buffer.from(trace, 'base64url').toString('hex');

/** The trace's ID, as tracing tools show it. */
export const traceIdOf = (trace: Trace): string => digitsOf(trace).slice(0, TRACE_ID_DIGITS);

/** The header to pass on: the caller's, since we record no spans. */
export function traceparentOf(trace: Trace): string {
  const digits = digitsOf(trace);
  const end = TRACE_ID_DIGITS + SPAN_ID_DIGITS;
  return `00-${digits.slice(0, TRACE_ID_DIGITS)}-${digits.slice(TRACE_ID_DIGITS, end)}-${digits.slice(end)}`;
}
