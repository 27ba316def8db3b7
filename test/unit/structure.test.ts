import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { circlesOf, grouped, importGraph } from '../support/audits/import-graph';

describe('dependency rules', () => {
  const ROOT = join(__dirname, '../..');

  const ADAPTERS = ['shared/store', 'shared/queue', 'shared/outbound', 'shared/secrets'];
  const OUTSIDE = ['functions', 'lib', 'bin', 'local', 'bench', 'demo', 'training', 'test'];
  const AROUND = ['charts', 'cli', 'http', 'metrics', 'routes', 'runtime', 'schemas'].map((name) => `shared/${name}`);
  const SDK = ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb', '@smithy/types'];

  /** Imports forbidden to each folder: folders of ours, files of ours (with their ending left out) and packages. */
  const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
    'shared/domain/cases': [
      ...['shared/usecases', ...ADAPTERS, ...AROUND, ...OUTSIDE, ...SDK],
      ...['@middy/core', 'zod/mini', 'aws-cdk-lib', 'constructs', 'node:fs', 'node:http', 'node:net', 'node:util'],
    ],
    'shared/domain': ['shared/usecases', ...ADAPTERS, ...AROUND, ...OUTSIDE, ...SDK],
    'shared/usecases/cases': [
      ...ADAPTERS,
      ...AROUND,
      ...OUTSIDE,
      ...SDK,
      '@middy/core',
      'node:fs',
      'node:crypto',
      'zod/mini',
    ],
    'shared/store/cases': ['shared/usecases', ...AROUND, ...OUTSIDE],
    'shared/store/sdk': ['shared/usecases', ...AROUND, ...OUTSIDE],
    'shared/queue': ['shared/usecases', ...AROUND, ...OUTSIDE],
    'shared/outbound': ['shared/usecases', ...AROUND, ...OUTSIDE],
    'shared/secrets': ['shared/usecases', ...AROUND, ...OUTSIDE],
    'shared/http': [...ADAPTERS, 'shared/usecases', ...OUTSIDE, ...SDK],
    'shared/http/presenters': [
      ...[...ADAPTERS, 'shared/usecases', 'shared/routes', 'shared/runtime', 'shared/metrics', ...OUTSIDE, ...SDK],
      ...['@middy/core', 'zod/mini', 'node:fs'],
    ],
    'shared/charts': [
      ...[
        'shared/domain',
        'shared/usecases',
        ...ADAPTERS,
        'shared/http',
        'shared/metrics',
        'shared/schemas',
        ...OUTSIDE,
      ],
      ...[...SDK, 'preact', 'node:fs'],
    ],
    'shared/cli': OUTSIDE,
    'shared/metrics': OUTSIDE,
    'shared/routes': OUTSIDE,
    'shared/runtime': OUTSIDE,
    'shared/schemas': OUTSIDE,
    'functions/http': [
      'lib',
      'bin',
      'local',
      'bench',
      'demo',
      'test',
      'aws-cdk-lib',
      'shared/cli',
      'shared/routes/index',
    ],
    'lib/constructs': ['functions', 'shared/http', 'local', 'bench', 'demo', 'test'],
    bin: ['functions', 'shared/http', 'local', 'bench', 'demo', 'test'],
    'training/replay': [
      ...[...ADAPTERS, 'shared/http', 'shared/routes', 'shared/runtime/clock', ...SDK],
      ...['functions', 'lib', 'bin', 'local', 'bench', 'demo', 'test'],
    ],
    'bench/load': ['test'],
    demo: ['test'],
    'local/aws': ['bin', 'bench', 'demo', 'training', 'test'],
  };

  /** Imports allowed to the same folders, lest a rule that refuses everything looks like one that holds. */
  const ALLOWED: Readonly<Record<string, readonly string[]>> = {
    'shared/domain/cases': ['shared/domain', 'shared/domain/screening', 'node:crypto', 'ipaddr.js'],
    'shared/usecases/cases': ['shared/domain/cases', 'shared/usecases/screening'],
    'shared/store/cases': ['shared/domain/cases', 'shared/store/sdk', ...SDK],
    'shared/charts': ['./other-part'],
    'shared/http': ['shared/domain', 'shared/routes', 'shared/runtime', '@middy/core'],
    'shared/http/presenters': ['shared/domain', 'shared/domain/cases', 'shared/schemas', './other-answer'],
    'shared/runtime': ['shared/store/cases', 'shared/usecases/cases', 'shared/secrets', 'shared/queue'],
    'functions/http': ['shared/routes/cases', 'shared/usecases/cases', 'shared/store/cases', 'training/engine'],
    'training/replay': ['shared/domain/cases', 'shared/usecases/cases', 'shared/runtime/replay-wiring', 'shared/cli'],
    'training/report': ['shared/charts'],
    'local/dashboard': ['shared/charts'],
    'console/src/charts': ['shared/charts'],
    'bench/load': ['local/aws', 'shared/store/cases', 'training/engine'],
  };

  /** Lines that break another rule each. */
  const OTHER_FAULTS: ReadonlyArray<readonly [path: string, source: string, rule: string]> = [
    [
      'shared/domain/cases/rnd.ts',
      "import { randomBytes } from 'node:crypto';\nrandomBytes(1);\n",
      'noRestrictedImports',
    ],
    ['shared/domain/cases/now.ts', 'export const now = () => Date.now();\n', 'plugin'],
    ['shared/usecases/cases/now.ts', 'export const now = () => new Date();\n', 'plugin'],
    ['shared/store/cases/dice.ts', 'export const dice = () => Math.random();\n', 'plugin'],
    ['training/replay/now.ts', 'export const now = () => Date.now();\n', 'plugin'],
    [
      'functions/http/five.ts',
      'export const add = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e;\n',
      'useMaxParams',
    ],
    ['shared/usecases/cases/home.ts', 'export const home = () => process.env.HOME;\n', 'noProcessEnv'],
  ];

  const isOurs = (target: string): boolean =>
    /^(shared|functions|lib|bin|local|bench|demo|training|test)\b/.test(target);

  /** How a file of a folder writes the import of a target: of a folder, some file in it. */
  function specifierOf(folder: string, target: string): string {
    if (!isOurs(target)) return target;
    const up = folder.split('/').map(() => '..');
    const isFile = /\/(index|clock|list-cases|replay-wiring)$/.test(target);
    return `${up.join('/')}/${target}${isFile ? '' : '/some-file'}`;
  }

  /** Every way to write an import. */
  const FORMS: readonly ((from: string) => string)[] = [
    (from) => `import { name } from '${from}';\nname();\n`,
    (from) => `import type { Name } from '${from}';\nexport type Mine = Name;\n`,
    (from) => `export { name } from '${from}';\n`,
    (from) => `export const load = () => import('${from}');\n`,
  ];

  interface Tried {
    readonly path: string;
    readonly source: string;
    readonly what: string;
  }

  const tried = (table: Readonly<Record<string, readonly string[]>>, kind: string): Tried[] =>
    Object.entries(table).flatMap(([folder, targets]) =>
      targets.flatMap((target, at) =>
        FORMS.map((form, number) => ({
          path: `${folder}/${kind}-${at}-${number}.ts`,
          source: form(specifierOf(folder, target)),
          what: `${folder} → ${target}`,
        })),
      ),
    );

  describe('the linter holds the arrows between folders', () => {
    const house = mkdtempSync(join(tmpdir(), 'dependency-rules-'));
    const broken = tried(FORBIDDEN, 'broken');
    const right = tried(ALLOWED, 'right');
    const found = new Map<string, string[]>();

    beforeAll(() => {
      for (const path of ['biome.json', '.biome']) cpSync(join(ROOT, path), join(house, path), { recursive: true });
      const others = OTHER_FAULTS.map(([path, source]) => ({ path, source }));
      for (const { path, source } of [...broken, ...right, ...others]) {
        mkdirSync(dirname(join(house, path)), { recursive: true });
        writeFileSync(join(house, path), source);
      }
      const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
      const { stdout } = spawnSync(
        process.execPath,
        [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'],
        {
          cwd: house,
          encoding: 'utf8',
          maxBuffer: 64 * 1024 * 1024,
        },
      );
      const report = JSON.parse(stdout) as {
        diagnostics: { category: string; location: { path: string | { file: string } } }[];
      };
      for (const { category, location } of report.diagnostics) {
        const path = typeof location.path === 'string' ? location.path : location.path.file;
        found.set(path, [...(found.get(path) ?? []), category]);
      }
    });
    afterAll(() => rmSync(house, { recursive: true }));

    const rulesFor = (path: string): string => found.get(path)?.join() ?? '';

    it.each(Object.keys(FORBIDDEN))('%s: every forbidden import is refused, however it is written', (folder) => {
      const mine = broken.filter(({ path }) => dirname(path) === folder);
      const holes = mine.filter(({ path }) => !rulesFor(path).includes('noRestrictedImports'));
      expect(mine.length).toBeGreaterThan(0);
      expect(holes.map(({ what, source }) => `${what}: ${source}`)).toEqual([]);
    });

    it.each(Object.keys(ALLOWED))('%s: what it needs is not refused', (folder) => {
      const mine = right.filter(({ path }) => dirname(path) === folder);
      expect(
        mine.filter(({ path }) => rulesFor(path) !== '').map(({ what, path }) => `${what}: ${rulesFor(path)}`),
      ).toEqual([]);
    });

    it.each(OTHER_FAULTS)('%s may not: %s', (path, _source, rule) => {
      expect(rulesFor(path)).toContain(rule);
    });
  });
});

