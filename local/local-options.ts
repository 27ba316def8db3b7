import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CommandLine, readCommandLine } from '../shared/cli/command-line';
import type { Intercept } from './aws/front';
import { readJsonFile } from './data-directory';
import { type Crash, DEFAULT_CONCURRENCY } from './lambda/lambda-function';
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

/** Settings of a local run; `main.ts` builds them from the command line, tests build them by hand. */
export interface LocalOptions {
  readonly assembly: string;
  readonly stackName: string;
  readonly dataDir: string;
  /** 0 means any free port. */
  readonly port: number;
  readonly reset?: boolean;
  readonly verbose?: boolean;
  /** Keeps tables in memory only: fast writes for tests and benchmarks, and a fresh start each time. */
  readonly inMemory?: boolean;
  /** The user's own emulator for DynamoDB, SQS and S3; ours are then not started. */
  readonly endpointUrl?: string | undefined;
  /** Synthesizes into `assembly` first, while the emulators start. */
  readonly synthesize?: () => Promise<void>;
  readonly concurrencyPerFunction?: number;
  /** Functions use a clock that `POST /_local/clock/<milliseconds>` moves forward. */
  readonly virtualClock?: boolean;
  /** Webhooks may go to receivers on this machine with a certificate from its own authority. */
  readonly localWebhooks?: boolean;
  readonly intercept?: Intercept;
  readonly crash?: Crash;
  /** Prints progress while starting, and anything that needs attention while running. */
  readonly print?: (line: string) => void;
}

const ROOT = join(__dirname, '..');
const STAGES = ['sandbox', 'production'];

const COMMAND_LINE = {
  usage: 'npm start -- [options]',
  about: 'Runs the whole service on this machine, from the synthesized CloudFormation template.',
  options: {
    port: { value: 'number', does: 'port of the API; 0 picks any free port', default: '3000' },
    stage: { value: 'name', does: 'sandbox or production', default: 'sandbox' },
    'data-dir': { value: 'directory', does: 'where data is kept between runs (default .local/<stage>)' },
    reset: { does: 'delete the data of earlier runs' },
    'in-memory': {
      does: 'keep tables in memory: faster, lost at the end (default directory .local/<stage>-in-memory)',
    },
    'endpoint-url': { value: 'url', does: 'use your own AWS emulator for DynamoDB, SQS and S3' },
    'local-webhooks': {
      does: 'let webhooks reach this machine, for npm run listen and your own receivers',
    },
    concurrency: {
      value: 'number',
      does: 'maximum concurrent executions per function',
      default: String(DEFAULT_CONCURRENCY),
    },
    context: {
      value: 'name=value',
      does: 'a deployment option, as for cdk deploy; repeatable',
      short: 'c',
      isList: true,
    },
    warehouse: { does: 'write decisions, outcomes and cases as Parquet files to <data-dir>/warehouse' },
    'virtual-clock': {
      does: 'let POST /_local/clock/<milliseconds> move the clock of functions and schedules forward',
    },
    verbose: { does: 'show everything the functions print' },
  },
  notes:
    'LOCAL_ASSEMBLY=<directory> uses an assembly that is already synthesized, unless deployment options are given.',
  next: 'follow docs/guide/quickstart.md in another terminal, or run npm run demo instead.',
} as const satisfies CommandLine;

function readContext(given: readonly string[]): Record<string, string> {
  const pairs = given.map((pair) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined || value === undefined) {
      throw new StartError(`--context ${pair} is not a deployment option. Use name=value.`);
    }
    return [name, value];
  });
  return Object.fromEntries(pairs);
}

export function localOptions(args: readonly string[]): LocalOptions | undefined {
  const given = readCommandLine(COMMAND_LINE, args);
  if (!given) return undefined;
  const { port = '', stage = '', concurrency = '', 'endpoint-url': endpointUrl, 'data-dir': directory } = given.texts;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new StartError(`--port ${port} is not a valid port. Use a number from 0 to 65535.`);
  }
  if (!STAGES.includes(stage)) throw new StartError(`Unknown stage: ${stage}. Use ${STAGES.join(' or ')}.`);
  if (!/^[1-9]\d{0,2}$/.test(concurrency)) {
    throw new StartError(`--concurrency ${concurrency} is not valid. Use a number from 1 to 999.`);
  }
  const inMemory = given.flags.has('in-memory');
  if (endpointUrl !== undefined && !/^http:\/\/[^/]+\/?$/.test(endpointUrl)) {
    throw new StartError(`--endpoint-url ${endpointUrl} is not a valid URL. Use http://host:port of your emulator.`);
  }
  const warehouse = given.flags.has('warehouse') ? { warehouse: 'on' } : {};
  const context = { ...warehouse, ...readContext(given.lists.context ?? []) };
  // Absolute: a function's thread resolves its bundle from a different directory.
  const dataDir = resolve(directory ?? join(ROOT, '.local', inMemory ? `${stage}-in-memory` : stage));
  return {
    // Not cdk.out: two runs must not synthesize over each other, nor over a deployment.
    ...serviceAssembly(join(dataDir, 'assembly'), context, stage),
    stackName: `FraudScreening-${stage}`,
    port: Number(port),
    dataDir,
    inMemory,
    reset: given.flags.has('reset'),
    verbose: given.flags.has('verbose'),
    concurrencyPerFunction: Number(concurrency),
    virtualClock: given.flags.has('virtual-clock'),
    endpointUrl,
    localWebhooks: given.flags.has('local-webhooks'),
  };
}
