import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printFailure, readCommandLine, UsageError } from '../shared/cli/command-line';
import { YOUNG_MEMORY } from './young-memory';

const ROOT = join(__dirname, '..');
/** Before anything of this process is added to it: tests must find the environment that the user has. */
const ENVIRONMENT = { ...process.env };

interface Steps {
  readonly about: string;
  /** Command lines, each run if the one before it succeeded; the last takes further arguments. */
  readonly steps: ReadonlyArray<readonly string[]>;
  /** All at once instead, since each leaves a core idle now and then; all but the last speak only if they fail. */
  readonly sideBySide?: true;
  readonly env?: Readonly<Record<string, string>>;
  readonly next: string;
}

const npm = (script: string): readonly string[] => ['npm', 'run', '--silent', script];
const tsx = (file: string): readonly string[] => [process.execPath, '--import', 'tsx', file];
const jest = (...args: readonly string[]): readonly string[] => [
  process.execPath,
  YOUNG_MEMORY,
  join(ROOT, 'node_modules/jest/bin/jest.js'),
  ...args,
];

/** Suites with a promised size: `sized()` runs them in full. */
const suitesInFull = (): readonly string[] =>
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
    .filter((file) => file.startsWith('test/soak/') || readFileSync(join(ROOT, file), 'utf8').includes('sized('));

const COMMANDS: Readonly<Record<string, Steps>> = {
  test: {
    about: 'Checks lint and types and runs the tests, against their own service. Further arguments are those of jest.',
    steps: [npm('lint'), npm('types'), jest('--ignoreProjects', 'nightly', 'soak')],
    sideBySide: true,
    next: 'npm run check is the short form while you write code, npm run test:nightly runs what is left out here.',
  },
  check: {
    about: 'Runs lint, types and unit tests side by side: the loop while you write code.',
    steps: [npm('lint'), npm('types'), jest('--selectProjects', 'unit')],
    sideBySide: true,
    next: 'npm test runs everything.',
  },
  'test:nightly': {
    about: 'Runs what a change rarely breaks (docs/testing.md names it), then prints the coverage of the unit tests.',
    steps: [
      jest('--selectProjects', 'nightly'),
      jest(
        ...['--selectProjects', 'unit', 'slow', '--coverage', '--coverageProvider', 'v8'],
        ...['--coverageReporters', 'text-summary', '--coverageDirectory', '.local/coverage'],
      ),
    ],
    next: 'npm run test:soak runs the promises about time under load.',
  },
  'test:soak': {
    about: 'Runs the promises about time under load, and every test with a promised size, at full size (three hours).',
    get steps() {
      const projects = ['unit', 'slow', 'infra', 'integration', 'e2e', 'browser', 'nightly', 'soak'];
      return [jest('--runInBand', '--selectProjects', ...projects, '--testPathPatterns', ...suitesInFull())];
    },
    env: { SOAK: 'full' },
    next: 'docs/promises.md says what each of them promises.',
  },
  'test:node24': {
    about:
      'Runs the unit, contract and integration tests on the Node that Lambda runs. Further arguments are those of jest.',
    steps: [
      [
        ...tsx('bin/run-on-lambda-node.ts'),
        'node_modules/jest/bin/jest.js',
        ...['--selectProjects', 'unit', 'contract', 'integration'],
      ],
    ],
    next: 'npm test runs everything on your own Node.',
  },
  generate: {
    about:
      'Writes everything that is derived from code: OpenAPI, the clients’ types, IAM policies, sections of documents.',
    steps: [npm('openapi'), npm('policies'), npm('sections')],
    next: 'npm run check, then commit what changed.',
  },
  openapi: {
    about:
      'Writes docs/openapi.json, docs/bus-events.schema.json and docs/guide/api.md from the routes and their schemas, then the types of the clients.',
    steps: [tsx('bin/write-openapi.ts'), npm('sdk:types')],
    next: 'commit what changed.',
  },
};

/** The exit status of a command. Its output is shown at once; in the background, only if it has failed. */
async function statusOf([command = '', ...words]: readonly string[], env: NodeJS.ProcessEnv, isInBackground: boolean) {
  const output = isInBackground ? 'pipe' : 'inherit';
  const child = spawn(command, words, { cwd: ROOT, stdio: ['inherit', output, output], env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 && said !== '') console.error(said);
  return code ?? 1;
}

async function run([name = '', ...args]: readonly string[]): Promise<number> {
  const known = COMMANDS[name];
  if (!known) throw new UsageError(`No steps "${name}". There are: ${Object.keys(COMMANDS).join(', ')}.`);
  const { about, steps, sideBySide, env, next } = known;
  if (args.includes('--help')) {
    const usage = name === 'test' ? 'npm test' : `npm run ${name}`;
    readCommandLine({ usage, about, options: {}, next }, ['--help']);
    return 0;
  }
  const isLast = (at: number): boolean => at === steps.length - 1;
  const given = steps.map((words, at) => (isLast(at) ? [...words, ...args] : words));
  const variables = { ...ENVIRONMENT, ...env };
  if (sideBySide) {
    const ends = await Promise.all(given.map((words, at) => statusOf(words, variables, !isLast(at))));
    const failed = given.filter((_, at) => ends[at] !== 0).map((words) => words.join(' '));
    if (failed.length > 0) console.error(`Failed:\n${failed.map((words) => `  ${words}\n`).join('')}`);
    return Math.max(...ends);
  }
  for (const words of given) {
    const status = await statusOf(words, variables, false);
    if (status !== 0) return status;
  }
  return 0;
}

/*
 * Scripts of package.json that are several commands, or one that needs a setting: so `--help` explains them, where a chain in
 * package.json would run its first commands and show the help of the last.
 */
run(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status;
  },
  (error) => {
    printFailure(error);
    process.exitCode = 1;
  },
);
