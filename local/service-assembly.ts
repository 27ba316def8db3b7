import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readJsonFile } from './data-directory';
import type { LocalOptions } from './options';
import { StartError } from './start-error';

export interface SynthesisOptions {
  readonly app: string;
  readonly outdir: string;
  readonly root: string;
  /** Check the template against CloudFormation's own schemas too: 7 s on two cores, which a start need not wait for. */
  readonly validate?: boolean;
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Runs the CDK application as the cdk command line would, without the second that the command line itself takes. */
export async function synthesize(options: SynthesisOptions): Promise<void> {
  const { app, outdir, root, validate = false, context: own = {} } = options;
  const { context = {} } = readJsonFile<{ context?: Record<string, unknown> }>(join(root, 'cdk.json'), {});
  // Assets of earlier syntheses would pile up.
  rmSync(outdir, { recursive: true, force: true });
  const child = spawn(process.execPath, ['--import', 'tsx', app], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      CDK_VALIDATION: String(validate),
      // Construct paths in the template: functions, denials and logs then use the names from lib/.
      // On this machine all monitoring is free: everything is shown unless something else is asked for.
      CDK_CONTEXT_JSON: JSON.stringify({
        monitoring: 'full',
        ...context,
        ...own,
        'aws:cdk:enable-path-metadata': true,
      }),
    },
  });
  let said = '';
  const listen = (chunk: Buffer): void => {
    said += chunk.toString();
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new StartError(`The application failed to synthesize:\n${said.trim()}`);
}

const ROOT = join(__dirname, '..');

/**
 * The assembly of this service that a run executes: synthesized into `outdir` while the emulators start, or the existing
 * one in the directory that `LOCAL_ASSEMBLY` names. A test run synthesizes once and starts a dozen services from it.
 * With deployment options, the service is always synthesized; with a stage, only that one.
 */
export function serviceAssembly(
  outdir: string,
  context: Readonly<Record<string, string>> = {},
  stage?: string,
  app = join(ROOT, 'bin', 'app.ts'),
): Pick<LocalOptions, 'assembly' | 'synthesize'> {
  const { LOCAL_ASSEMBLY: given } = process.env;
  if (given && Object.keys(context).length === 0) return { assembly: resolve(given) };
  return {
    assembly: outdir,
    synthesize: () => synthesize({ app, outdir, root: ROOT, context: stage ? { ...context, stage } : context }),
  };
}