describe('room cycles', () => {
  const ROOT = join(__dirname, '../..');
  const FOLDERS = ['bin', 'lib', 'functions', 'shared', 'local', 'bench', 'training', 'demo', 'test'];

  /** `shared/domain/cases`, `training/replay`, `bin/verify`, `local`: what is below a room belongs to it. */
  function roomOf(file: string): string {
    const [top = '', ...rest] = dirname(file).split('/');
    return [top, ...rest.slice(0, top === 'shared' ? 2 : top === 'training' || top === 'bin' ? 1 : 0)].join('/');
  }

  const graph = importGraph(ROOT, FOLDERS);

  it('no two rooms import each other, by any way round', () => {
    expect(circlesOf(grouped(graph, roomOf))).toEqual([]);
  });

  it('no two top-level folders import each other, by any way round', () => {
    expect(circlesOf(grouped(graph, (file) => file.split('/')[0] ?? ''))).toEqual([]);
  });

  it('sees the arrows that there are', () => {
    const rooms = grouped(graph, roomOf);
    expect([...(rooms.get('shared/usecases/cases') ?? [])]).toContain('shared/domain/cases');
    expect([...(rooms.get('shared/domain/models') ?? [])]).toContain('shared/domain/screening');
    expect(rooms.size).toBeGreaterThan(35);
  });

  it('sees a circle, short or long', () => {
    const arrows = (...pairs: ReadonlyArray<readonly [string, string]>) =>
      new Map(pairs.map(([from, to]) => [from, new Set([to])]));
    expect(circlesOf(arrows(['a', 'b'], ['b', 'a']))).toEqual([['a', 'b', 'a']]);
    expect(circlesOf(arrows(['x', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a']))).toEqual([['a', 'b', 'c', 'a']]);
    expect(circlesOf(arrows(['a', 'b'], ['b', 'c']))).toEqual([]);
  });
});
