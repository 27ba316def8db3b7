import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { isMissed, writeReport } from '../../../bench/support/measurement';
import { GENERATED } from '../../../docs/generated/sections';
import { brokenLinks } from '../../../docs/site/broken-links';
import { buildSite } from '../../../docs/site/build-site';
import { renderMarkdown } from '../../../docs/site/render-markdown';
import { ROOT, SOURCES } from '../../../docs/site/site-map';
import { slugger } from '../../../docs/site/slug';
import { docsPages, localPage } from '../../../local/gateway/local-pages';
import { withSections } from '../../../shared/cli/text-table';
import { expressionFault } from '../../../shared/domain/rules/rule-faults';
import { RULE_NAMES } from '../../../shared/domain/rules/rule-names';
import { withoutVendorLogo } from '../../../shared/http/without-vendor-logo';

describe('generated', () => {
  it.each(Object.entries(GENERATED))('%s has the sections that the code gives: npm run generate', (page, sections) => {
    const text = readFileSync(join(__dirname, '../../..', page), 'utf8');
    expect(withSections(text, sections())).toBe(text);
  });

  it('a section is replaced, and nothing else; one that is gone is an error, not silence', () => {
    const page = 'before\n<!-- a -->\nold\n<!-- /a -->\nafter $1';
    expect(withSections(page, { a: 'new $1' })).toBe('before\n<!-- a -->\n\nnew $1\n\n<!-- /a -->\nafter $1');
    expect(() => withSections(page, { b: '' })).toThrow('no section <!-- b -->');
  });

  it('the examples of names in rules can be sent as they are', () => {
    expect(RULE_NAMES.flatMap(({ example }) => expressionFault(example) ?? [])).toEqual([]);
  });

  it('a report goes into its section of a page that has one, and is a file by itself otherwise', () => {
    const folder = mkdtempSync(join(tmpdir(), 'report-'));
    const [page, file] = [join(folder, 'page.md'), join(folder, 'file.md')];
    writeFileSync(page, '# Page\n<!-- load -->\n<!-- /load -->\n');
    for (const each of [page, file]) writeReport(each, 'load', 'fast');
    expect(readFileSync(page, 'utf8')).toBe('# Page\n<!-- load -->\n\nfast\n\n<!-- /load -->\n');
    expect(readFileSync(file, 'utf8')).toBe('fast\n');
    rmSync(folder, { recursive: true });
  });

  it('a report says which targets are missed', () => {
    const missed = (found: string, aim: string) => isMissed({ what: '', found, aim });
    expect([missed('41.0 µs', '≤ 40 µs'), missed('1,461', '≥ 1,500')]).toEqual([true, true]);
    expect([missed('40 µs', '≤ 40 µs'), missed('781 bytes', '≤ 1,024 bytes')]).toEqual([false, false]);
  });
});

describe('site', () => {
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
      expect(text('adr/index.html')).toContain('href="0001-0020/0002-single-table-keys.html"');
      const picture = readFileSync(join(ROOT, 'docs/images/dashboard.png'));
      expect(site.get('files/docs/images/dashboard.png')?.equals(picture)).toBe(true);
    });

    it('can be searched by sections, each of which is there', () => {
      const sections = JSON.parse(text('search.json')) as [string, string, string, string][];
      expect(sections.length).toBeGreaterThan(300);
      for (const [, , path] of sections) {
        const [file = '', id] = path.split('#');
        expect([path, text(file).includes(`id="${id}"`)]).toEqual([path, true]);
      }
      const found = sections.find(([, heading]) => heading === 'What analysts see');
      expect([found?.[2], found?.[3]]).toEqual([
        'integration.html#what-analysts-see',
        expect.stringContaining('country'),
      ]);
    });

    it('has one style, the script that searches, and nothing from anybody else', () => {
      for (const [path, bytes] of site) {
        if (!path.endsWith('.html')) continue;
        expect([
          path,
          /<script(?! src="[./]*search\.js"><\/script>)|style="|<style|\son\w+="|(?:src|<link[^>]*href)="https?:/.exec(
            String(bytes),
          ),
        ]).toEqual([path, null]);
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
});

