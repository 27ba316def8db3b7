import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
export const ASSEMBLY = join(ROOT, 'dist/assembly-under-test');

/** Synthesizes the app as the CDK command line would, rule packs and CloudFormation checks included. */
export default function synthesizeOnce(): void {
  if (process.env.ASSEMBLY_UNDER_TEST) return;
  const app = spawnSync(process.execPath, ['--import', 'tsx', 'bin/app.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
    // No AWS credentials, no region: synthesizing must need neither.
    env: { PATH: process.env.PATH, HOME: '/nonexistent', CDK_OUTDIR: ASSEMBLY },
  });
  if (app.status !== 0) throw new Error(`The app does not synthesize:\n${app.stdout}\n${app.stderr}`);
  process.env.ASSEMBLY_UNDER_TEST = ASSEMBLY;
}
