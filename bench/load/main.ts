import { writeFileSync } from 'node:fs';
import { type Given, numberOf, readCommandLine, runCommand, UsageError } from '../../shared/cli/command-line';
import { progressLine } from '../../shared/cli/progress-line';
import { MEASURED_FILE } from '../cost/monthly-bill';
import { inventoryOf, resourcesIn } from '../cost/stack-inventory';
import { provenance, writeReport } from '../support/measurement';
import { type CapacityMeter, capacityMeter, itemSizes } from './capacity-meter';
import { drive, driver } from './drive';
import { measure, observations, type ScreeningUse, screeningUse } from './measure';
import { type LoadResult, markdownReport, textReport } from './report';
import { type LoadedStack, startStack } from './start-stack';
import { ATTACKERS, traffic } from './traffic';

// Abandoned requests distort the measurements of ordinary ones.
const MOST_FAILED = 0.005;
const KEYS = 'FRAUD_SCREENING_KEYS';

/**
 * Nearly everybody whom a service screens was screened before, and not a minute ago: the load begins with users who are new,
 * lets a week pass, and continues with the same.
 */
const RETURNING_SHARE = 0.95;
const ABSENCE_MS = 8 * 86_400_000;

const OPTIONS = {
  duration: { value: 'seconds', does: 'how long to run', default: '60' },
  rate: { value: 'number', does: 'requests started per second', default: '100' },
  accounts: { value: 'number', does: 'accounts that share the traffic, unevenly', default: '5' },
  users: { value: 'number', does: 'users per account', default: '50000' },
  seed: { value: 'number', does: 'the same seed gives the same requests', default: '1' },
  concurrency: {
    value: 'number',
    does: 'maximum requests in flight; a machine that cannot keep up runs slower',
    default: '16',
  },
  'warm-up': {
    value: 'seconds',
    does: 'run first, with users who are all new; they come back a week later. @default as long as the load',
  },
  outcomes: { value: 'number', does: 'of these requests per second, what the processor said', default: '0' },
  url: { value: 'address', does: `test your own deployment; put its keys, separated by commas, in ${KEYS}` },
  report: { value: 'file', does: 'also write the report as Markdown' },
  save: { does: 'save the measured quantities for npm run cost' },
} as const;

interface Target {
  readonly url: string;
  readonly keys: readonly string[];
  readonly local?: LoadedStack & { readonly meter: CapacityMeter };
}

async function localTarget(accounts: number, say: (line: string) => void): Promise<Target> {
  const meter = capacityMeter();
  const stack = await startStack('load', accounts, { intercept: meter.intercept, print: say, virtualClock: true });
  const keys = stack.accounts.map(({ key }) => key);
  say(`Watch it at ${stack.run.url}/_local/dashboard`);
  return { url: stack.run.url, keys, local: { ...stack, meter } };
}

