import { join, resolve } from 'node:path';
import { type CommandLine, readCommandLine } from '../shared/cli/command-line';
import { DEFAULT_CONCURRENCY } from './lambda/pool';
import type { LocalOptions } from './options';
import { serviceAssembly } from './service-assembly';
import { StartError } from './start-error';

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
  const context = readContext(given.lists.context ?? []);
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
