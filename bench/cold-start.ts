import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions, PAYLOAD_BUNDLES } from '../lib/bundling/bundle-functions';
import { SDK_ENVIRONMENT } from '../shared/runtime/sdk-environment';
import type { Measurement } from './support/measurement';

const ROUNDS = 15;
const LIMIT = 3;
/** Functions that merchants wait for. */
const SCREENING = ['screen-transaction', 'screen-event'];

// Lambda's runtime has loaded these before any handler, an empty one too (aws-lambda-ric 4.0.2, index.mjs).
const OF_THE_RUNTIME = ['async_hooks', 'fs', 'http', 'module', 'net', 'os', 'path', 'util', 'worker_threads'];

// Loads a bundle as Lambda's runtime does, with the environment its stack would give it, and says when it is ready. To exit takes
// milliseconds too, more with a larger heap, and is not part of a start.
const LOADER = `
  for (const name of ${JSON.stringify(OF_THE_RUNTIME)}) require('node:' + name);
  const { handler } = require(process.argv[1]);
  if (typeof handler !== 'function') throw new Error('no handler');
  require('node:fs').writeSync(1, String(performance.timeOrigin + performance.now()));
  process.exit(0);
`;

const ENVIRONMENT = {
  PATH: process.env.PATH,
  STAGE: 'sandbox',
  TABLE_NAME: 'table',
  MODEL_BUCKET: 'models',
  FRESH_QUEUE_URL: 'http://localhost/fresh',
  RETRY_QUEUE_URL: 'http://localhost/retry',
  RELAY_FAILURES_URL: 'http://localhost/failures',
  DATA_KEY_SECRET_ID: 'secret',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'x',
  AWS_SECRET_ACCESS_KEY: 'x',
  ...SDK_ENVIRONMENT,
};

function spawnToReadyMs(file: string): number {
  const startedMs = performance.timeOrigin + performance.now();
  const child = spawnSync(process.execPath, ['-e', LOADER, file], { env: ENVIRONMENT, encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`${file} failed to load: ${child.stderr}`);
  return Number(child.stdout) - startedMs;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Time from spawn to ready for every function, as a multiple of an empty handler's in the same rounds. */
export function run(): Measurement[] {
  const empty = join(mkdtempSync(join(tmpdir(), 'bench-')), 'index.js');
  writeFileSync(empty, 'exports.handler = async () => ({});');
  const bundles = [...bundleFunctions().values()].sort((a, b) => b.bytes - a.bytes);
  const files = [{ name: '(empty handler)', file: empty, bytes: 0 }].concat(
    bundles.map(({ name, directory, bytes }) => ({ name, file: join(directory, 'index.js'), bytes })),
  );
  // Rounds in turn, not one function after the other: a noisy minute hits all of them alike.
  const times = files.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round++) {
    files.forEach(({ file }, index) => {
      times[index]?.push(spawnToReadyMs(file));
    });
  }
  const base = median(times[0] ?? []);
  console.log('function                     kB      ms   × empty');
  files.forEach(({ name, bytes }, index) => {
    const ms = median(times[index] ?? []);
    const row = [
      name.padEnd(22),
      (bytes / 1000).toFixed(0).padStart(8),
      ms.toFixed(1).padStart(7),
      (ms / base).toFixed(2).padStart(9),
    ];
    console.log(row.join(' '));
  });
  const largest = files.findIndex(({ name, bytes }) => bytes > 0 && !PAYLOAD_BUNDLES.has(name));
  const ratio = median(times[largest] ?? []) / base;
  console.log(`${files[largest]?.name}, the largest that uses DynamoDB: ${ratio.toFixed(2)} × (limit ${LIMIT})`);
  if (ratio > LIMIT) process.exitCode = 1;
  const screening = files.filter(({ name }) => SCREENING.includes(name));
  return [
    ...screening.map(({ name, bytes }) => ({
      what: `bundle of ${name}`,
      found: `${(bytes / 1000).toFixed(0)} kB`,
      aim: '≤ 240 kB',
    })),
    ...files.slice(1).map(({ name }, index) => ({
      what: `cold start of ${name} × empty handler`,
      found: (median(times[index + 1] ?? []) / base).toFixed(2),
      aim: SCREENING.includes(name) ? '≤ 2.2' : '≤ 2.6',
    })),
  ];
}