describe('wording', () => {
  /** Folders and files whose texts are edited; add a folder once its comments and messages are. */
  const FOLDERS = [
    'README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'CHANGELOG.md',
    'bench',
    'bin',
    'console',
    'demo',
    'docs',
    'functions',
    'lib',
    'local',
    'sdk',
    'shared',
    'training',
  ];

  /** The glossary lists the words that we do not use. */
  const EXEMPT = ['docs/glossary.md', 'docs/openapi.json'];

  const UNITS =
    'second|minute|hour|day|month|region|stage|account|route|request|call|screening|batch|shard|vector|line|page';

  /** Words of our old private English, and what to write instead. */
  const PATTERNS: ReadonlyArray<readonly [instead: string, pattern: RegExp]> = [
    [
      'per (5 µs per vector, $1 per month, one per route)',
      new RegExp(`[\\d$][\\d,.]*(?: ?[\\w-]+)? an? (?:${UNITS})\\b`),
    ],
    [
      'per (one per route)',
      /\b(?:one|units|requests|cases|screenings|write|read) an? (?:second|route|file|line|screening|batch|shard|verb)\b/,
    ],
    ['per stage per month', /\ba (?:month|second|day|stage) and (?:stage|region|account|shard)\b/],
    [
      'is not an X',
      /(?<!\b[Tt]here )\b(?:is|are|was) no (?!longer\b|more\b|less\b|worse\b|better\b|different\b|such\b|\w+er than\b)/,
    ],
    ['at least, at most', /\bat the (?:very )?(?:least|most)\b/],
    ['Dependencies of X', /\bfrom the outside\b/],
    ['reports, notifies', /\b(?:is|are|was|were|be) told\b/],
    ['is retried, retrying', /\b(?:is|are|was|were|be) tried (?:again|once more)\b/],
    ['continues, resumes, proceeds', /\b(?:goes|go|going|went) on\b(?! (?:to|call|with)\b)|\b(?:goes|go) on with\b/],
    // HTML has an element of that name: its tags and its style are not prose.
    ['metric, measurement, count, value or number', /(?<!<\/?)\bfigures?\b(?! \{)/i],
    ['differently from, unlike', /\botherwise than\b/],
    ['anyone who', /\bwhoever\b/i],
    ['so that … not', /\blest\b/],
    ['the same, this, or nothing', /\bthe very (?!same\b|least\b|first\b|last\b|top\b|end\b)/],
    ['expensive', /\bdear(?:er|est)?\b/],
    ['timeout', /\btime-outs?\b/i],
    ['email', /\be-mails?\b/i],
    ['unchanged', /\bas (?:it|they) came\b/],
    ['in total', /\ball in all\b/],
    ['interrupted', /\b(?:was|were|is|are) cut off\b/],
    ['per cent as 5%', /\d %(?!\w)/],
  ];

  const COMMENTS_AND_STRINGS = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

  /** The text of a file that a person reads; of code, its comments, strings and JSX texts, but not its identifiers. */
  function textsOf(path: string): string {
    const source = readFileSync(join(ROOT, path), 'utf8');
    // Samples and names in a document follow the code; a sentence may be wrapped anywhere.
    if (path.endsWith('.md'))
      return source.replace(/^ *```(?:ts|js|json)\n[\s\S]*?^ *```$|`[^`\n]+`/gm, '').replace(/\s+/g, ' ');
    if (!/\.tsx?$/.test(path)) return source.replace(/\s+/g, ' ');
    const literals = (source.match(COMMENTS_AND_STRINGS) ?? []).map((text) => text.replace(/\$\{[^}]*\}/g, '1'));
    const shown = path.endsWith('x') ? (source.match(/>[^<>{}=;]+</g) ?? []) : [];
    // One word is a name; and a comment that is wrapped is read in one go.
    return [...literals, ...shown]
      .filter((text) => /\s/.test(text.trim()))
      .map((text) => text.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' '))
      .join('\n');
  }

  const files = execFileSync('git', ['ls-files', '--', ...FOLDERS], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => ['.md', '.ts', '.tsx', '.html'].includes(extname(path)) && !EXEMPT.includes(path));

  const texts = new Map(files.map((path) => [path, textsOf(path)] as const));

  describe('the texts', () => {
    it('are many', () => expect(files.length).toBeGreaterThan(300));

    it.each(PATTERNS)('say "%s"', (_instead, pattern) => {
      const global = new RegExp(pattern.source, `${pattern.flags}g`);
      const found = [...texts].flatMap(([path, text]) =>
        [...text.matchAll(global)].map(({ 0: words, index, input }) => {
          const context = input.slice(Math.max(0, index - 40), index + words.length + 30).replace(/\s+/g, ' ');
          return `${path}: …${context}…`;
        }),
      );
      expect(found).toEqual([]);
    });
  });

  it('lets somebody follow one guide after the other: nobody in them is known from before', () => {
    const people = (guide: string) =>
      [
        ...readFileSync(join(ROOT, 'docs/guide', guide), 'utf8').matchAll(
          /"(?:user_id|device_fingerprint|ip_address)":"([^"]+)"/g,
        ),
      ]
        .map(([, value]) => value ?? '')
        // An ordinary customer may come again.
        .filter((value) => !['user-1', 'laptop', '91.0.0.1'].includes(value));
    const before = new Set(people('curl.md'));
    expect(before.size).toBeGreaterThan(2);
    expect(people('quickstart.md').filter((value) => before.has(value))).toEqual([]);
  });

  it('has nobody fetch a package of ours by a name that nobody has registered', () => {
    const byName = String.raw`(npx|bunx|dlx|exec|install|add|"-y",|uvx|pipx run)( -[a-z-]+)* "?(@fraud-screening/|fraud-screening( |$|\`|"))`;
    const { status, stdout } = spawnSync('git', ['grep', '-nE', byName, '--', '.', ':!test'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });
});
