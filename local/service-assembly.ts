import { join, resolve } from 'node:path';
import type { LocalOptions } from './options';
import { synthesize } from './synthesize';

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
