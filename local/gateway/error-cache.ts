import type { ProxyResponse } from './proxy-response';

/** Statuses that CloudFront caches, and those for which it respects `Cache-Control: no-store`. */
const CACHED: ReadonlySet<number> = new Set([400, 403, 404, 405, 410, 414, 500, 501, 502, 503, 504]);
const HEEDS_NO_STORE: ReadonlySet<number> = new Set([404, 410, 414, 501]);
const DEFAULT_SECONDS = 10;

interface DistributionConfig {
  readonly CustomErrorResponses?: readonly { readonly ErrorCode: number; readonly ErrorCachingMinTTL?: number }[];
}

/** Answers a request of the page; from the cache if CloudFront would have cached the response. */
export type ErrorCache = (method: string, url: string, ask: () => Promise<ProxyResponse>) => Promise<ProxyResponse>;

const headerOf = ({ headers }: ProxyResponse, wanted: string): string =>
  String(Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '');

/**
 * CloudFront caches an origin's errors for ten seconds by default, whatever the cache policy, and the cache key includes
 * neither account nor API key: one account would get another's error, unless the distribution says otherwise.
 */
export function errorCache({ CustomErrorResponses: custom = [] }: DistributionConfig, now = Date.now): ErrorCache {
  const kept = new Map<string, { readonly answer: ProxyResponse; readonly until: number }>();
  const secondsFor = (answer: ProxyResponse): number => {
    const { status } = answer;
    if (!CACHED.has(status)) return 0;
    if (HEEDS_NO_STORE.has(status) && /no-store|no-cache|private/.test(headerOf(answer, 'cache-control'))) return 0;
    return custom.find(({ ErrorCode }) => ErrorCode === status)?.ErrorCachingMinTTL ?? DEFAULT_SECONDS;
  };
  return async (method, url, ask) => {
    if (method !== 'GET' && method !== 'HEAD') return ask();
    const key = `${method} ${url}`;
    const found = kept.get(key);
    if (found && found.until > now()) return found.answer;
    const answer = await ask();
    const seconds = secondsFor(answer);
    if (seconds > 0) kept.set(key, { answer, until: now() + seconds * 1_000 });
    else kept.delete(key);
    return answer;
  };
}
