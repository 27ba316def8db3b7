import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { decodeArtefact } from '../../shared/domain/models/artefact-blob';
import { BASE_MODEL_FILE } from '../../shared/runtime/base-model-file';
import { INTELLIGENCE_FILE } from '../../shared/runtime/intelligence-file';
import { compileIntelligence } from './compile-intelligence';

const ROOT = join(__dirname, '../..');
const FUNCTIONS = join(ROOT, 'functions');
const OUT = join(ROOT, 'dist/functions');

/** The build fails above this size; below it, a function that talks to DynamoDB starts in under 3 × an empty handler. */
export const MAX_BUNDLE_BYTES = 350_000;

const INTELLIGENCE_LOADER = 'shared/runtime/intelligence-file.ts';
const BASE_MODEL_LOADER = 'shared/runtime/base-model-file.ts';
const BASE_MODEL = join(ROOT, 'shared/runtime', BASE_MODEL_FILE);

const standIn = (name: string): string => join(ROOT, 'shared/runtime/stand-ins', `${name}.ts`);

/** What stands in for packages, and for a part of Node, that would be most of what a function loads (docs/adr/0057). */
const STAND_INS = {
  '@aws-sdk/client-dynamodb': standIn('service-clients'),
  '@aws-sdk/client-secrets-manager': standIn('service-clients'),
  '@aws-sdk/client-sqs': standIn('service-clients'),
  '@aws-sdk/credential-provider-node': standIn('environment-credentials'),
  '@aws-sdk/lib-dynamodb': standIn('lib-dynamodb'),
  '@aws-sdk/util-dynamodb': standIn('util-dynamodb'),
  'node:stream/web': standIn('no-web-streams'),
};

/** Bundles that carry a payload, such as the API's description, rather than startup code. */
export const PAYLOAD_BUNDLES: ReadonlySet<string> = new Set(['get-docs-script', 'get-openapi']);

export interface Bundle {
  /** The name of the handler's file: `create-webhook`. */
  readonly name: string;
  readonly directory: string;
  readonly bytes: number;
}

function entryPoints(): Array<{ readonly name: string; readonly file: string }> {
  return readdirSync(FUNCTIONS, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((folder) => readdirSync(join(FUNCTIONS, folder.name)).map((file) => join(FUNCTIONS, folder.name, file)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => ({ name: relative(FUNCTIONS, file).replace(/^.*\//, '').replace(/\.ts$/, ''), file }));
}

let bundled: ReadonlyMap<string, Bundle> | undefined;
let isBuilt = false;

/** Takes the code as another process has just built it: for tests that synthesize again. Called before anything else. */
export function takeBuiltFunctions(): void {
  isBuilt = true;
}

/**
 * Bundles every function, once per process. CommonJS, minified, ESM sources preferred: measured 2.8 × an empty handler
 * from spawn to ready, where ESM output took 3.4 and esbuild's default `mainFields` 40 ms more.
 */
export function bundleFunctions(): ReadonlyMap<string, Bundle> {
  if (bundled) return bundled;
  const entries = entryPoints();
  if (!isBuilt) buildAll(entries);
  const bundles = entries.map(({ name }) => {
    const directory = join(OUT, name);
    return { name, directory, bytes: statSync(join(directory, 'index.js')).size };
  });
  const tooBig = bundles.filter(({ name, bytes }) => bytes > MAX_BUNDLE_BYTES && !PAYLOAD_BUNDLES.has(name));
  if (tooBig.length > 0) {
    const list = tooBig.map(({ name, bytes }) => `${name} (${bytes} bytes)`).join(', ');
    throw new Error(`Over the bundle budget of ${MAX_BUNDLE_BYTES} bytes: ${list}`);
  }
  bundled = new Map(bundles.map((bundle) => [bundle.name, bundle]));
  return bundled;
}

function buildAll(entries: ReturnType<typeof entryPoints>): void {
  const { metafile } = buildSync({
    entryPoints: Object.fromEntries(entries.map(({ name, file }) => [`${name}/index`, file])),
    absWorkingDir: ROOT,
    outdir: OUT,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'],
    legalComments: 'none',
    loader: { '.standalone.js': 'text' },
    alias: STAND_INS,
    logOverride: { 'import-is-undefined': 'error' },
    logLevel: 'warning',
    metafile: true,
  });
  addData(metafile);
}

/** Puts the compiled IP ranges and the base model, which is checked here, next to the code of every function that loads them. */
function addData({ outputs }: Metafile): void {
  if (existsSync(BASE_MODEL)) decodeArtefact(readFileSync(BASE_MODEL));
  for (const [file, { inputs }] of Object.entries(outputs)) {
    const directory = join(ROOT, dirname(file));
    if (INTELLIGENCE_LOADER in inputs) compileIntelligence(join(directory, INTELLIGENCE_FILE));
    if (BASE_MODEL_LOADER in inputs && existsSync(BASE_MODEL))
      copyFileSync(BASE_MODEL, join(directory, BASE_MODEL_FILE));
  }
}

export function bundleReport(bundles: ReadonlyMap<string, Bundle>): string {
  return [...bundles.values()]
    .sort((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => `${name.padEnd(24)} ${(bytes / 1000).toFixed(1).padStart(8)} kB`)
    .join('\n');
}
