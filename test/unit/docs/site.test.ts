import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenLinks } from '../../../docs/site/broken-links';
import { buildSite } from '../../../docs/site/build-site';
import { renderMarkdown } from '../../../docs/site/render-markdown';
import { ROOT, SOURCES } from '../../../docs/site/site-map';
import { slugger } from '../../../docs/site/slug';
import { docsPages } from '../../../local/gateway/docs-pages';
import { localPage } from '../../../local/gateway/local-pages';
import { withoutVendorLogo } from '../../../shared/http/without-vendor-logo';

const site = buildSite();
const text = (path: string): string => String(site.get(path));

describe('the site', () => {
  it('has every page of the documentation, and no link or picture that leads nowhere', () => {
    const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`);
    expect(pages.filter((page) => !SOURCES.includes(page))).toEqual([]);
    expect(brokenLinks(site)).toEqual([]);
    expect(text('index.html')).toContain('href="quickstart.html"');
  });

  it('leads from page to page, and to files beside them', () => {
    expect(text('quickstart.html')).toContain('href="api.html#post-v1webhooks"');
    expect(text('quickstart.html')).toContain('href="sdk/client/index.html"');
    expect(text('sdk/client/index.html')).toContain('href="../../project.html"');
    expect(text('webhook-verification.html')).toContain('href="files/docs/samples/webhooks/node-crypto.mjs"');
    expect(text('project.html')).toContain('href="adr/index.html"');
    expect(text('adr/index.html')).toContain('href="0002-single-table-keys.html"');
    const picture = readFileSync(join(ROOT, 'docs/images/dashboard.png'));
    expect(site.get('files/docs/images/dashboard.png')?.equals(picture)).toBe(true);
  });

  it('has one style, no script and nothing from anybody else', () => {
    for (const [path, bytes] of site) {
      if (!path.endsWith('.html')) continue;
      expect([path, /<script|style="|<style|\son\w+="|(?:src|<link[^>]*href)="https?:/.exec(String(bytes))]).toEqual([
        path,
        null,
      ]);
    }
  });
});

describe('a broken link', () => {
  const pageWith = (html: string) => new Map([['a/b.html', Buffer.from(html)]]);
  it.each([
    ['a file', '<a href="../c.html">'],
    ['a picture', '<img src="x.png">'],
    ['an anchor', '<h2 id="here"></h2><a href="#there">'],
    ['an anchor elsewhere', '<a href="b.html#there">'],
  ])('%s that is not there is found', (_what, html) => {
    expect(brokenLinks(pageWith(html))).toHaveLength(1);
  });
  it('one that is there is none', () => {
    expect(
      brokenLinks(pageWith('<h2 id="here"></h2><a href="#here"><a href="b.html"><a href="https://x.y/z">')),
    ).toEqual([]);
  });
});

describe('Markdown', () => {
  const render = (source: string) => renderMarkdown(source, (href) => `to:${href}`);

  it('has the anchors that GitHub gives', () => {
    const anchor = slugger();
    expect(
      ['POST /v1/webhooks/{id}/test', 'What we promise, and what we ask', 'A', 'A', '`code`: x'].map(anchor),
    ).toEqual(['post-v1webhooksidtest', 'what-we-promise-and-what-we-ask', 'a', 'a-1', 'code-x']);
    expect(render('## The `case_id`').headings).toEqual([{ level: 2, text: 'The case_id', id: 'the-case_id' }]);
  });

  it('rewrites links in text, pictures and HTML', () => {
    const { html } = render('[a](b) ![c](d)\n\n<a href="e"><img src="f" alt=""></a>');
    expect([...html.matchAll(/"to:(\w)"/g)].map(([, name]) => name)).toEqual(['b', 'd', 'e', 'f']);
  });

  it('shows code as it is, and colours what it knows', () => {
    expect(render('```text\n<b> & "\n```').html).toContain('&lt;b&gt; &amp;');
    expect(render('```ts\nconst a = "<b>";\n```').html).toMatch(/hljs-keyword">const.*&lt;b&gt;/s);
  });
});

describe('/_local/docs', () => {
  const get = (path: string) =>
    localPage(
      docsPages(() => site),
      'GET',
      `/_local/docs${path}`,
    );

  it('serves pages under a strict policy', async () => {
    expect(await get('')).toMatchObject({ status: 301, headers: { location: '/_local/docs/' } });
    expect(await get('/')).toMatchObject({ status: 200, body: site.get('index.html') });
    const page = await get('/adr/');
    expect(page.headers?.['content-security-policy']).toContain("default-src 'none'");
    expect(page.body).toEqual(site.get('adr/index.html'));
    expect(await get('/style.css')).toMatchObject({ headers: { 'content-type': 'text/css; charset=utf-8' } });
    expect(await get('/../package.json')).toMatchObject({ status: 404 });
    expect(await get('/nope.html')).toMatchObject({ status: 404 });
  });
});

it('the viewer of the API reference asks nobody else for anything', () => {
  const script = withoutVendorLogo(readFileSync(require.resolve('redoc/bundles/redoc.standalone.js'), 'utf8'));
  expect(script).not.toContain('cdn.redoc');
  expect(script).not.toMatch(/src:"https?:/);
});
