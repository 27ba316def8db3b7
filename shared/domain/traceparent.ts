/**
 * Where a request stands in a trace of the caller's (W3C Trace Context): trace ID, ID of the calling span, flags. 25 bytes,
 * because it is stored with the screening, whose item should stay below a kilobyte.
 */
export type Trace = Uint8Array;

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

const FIRST_FOUR = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** `sampled` and `random`; the standard has the others set to zero when they are handed on. */
const KNOWN_FLAGS = 0x03;

const isZero = (hex: string): boolean => /^0+$/.test(hex);

/**
 * Reads a `traceparent` header; undefined if it is not valid, in which case the standard says to go on without it. Of a
 * version that we do not know, the four fields of version 00 are read.
 */
export function parseTraceparent(header: string | undefined): Trace | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = FIRST_FOUR.exec(header ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (isZero(traceId) || isZero(spanId)) return undefined;
  const known = (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, '0');
  return new Uint8Array(Buffer.from(traceId + spanId + known, 'hex'));
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** The trace's ID, as tracing tools show it. */
export const traceIdOf = (trace: Trace): string => hexOf(trace.subarray(0, TRACE_ID_BYTES));

/** The header to hand on: what the caller sent, since we record no spans of our own. */
export function traceparentOf(trace: Trace): string {
  const end = TRACE_ID_BYTES + SPAN_ID_BYTES;
  return `00-${traceIdOf(trace)}-${hexOf(trace.subarray(TRACE_ID_BYTES, end))}-${hexOf(trace.subarray(end))}`;
}
