import { extname } from 'node:path';
import { buildSite } from '../../docs/site/build-site';
import { SITE_POLICY } from '../../docs/site/page-template';
import { LOCAL_PREFIX, type LocalPage } from './local-pages';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
};

/** `/_local/docs/`: the documentation, rendered when it is first requested, so that it does not slow down the start. */
export function docsPages(build = buildSite): readonly LocalPage[] {
  let site: ReturnType<typeof buildSite> | undefined;
  return [
    {
      method: 'GET',
      path: /^docs$/,
      answer: () => ({ status: 301, headers: { location: `${LOCAL_PREFIX}docs/` }, body: '' }),
    },
    {
      method: 'GET',
      path: /^docs\/(.*)$/,
      answer: ([path = '']) => {
        site ??= build();
        const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
        const body = site.get(file);
        const type = body ? (TYPES[extname(file)] ?? 'text/plain; charset=utf-8') : 'text/plain; charset=utf-8';
        return {
          status: body ? 200 : 404,
          headers: {
            'content-type': type,
            'content-security-policy': SITE_POLICY,
            'x-content-type-options': 'nosniff',
          },
          body: body ?? 'Page not found.\n',
        };
      },
    },
  ];
}
