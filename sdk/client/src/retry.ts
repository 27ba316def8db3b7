const BASE_MS = 200;
const CAP_MS = 5_000;

/**
 * How long to wait after a failed try (`attempt` counts from 1): full jitter, because clients that failed together
 * would otherwise come back together. What `Retry-After` asks for is the least; the jitter comes on top of it.
 */
export function backoffMs(attempt: number, random: number, retryAfterMs = 0): number {
  return Math.round(retryAfterMs + random * Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1)));
}

/** `Retry-After` in milliseconds: whole seconds or an HTTP date. Undefined when absent or not understood. */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  // Date.parse alone would take '-1' for a year.
  const at = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
