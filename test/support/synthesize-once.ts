import { join } from 'node:path';
import { synthesize } from '../../local/synthesize';

const ROOT = join(__dirname, '../..');
export const ASSEMBLY = join(ROOT, 'dist/assembly-under-test');

/**
 * Synthesizes the app as the CDK command line would, rule packs and CloudFormation's own checks included. Once per test
 * run: every service that a test starts, also by a command line, executes this assembly.
 */
export default async function synthesizeOnce(): Promise<void> {
  if (process.env.LOCAL_ASSEMBLY) return;
  await synthesize({ app: join(ROOT, 'bin/app.ts'), outdir: ASSEMBLY, root: ROOT, validate: true });
  process.env.LOCAL_ASSEMBLY = ASSEMBLY;
}