function ownTarget(url: string): Target {
  const keys = (process.env[KEYS] ?? '').split(',').filter((key) => key !== '');
  if (!/^https?:\/\//.test(url)) throw new UsageError(`--url ${url} is not a URL. Use the ApiUrl of your stack.`);
  if (keys.length === 0) throw new UsageError(`Set ${KEYS} to the API keys to use, separated by commas.`);
  return { url, keys };
}

async function load(given: Given): Promise<void> {
  const rate = numberOf(given, 'rate', { min: 1, max: 100_000 });
  const seconds = numberOf(given, 'duration', { min: 1 });
  const seed = numberOf(given, 'seed');
  const warmUp = given.texts['warm-up'] === undefined ? seconds : numberOf(given, 'warm-up');
  const concurrency = numberOf(given, 'concurrency', { min: 1, max: 10_000 });
  const users = numberOf(given, 'users', { min: 1, max: 1e8 });
  const accounts = numberOf(given, 'accounts', { min: 1, max: 1_000 });
  // Under load, the stack's errors are counted by their responses; their lines would bury the progress.
  // Quantities are the same on a machine that is busy; what it gives up on would not be counted as what it is.
  if (given.flags.has('save')) process.env.TIME_BUDGET_FACTOR ??= '10';
  let say = (line: string): void => console.error(line);
  const target = given.texts.url ? ownTarget(given.texts.url) : await localTarget(accounts, (line) => say(line));
  say = () => undefined;
  try {
    const size = { accounts: target.keys.length, usersPerAccount: users };
    const returns = { share: 0, outcomes: 0 };
    const intents = traffic(seed, size, ATTACKERS, returns);
    const known = new Set<string>();
    let seen = observations(known);
    const client = driver({ url: target.url, keys: target.keys, onDone: (done) => seen.onDone(done) });
    const stopListening = target.local?.run.onLog((line) => seen.onLog(line));
    const progress = progressLine();
    const paced = (forSeconds: number, what: string) =>
      drive((intent) => client.make(intent), intents, {
        perSecond: rate,
        maxInFlight: concurrency,
        isOver: (_started, elapsedMs) => elapsedMs >= forSeconds * 1000,
        onTick: ({ inFlight, elapsedMs }) =>
          progress.show(() => {
            const done = `${(elapsedMs / 1000).toFixed(0)} of ${forSeconds} s`;
            const speed = `${(seen.requests() / Math.max(1, elapsedMs / 1000)).toFixed(0)} per second`;
            return `${what}  ${done}  ${seen.requests()} requests  ${speed}  ${inFlight} in flight  ${seen.failures()} failed`;
          }),
      });
    await paced(warmUp, 'warming up');
    const early = target.local && screeningUse(target.local.meter, seen.summary());
    returns.share = RETURNING_SHARE;
    returns.outcomes = numberOf(given, 'outcomes', { max: rate }) / rate;
    if (target.local) await fetch(`${target.url}/_local/clock/${ABSENCE_MS}?schedules=off`, { method: 'POST' });
    // Cases of the first part have expired; its payments are what the processor speaks of first.
    client.forgetSubjects();
    seen = observations(known);
    target.local?.meter.reset();
    const { elapsedMs } = await paced(seconds, 'driving');
    progress.done();
    client.close();
    stopListening?.();
    const summary = seen.summary();
    const result: LoadResult = {
      command: `npm run load -- ${process.argv.slice(2).join(' ')}`.trim(),
      provenance: provenance(),
      wanted: rate,
      elapsedMs,
      summary,
      ...(target.local && early ? { capacity: await capacityOf(target.local, summary, early) } : {}),
    };
    console.log(textReport(result));
    if (given.texts.report) writeReport(given.texts.report, 'load', markdownReport(result));
    if (given.flags.has('save') && result.capacity) save(result, seen.failures() / seen.requests());
  } finally {
    await target.local?.run.stop();
  }
}

async function capacityOf(
  { run, assembly, meter }: NonNullable<Target['local']>,
  summary: LoadResult['summary'],
  early: ScreeningUse,
) {
  const stack = inventoryOf(resourcesIn(assembly, run.stackName));
  return { meter, stack, measured: measure(meter, summary, await itemSizes(run), early) };
}

function save({ command, provenance: where, capacity }: LoadResult, failed: number): void {
  if (failed > MOST_FAILED) {
    const share = `${(100 * failed).toFixed(1)}%`;
    throw new UsageError(
      `Not saved: ${share} of the requests failed because this machine was too busy. Try a lower --rate.`,
    );
  }
  const quantities = Object.fromEntries(
    Object.entries(capacity?.measured ?? {}).map(([name, value]) => [name, Number(value.toPrecision(4))]),
  );
  writeFileSync(MEASURED_FILE, `${JSON.stringify({ measured: `${command}; ${where}`, quantities }, null, 2)}\n`);
  console.error(`Saved to ${MEASURED_FILE}`);
}

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run load -- [options]',
    about:
      'Load-tests the service over HTTP with a realistic mix: several accounts, Zipf users, attacks, reads and reviews.\nWithout --url it starts its own stack on this machine and reports what DynamoDB would charge.',
    options: OPTIONS,
    next: 'npm run cost turns a load into a monthly bill; npm run chaos adds faults.',
  });
  if (given) await load(given);
});
