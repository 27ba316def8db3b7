import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../local/local-options';

const ROOT = join(__dirname, '../..');

export const TEST_BUS = 'arn:aws:events:us-east-1:000000000000:event-bus/orders';
/** Where the assembly with an event bus, an option of deployments, is kept, next to the usual one. */
export const withBus = (assembly: string): string => `${assembly}-with-bus`;

/**
 * Synthesizes the app as the CDK command line would, rule packs and CloudFormation's own checks included. Once per test
 * run, and in a separate directory, since two runs may be under way in one checkout: every service that a test
 * starts, also by a command line, executes this assembly.
 */
export default async function synthesizeOnce(): Promise<void> {
  if (process.env.LOCAL_ASSEMBLY) return;
  const outdir = mkdtempSync(join(tmpdir(), 'assembly-under-test-'));
  process.once('exit', () => {
    for (const made of [outdir, withBus(outdir)]) rmSync(made, { recursive: true, force: true });
  });
  await synthesize({ app: join(__dirname, 'synthesize-under-test.ts'), outdir, root: ROOT, validate: true });
  process.env.LOCAL_ASSEMBLY = outdir;
}

/** The assembly under test. */
export const assemblyUnderTest = (): string => process.env.LOCAL_ASSEMBLY ?? '';
