import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RegexLiteral, regexLiterals } from '../support/audits/regex-literals';

/** recheck on the expressions of its input, in a separate process: in jest's sandbox it is ten times as slow. */
const RECHECK = `
// Its JavaScript, not a program for one kind of machine; it reads this while it loads.
process.env.RECHECK_SYNC_BACKEND = 'pure';
const { checkSync } = require('recheck');
const expressions = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
const verdicts = expressions.map(({ source, flags }) => {
  const { status, complexity } = checkSync(source, flags, { checker: 'automaton', timeout: null });
  return { status, complexity: complexity?.type };
});
process.stdout.write(JSON.stringify(verdicts));`;

const ROOT = join(__dirname, '../..');
const FILES = ['shared', 'functions'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    // Command lines read what their own user types.
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.startsWith('cli/'))
    .map((file) => `${folder}/${file}`),
);
const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const CONSTRUCTED = /new RegExp\(/;

/** Loads modules while every `new RegExp` that they make is written down, with the file that makes it. */
function constructedBy(files: readonly string[]): Array<RegexLiteral & { readonly file: string }> {
  const made: Array<RegexLiteral & { readonly file: string }> = [];
  const Native = RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct(target, args, newTarget) {
      const regex = Reflect.construct(target, args, newTarget) as RegExp;
      const { stack = '' } = new Error();
      const file = files.find((name) => stack.includes(`/${name}`));
      if (file) made.push({ source: regex.source, flags: regex.flags, file });
      return regex;
    },
  });
  try {
    for (const file of files) require(join(ROOT, file));
    const { ROUTES } = require(join(ROOT, 'shared/routes/index.ts'));
    for (const route of ROUTES) route.success.schema?.();
  } finally {
    globalThis.RegExp = Native;
  }
  return made;
}

describe('the scanner', () => {
  it('finds expressions, and takes neither divisions, strings, templates nor comments for one', () => {
    const source = [
      'const a = /one[/]\\/x/gi, b = 4 / 2 / 1;',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source.
      'const c = \'/no/\' + "/no/" + `/no/ ${f(/two/u, `${/three/}`)} /no/`; // /no/',
      '/* /no/ */ const d = (x: number): boolean => /four/.test(String(x)) && !/five/.test("a/b");',
      'function e() { return /six/y; } const g = c.length / 2 > 1 ? [/seven/] : { h: /eight/ };',
    ].join('\n');
    expect(regexLiterals(source).map(({ source: text, flags }) => `${text} ${flags}`.trim())).toEqual([
      'one[/]\\/x gi',
      'two u',
      'three',
      'four',
      'five',
      'six y',
      'seven',
      'eight',
    ]);
  });
});

describe('every regular expression of ours', () => {
  const files = FILES.filter((file) => CONSTRUCTED.test(sourceOf(file)));
  const constructed = constructedBy(files);
  const literals = FILES.flatMap((file) => regexLiterals(sourceOf(file)).map((literal) => ({ ...literal, file })));

  it('is found: literals by the scanner, others by what their modules make when they are loaded', () => {
    expect(literals.length).toBeGreaterThan(30);
    expect(new Set(constructed.map(({ file }) => file))).toEqual(new Set(files));
  });

  it('is linear', () => {
    const unique = [
      ...new Map([...literals, ...constructed].map((each) => [`/${each.source}/${each.flags}`, each])).values(),
    ];
    const { stdout } = spawnSync(process.execPath, ['-e', RECHECK], { cwd: ROOT, input: JSON.stringify(unique) });
    const verdicts = JSON.parse(String(stdout)) as { status: string; complexity?: string }[];
    expect(verdicts).toHaveLength(unique.length);
    const slow = unique.flatMap((each, at) => {
      const { status, complexity = '' } = verdicts[at] ?? { status: 'unknown' };
      return status === 'safe' && ['safe', 'linear'].includes(complexity) ? [] : [{ ...each, status, complexity }];
    });
    expect(slow).toEqual([]);
  });
});
