import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { greet } from './greeting';
import { DEFAULT_CONCURRENCY } from './lambda/pool';
import type { LocalOptions } from './options';
import { runUntilStopped } from './run-until-stopped';
import { serviceAssembly } from './service-assembly';
import { StartError } from './start-error';

const ROOT = join(__dirname, '..');
const STAGES = ['sandbox', 'production'];

const HELP = `Runs the whole service on this machine, from the synthesized CloudFormation template.

  npm start -- [options]

  --port <number>         port of the API (default 3000; 0 picks any free port)
  --stage <name>          sandbox (default) or production
  --data-dir <directory>  where data is kept between runs (default .local/<stage>)
  --reset                 delete the data of earlier runs
  --in-memory             keep tables in memory: faster, lost at the end (default directory .local/<stage>-in-memory)
  --endpoint-url <url>    use your own AWS emulator for DynamoDB, SQS and S3
  --local-webhooks        let webhooks reach this machine, for npm run listen and your own receivers
  --concurrency <number>  maximum concurrent executions per function (default ${DEFAULT_CONCURRENCY})
  -c, --context <n>=<v>   a deployment option, as for cdk deploy; repeatable
  --virtual-clock         let POST /_local/clock/<milliseconds> move the functions' clock forward
  --verbose               show everything the functions print
  --help                  show this help

  LOCAL_ASSEMBLY=<directory> uses an assembly that is already synthesized, unless deployment options are given.
`;

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '3000' },
        stage: { type: 'string', default: 'sandbox' },
        'data-dir': { type: 'string' },
        reset: { type: 'boolean', default: false },
        'in-memory': { type: 'boolean', default: false },
        'endpoint-url': { type: 'string' },
        'local-webhooks': { type: 'boolean', default: false },
        concurrency: { type: 'string', default: String(DEFAULT_CONCURRENCY) },
        context: { type: 'string', short: 'c', multiple: true, default: [] as string[] },
        'virtual-clock': { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new StartError(`${(error as Error).message}\nTry --help.`);
  }
}

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

/** The options of the command line; undefined when it only asked for help. */
function localOptions(args: readonly string[]): LocalOptions | undefined {
  const { port, stage, reset, verbose, help, ...values } = readArguments(args);
  if (help) {
    console.log(HELP);
    return undefined;
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new StartError(`--port ${port} is not a valid port. Use a number from 0 to 65535.`);
  }
  if (!STAGES.includes(stage)) throw new StartError(`Unknown stage: ${stage}. Use ${STAGES.join(' or ')}.`);
  const { concurrency } = values;
  if (!/^[1-9]\d{0,2}$/.test(concurrency)) {
    throw new StartError(`--concurrency ${concurrency} is not valid. Use a number from 1 to 999.`);
  }
  const { 'endpoint-url': endpointUrl, 'in-memory': inMemory } = values;
  if (endpointUrl !== undefined && !/^http:\/\/[^/]+\/?$/.test(endpointUrl)) {
    throw new StartError(`--endpoint-url ${endpointUrl} is not a valid URL. Use http://host:port of your emulator.`);
  }
  const context = readContext(values.context);
  // Absolute: a function's thread looks for its bundle from a place of its own.
  const dataDir = resolve(values['data-dir'] ?? join(ROOT, '.local', inMemory ? `${stage}-in-memory` : stage));
  return {
    // Not cdk.out: two runs must not synthesize over each other, nor over a deployment.
    ...serviceAssembly(join(dataDir, 'assembly'), context),
    stackName: `FraudScreening-${stage}`,
    port: Number(port),
    dataDir,
    inMemory,
    reset,
    verbose,
    concurrencyPerFunction: Number(concurrency),
    virtualClock: values['virtual-clock'],
    endpointUrl,
    localWebhooks: values['local-webhooks'],
  };
}

void runUntilStopped(() => localOptions(process.argv.slice(2)), greet);
