import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';

const bundles = new Map<string, string>();

function bundleOf(file: string): string {
  const known = bundles.get(file);
  if (known !== undefined) return known;
  const { outputFiles } = buildSync({
    entryPoints: [file],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'iife',
    globalName: 'bundled',
    footer: {
      js: "const { parentPort, workerData } = require('node:worker_threads'); Promise.resolve(bundled[workerData.name](...workerData.args)).then((result) => parentPort.postMessage(result));",
    },
    logLevel: 'warning',
  });
  const text = outputFiles[0]?.text ?? '';
  bundles.set(file, text);
  return text;
}

/**
 * Calls an exported function of a file in a separate thread, as one bundle: between modules every call looks up what it
 * imports, and a long simulation takes noticeably longer.
 */
export function inAThread<Result>(file: string, name: string, ...args: readonly unknown[]): Promise<Result> {
  const worker = new Worker(bundleOf(file), { eval: true, workerData: { name, args } });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The thread ended with ${code} and no result`)));
  });
}
