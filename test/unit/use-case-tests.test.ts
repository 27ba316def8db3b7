import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { transformSync } from 'esbuild';

const USE_CASES = join(__dirname, '../../shared/usecases');

const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));

/** Whether anything is left of a file without its types. */
const hasCode = (path: string): boolean => {
  const { code } = transformSync(readFileSync(join(USE_CASES, path), 'utf8'), { loader: 'ts' });
  return /\S/.test(code);
};

/** Use cases without a test of the same name: `cases/get-case.ts` wants a `get-case.test.ts`. */
function untested(useCases: readonly string[], tests: readonly string[]): string[] {
  const tested = new Set(tests.map((path) => basename(path, '.test.ts')));
  return useCases.filter((path) => !tested.has(basename(path, '.ts')));
}

it('every use case has a unit test of its own', () => {
  const useCases = sources(USE_CASES).filter(hasCode);
  expect(useCases.length).toBeGreaterThan(30);
  expect(untested(useCases, sources(__dirname))).toEqual([]);
});

it('tells ports from use cases, and sees one that was forgotten', () => {
  expect(hasCode('models/registry-port.ts')).toBe(false);
  expect(hasCode('models/run-training.ts')).toBe(true);
  expect(untested(['cases/get-case.ts', 'cases/new.ts'], ['cases/get-case.test.ts', 'new.ts'])).toEqual([
    'cases/new.ts',
  ]);
});
