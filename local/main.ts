import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { greet } from './greeting';
import type { LocalOptions } from './options';
import { StartError } from './start-error';
import { type LocalRun, startLocal } from './start-local';
import { synthesize } from './synthesize';

const ROOT = join(__dirname, '..');

const HELP = `Runs the whole service on this machine, from the synthesized CloudFormation template.

  npm start -- [options]

  --port <number>         port of the API (default 3000; 0 takes any free one)
  --stage <name>          sandbox (default) or production
  --data-dir <directory>  where data is kept between runs (default .local/<stage>)
  --reset                 forget the data of earlier runs
  --endpoint-url <url>    use your own AWS emulator for DynamoDB, SQS and S3
  --verbose               show every line the functions print
  --help                  this text
`;

const STAGES = ['sandbox', 'production'];

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '3000' },
        stage: { type: 'string', default: 'sandbox' },
        'data-dir': { type: 'string' },
        reset: { type: 'boolean', default: false },
        'endpoint-url': { type: 'string' },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new StartError(`${(error as Error).message}\nTry --help.`);
  }
}

function localOptions(values: ReturnType<typeof readOptions>, print: (line: string) => void): LocalOptions {
  const { port, stage } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new StartError(`--port ${port} is not a port: give a number from 0 to 65535.`);
  if (!STAGES.includes(stage)) throw new StartError(`--stage ${stage} is not known: give ${STAGES.join(' or ')}.`);
  const assembly = join(ROOT, 'cdk.out');
  return {
    assembly,
    stackName: `FraudScreening-${stage}`,
    port: Number(port),
    dataDir: values['data-dir'] ?? join(ROOT, '.local', stage),
    reset: values.reset,
    verbose: values.verbose,
    endpointUrl: values['endpoint-url'],
    synthesize: () => synthesize({ app: join(ROOT, 'bin', 'app.ts'), outdir: assembly, root: ROOT }),
    print,
  };
}

function stopOnSignals(run: Promise<LocalRun>): void {
  let stopping = false;
  const stop = (): void => {
    // A second Ctrl-C means now.
    if (stopping) process.exit(1);
    stopping = true;
    console.log('\nStopping');
    run
      .then((started) => started.stop())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop);
}

async function main(): Promise<void> {
  const values = readOptions(process.argv.slice(2));
  if (values.help) {
    console.log(HELP);
    return;
  }
  // Lambda's clock is UTC; threads take it from the process.
  process.env.TZ = 'UTC';
  const started = performance.now();
  const print = (line: string): void =>
    console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(5)} s  ${line}`);
  const run = startLocal(localOptions(values, print));
  stopOnSignals(run);
  const running = await run;
  print('Ready');
  await greet(running);
}

main().catch((error: unknown) => {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
});
