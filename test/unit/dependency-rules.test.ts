import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Files that break a rule each, and the rule. */
const BROKEN: ReadonlyArray<readonly [path: string, source: string, rule: string]> = [
  ['shared/domain/a.ts', "import { openTable } from '../store/client';\nopenTable('t');\n", 'noRestrictedImports'],
  ['shared/domain/b.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';\nGetCommand;\n", 'noRestrictedImports'],
  ['shared/domain/c.ts', "import { readFileSync } from 'node:fs';\nreadFileSync('x');\n", 'noRestrictedImports'],
  ['shared/domain/d.ts', "import { randomBytes } from 'node:crypto';\nrandomBytes(1);\n", 'noRestrictedImports'],
  ['shared/usecases/e.ts', "import { openTable } from '../store/client';\nopenTable('t');\n", 'noRestrictedImports'],
  ['shared/store/f.ts', "import { run } from '../usecases/create-webhook';\nrun();\n", 'noRestrictedImports'],
  ['functions/http/g.ts', "import { ROUTES } from '../../shared/routes';\nROUTES.at(0);\n", 'noRestrictedImports'],
  ['functions/http/h.ts', "import { Stack } from 'aws-cdk-lib';\nnew Stack();\n", 'noRestrictedImports'],
  ['lib/i.ts', "import { build } from '../functions/http/list-webhooks';\nbuild();\n", 'noRestrictedImports'],
  [
    'shared/http/presenters/n.ts',
    "import { openTable } from '../../store/sdk/client';\nopenTable('t');\n",
    'noRestrictedImports',
  ],
  [
    'shared/http/presenters/o.ts',
    "import { listCases } from '../../usecases/cases/list-cases';\nlistCases();\n",
    'noRestrictedImports',
  ],
  [
    'shared/http/presenters/p.ts',
    "import { listCasesRoute } from '../../routes/list-cases';\nlistCasesRoute.path;\n",
    'noRestrictedImports',
  ],
  ['shared/http/presenters/q.ts', "import * as z from 'zod/mini';\nz.string();\n", 'noRestrictedImports'],
  [
    'functions/http/r.ts',
    'export const add = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e;\n',
    'useMaxParams',
  ],
  ['shared/domain/j.ts', 'export const now = () => Date.now();\n', 'plugin'],
  ['shared/usecases/k.ts', 'export const now = () => new Date();\n', 'plugin'],
  ['shared/store/l.ts', 'export const dice = () => Math.random();\n', 'plugin'],
  ['shared/usecases/m.ts', 'export const home = () => process.env.HOME;\n', 'noProcessEnv'],
];

const RIGHT: ReadonlyArray<readonly [path: string, source: string]> = [
  ['shared/usecases/ok.ts', "import { notFound } from '../domain/errors';\nnotFound('x');\n"],
  [
    'shared/http/presenters/ok.ts',
    "import type { RiskLevel } from '../../domain/screening/decide';\nimport type { AnswerOf } from '../../schemas/answer-of';\nimport { other } from './other';\nexport const answer = (level: RiskLevel): AnswerOf<never> => other(level);\n",
  ],
  ['functions/http/ok.ts', "import { route } from '../../shared/routes/list-webhooks';\nroute.toString();\n"],
  ['shared/runtime/ok.ts', 'export const now = () => Date.now();\n'],
];

describe('the linter holds the arrows between folders', () => {
  const house = mkdtempSync(join(tmpdir(), 'dependency-rules-'));
  let found: Map<string, string[]>;

  beforeAll(() => {
    for (const path of ['biome.json', '.biome']) cpSync(join(ROOT, path), join(house, path), { recursive: true });
    for (const [path, source] of [...BROKEN, ...RIGHT]) {
      mkdirSync(dirname(join(house, path)), { recursive: true });
      writeFileSync(join(house, path), source);
    }
    const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
    const { stdout } = spawnSync(process.execPath, [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'], {
      cwd: house,
      encoding: 'utf8',
    });
    const report = JSON.parse(stdout) as {
      diagnostics: { category: string; location: { path: string | { file: string } } }[];
    };
    found = new Map();
    for (const { category, location } of report.diagnostics) {
      const path = typeof location.path === 'string' ? location.path : location.path.file;
      found.set(path, [...(found.get(path) ?? []), category]);
    }
  });
  afterAll(() => rmSync(house, { recursive: true }));

  it.each(BROKEN)('%s may not: %s', (path, _source, rule) => {
    expect(found.get(path)?.join()).toContain(rule);
  });

  it.each(RIGHT)('%s may: %s', (path) => {
    expect(found.get(path) ?? []).toEqual([]);
  });
});
