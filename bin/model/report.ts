import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findModel } from '../../shared/domain/models/registry-state';
import { openArtefact, readEvaluation } from '../../shared/usecases/models/model-files';
import { reportOf } from '../../training/report/render-report';
import { type ModelCommand, versionOf } from './arguments';

const FOLDER = join(__dirname, '../../.local/reports');
const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' };

/** Writes the page about a model; --open shows it in the browser. */
export const report: ModelCommand['run'] = async ({ registry }, given) => {
  const { state } = await registry.state();
  const version = versionOf(state, given);
  findModel(state, version);
  const page = reportOf(
    await openArtefact(registry, version),
    await readEvaluation(registry, version),
    await readEvaluation(registry, version, 'shadow'),
  );
  const file = resolve(given.texts.out ?? join(FOLDER, `${version}.html`));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, page);
  if (given.flags.has('open')) {
    const opener = spawn(OPENERS[process.platform] ?? 'xdg-open', [file], { stdio: 'ignore', detached: true });
    opener.on('error', () => console.error('Could not open a browser; the report was written anyway.'));
    opener.unref();
  }
  return `Written to ${file}`;
};
