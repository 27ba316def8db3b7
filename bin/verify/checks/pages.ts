import { ROUTES } from '../../../shared/routes';
import { described, request } from '../api';
import { type Check, must } from '../check';

const isHtml = (type: string | null): boolean => type?.startsWith('text/html') ?? false;

export const pages: Check = {
  name: 'pages',
  proves: 'the reference, the OpenAPI document of this version and the console load',
  needs: 'http',
  async run({ api, consoleUrl }) {
    const docs = await api.call('GET', '/docs');
    must(docs.status === 200 && isHtml(docs.headers.get('content-type')), `/docs answered ${described(docs)}`);

    const document = await api.call('GET', '/openapi.json');
    const { openapi = '', paths = {} } = document.json ?? {};
    must(
      document.status === 200 && String(openapi).startsWith('3.1'),
      `/openapi.json is not an OpenAPI 3.1 document, it answered ${described(document)}`,
    );
    const missing = ROUTES.filter((route) => !('public' in route) && !paths[route.path]).map(({ path }) => path);
    must(missing.length === 0, `/openapi.json lacks ${missing.join(', ')}: another version is deployed.`);

    if (!consoleUrl) return 'no URL of a console is known: not checked';
    const page = await request('GET', consoleUrl);
    must(page.status === 200 && isHtml(page.headers.get('content-type')), `The console answered ${described(page)}`);
    const files = [...page.text.matchAll(/(?:src|href)="([^"#:]+\.(?:js|css))"/g)].map(([, file]) => file ?? '');
    must(files.length >= 2, 'The page of the console names no script and style sheet.');
    for (const file of files) {
      const { status } = await request('GET', new URL(file, consoleUrl).href);
      must(status === 200, `${file}, which the console needs, answered ${status}.`);
    }
    return undefined;
  },
};
