import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunFile } from '../../../bin/admin/find-run-file';

const root = mkdtempSync(join(tmpdir(), 'run-file-'));
afterAll(() => rmSync(root, { recursive: true }));

function running(name: string): string {
  mkdirSync(join(root, name), { recursive: true });
  const file = join(root, name, 'run.json');
  writeFileSync(file, '{}');
  return file;
}

it('finds a stage that runs in memory too, and the one with its data on disk first', () => {
  expect(findRunFile(root, 'sandbox')).toBeUndefined();
  const inMemory = running('sandbox-in-memory');
  expect(findRunFile(root, 'sandbox')).toBe(inMemory);
  expect(findRunFile(root, 'production')).toBeUndefined();
  const onDisk = running('sandbox');
  expect(findRunFile(root, 'sandbox')).toBe(onDisk);
});
