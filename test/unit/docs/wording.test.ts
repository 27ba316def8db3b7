import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { ROOT } from '../../../docs/site/site-map';

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

/** What a person reads of a file; of code, its comments, strings and JSX texts, but not its identifiers. */
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

it('has nobody fetch a package of ours by a name that nobody has registered', () => {
  const byName = String.raw`(npx|bunx|dlx|exec|install|add|"-y",|uvx|pipx run)( -[a-z-]+)* "?(@fraud-screening/|fraud-screening( |$|\`|"))`;
  const { status, stdout } = spawnSync('git', ['grep', '-nE', byName, '--', '.', ':!test'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
});
