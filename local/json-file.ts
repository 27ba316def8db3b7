import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Reads a JSON file, or returns `fallback` if it does not exist yet. */
export function readJsonFile<T>(path: string, fallback: T): T {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fallback;
    throw error;
  }
}

function writeDraft(path: string, value: unknown): string {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  return draft;
}

/** Writes a JSON file that only its owner can read, atomically: if the process is killed meanwhile, the old file stays. */
export function writeJsonFile(path: string, value: unknown): void {
  renameSync(writeDraft(path, value), path);
}

/** Writes it only if it does not exist yet; false if someone else was faster. */
export function writeNewJsonFile(path: string, value: unknown): boolean {
  const draft = writeDraft(path, value);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}
