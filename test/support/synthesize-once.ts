import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../local/synthesize';

const ROOT = join(__dirname, '../..');

/**
 * Synthesizes the app as the CDK command line would, rule packs and CloudFormation's own checks included. Once per test
 * run, and in a directory of its own, since two runs may be under way in one checkout: every service that a test
 * starts, also by a command line, executes this assembly.
 */
export default async function synthesizeOnce(): Promise<void> {
  if (process.env.LOCAL_ASSEMBLY) return;
  const outdir = mkdtempSync(join(tmpdir(), 'assembly-under-test-'));
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  await synthesize({ app: join(ROOT, 'bin/app.ts'), outdir, root: ROOT, validate: true });
  process.env.LOCAL_ASSEMBLY = outdir;
}

/** The assembly under test. */
export const assemblyUnderTest = (): string => process.env.LOCAL_ASSEMBLY ?? '';
