import { extname } from 'node:path';
import { buildSite } from '../../docs/site/build-site';
import { SITE_POLICY } from '../../docs/site/page-template';

/** The runner's own pages, under a prefix that no API of ours uses. */
export const LOCAL_PREFIX = '/_local/';

export interface LocalAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface LocalPage {
  readonly method: string;
  /** Matched against the path after the prefix; groups are passed to `answer`. */
  readonly path: RegExp;
  answer(groups: readonly string[], query: URLSearchParams): LocalAnswer | Promise<LocalAnswer>;
}

/** A page that is read; anything that does something is a `POST`. */
export const get = (path: RegExp, answer: LocalPage['answer']): LocalPage => ({ method: 'GET', path, answer });

export const json = (body: unknown, status = 200): LocalAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: `${JSON.stringify(body, null, 2)}\n`,
});

export async function localPage(pages: readonly LocalPage[], method: string, url: string): Promise<LocalAnswer> {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const rest = pathname.slice(LOCAL_PREFIX.length);
  for (const page of pages) {
    const match = page.method === method ? page.path.exec(rest) : null;
    if (match) return page.answer(match.slice(1).map(decodeURIComponent), searchParams);
  }
  return json({ message: `Not found: ${method} ${pathname}` }, 404);
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
};

/** `/_local/docs/`: the documentation, rendered when it is first requested, so that it does not slow down the start. */
export function docsPages(build = buildSite): readonly LocalPage[] {
  let site: ReturnType<typeof buildSite> | undefined;
  return [
    get(/^docs$/, () => ({ status: 301, headers: { location: `${LOCAL_PREFIX}docs/` }, body: '' })),
    get(/^docs\/(.*)$/, ([path = '']) => {
      site ??= build();
      const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
      const body = site.get(file);
      const type = (body && TYPES[extname(file)]) ?? 'text/plain; charset=utf-8';
      const safe = { 'content-security-policy': SITE_POLICY, 'x-content-type-options': 'nosniff' };
      return {
        status: body ? 200 : 404,
        headers: { 'content-type': type, ...safe },
        body: body ?? 'Page not found.\n',
      };
    }),
  ];
}
