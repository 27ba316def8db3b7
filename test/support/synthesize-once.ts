import { join } from 'node:path';
import { synthesize } from '../../local/synthesize';

const ROOT = join(__dirname, '../..');
export const ASSEMBLY = join(ROOT, 'dist/assembly-under-test');

/** Synthesizes the app as the CDK command line would, rule packs and CloudFormation's own checks included. */
export default async function synthesizeOnce(): Promise<void> {
  if (process.env.ASSEMBLY_UNDER_TEST) return;
  await synthesize({ app: join(ROOT, 'bin/app.ts'), outdir: ASSEMBLY, root: ROOT, validate: true });
  process.env.ASSEMBLY_UNDER_TEST = ASSEMBLY;
}
