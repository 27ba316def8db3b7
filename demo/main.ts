import { setTimeout as delay } from 'node:timers/promises';
import { type Done, drive, driver } from '../bench/load/drive';
import { type Intent, traffic } from '../bench/load/traffic';
import { type FraudScreening, FraudScreeningError } from '../sdk/client/src';
import { numberOf, readCommandLine, runCommand } from '../shared/cli/command-line';
import { progressLine } from '../shared/cli/progress-line';
import { terminalWidth, wrapText } from '../shared/cli/wrap-text';
import { type Demo, startDemo } from './start-demo';
import { type TrafficCounts, trafficSummary } from './traffic-counts';

const SEED = 7;
const CUSTOMERS = 300;
/** Far more than a real shop would see, and one of each kind from the start: a minute is enough to see them all. */
const ATTACKERS = { share: 0.3, atOnce: 4 };
/** A laptop that cannot keep up gets less traffic, not timeouts. */
const IN_FLIGHT = 3;
const BREATHER_MS = 1_000;
const LEFT_OPEN = 10;

export interface Traffic {
  readonly url: string;
  readonly key: string;
  readonly fraud: FraudScreening;
  readonly perSecond: number;
  readonly trafficCounts: TrafficCounts;
  /** Fraud that was allowed, for the banks to report. @default nobody asks */
  readonly missed?: string[];
  readonly isOver: (elapsedMs: number) => boolean;
  readonly onTick: (elapsedMs: number) => void;
}

/** An analyst who is always right: rejects attackers' cases, approves the rest, oldest first. */
function analyst(fraud: FraudScreening) {
  const open: { readonly case_id: string; readonly isFraud: boolean }[] = [];
  return {
    hears({ intent, status, json }: Done): void {
      if (status === 200 && 'body' in intent && json.case_id) {
        open.push({ case_id: json.case_id, isFraud: intent.fraud !== undefined });
      }
    },
    async decides(): Promise<void> {
      if (open.length <= LEFT_OPEN) return;
      const { case_id, isFraud } = open.shift() as (typeof open)[number];
      const status = isFraud ? 'rejected' : 'approved';
      await fraud.cases.resolve(case_id, { status, analyst_id: 'sam (simulated)' }).catch((error: unknown) => {
        // The person watching was faster.
        if (!(error instanceof FraudScreeningError)) throw error;
      });
    },
  };
}

/** Honest customers and four kinds of attackers, over HTTP, until it is stopped. */
export async function playShopTraffic(demo: Traffic): Promise<void> {
  const sam = analyst(demo.fraud);
  const client = driver({
    url: demo.url,
    keys: [demo.key],
    onDone: (done) => {
      demo.trafficCounts.onDone(done);
      sam.hears(done);
      const isMissed = 'fraud' in done.intent && done.json?.decision === 'allow' && done.json.transaction_id;
      if (isMissed) demo.missed?.push(done.json.transaction_id);
    },
  });
  const make = async (intent: Intent): Promise<void> => {
    if (intent.kind === 'resolve-case' || intent.kind === 'review-decision') return sam.decides();
    const done = await client.make(intent);
    if (done && (done.status === 0 || done.status >= 500)) await delay(BREATHER_MS);
  };
  await drive(make, traffic(SEED, { accounts: 1, usersPerAccount: CUSTOMERS }, ATTACKERS), {
    perSecond: demo.perSecond,
    maxInFlight: IN_FLIGHT,
    isOver: (_started, elapsedMs) => demo.isOver(elapsedMs),
    onTick: ({ elapsedMs }) => demo.onTick(elapsedMs),
  });
  client.close();
}

/** At the end, since banks are slow: what they know changes nothing of the demo. */
async function chargebacks(fraud: FraudScreening, missed: readonly string[]): Promise<void> {
  for (const subject_id of missed) {
    const occurred_at = new Date().toISOString();
    await fraud.outcomes.record({ subject_id, type: 'chargeback', source_id: `dp_${subject_id}`, occurred_at });
  }
}

const OPTIONS = {
  port: { value: 'number', does: 'service port', default: '3000' },
  'shop-port': { value: 'number', does: 'shop port', default: '3100' },
  rate: { value: 'number', does: 'simulated requests per second', default: '5' },
  for: { value: 'seconds', does: 'stop after this many seconds (default: at Ctrl-C)' },
  'data-dir': { value: 'directory', does: 'where logs go (default .local/demo); data is discarded at the end' },
  warehouse: { does: 'write decisions, outcomes and cases as Parquet files to <data-dir>/warehouse, which stay' },
} as const;

const greeting = ({ url, shopUrl, key, logDir }: Demo): string =>
  [
    '',
    `  shop            ${shopUrl}   buy as Emma at home, or as someone who signed up a second ago, from a server`,
    `  review console  ${url}/console   review held payments`,
    `  overview        ${url}/console/#/overview?range=24h   decisions by the hour, money held and blocked`,
    `  dashboard       ${url}/_local/dashboard   what on-call would see`,
    `  guide           ${url}/_local/docs/`,
    `  function logs   ${logDir}`,
    '',
    `  sign in to the console with any name and this key:  ${key}`,
    '',
    '  Simulated traffic is running. Press Ctrl-C to stop; no data is kept.',
    '',
  ].join('\n');

/** True after the first Ctrl-C; the second ends the process immediately. */
function interruptions(): () => boolean {
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isInterrupted) process.exit(1);
      isInterrupted = true;
    });
  }
  return () => isInterrupted;
}

/** Webhooks arrive shortly after their screenings: the final counts should include them. */
async function lastWebhooks({ screened, seen }: TrafficCounts, isInterrupted: () => boolean): Promise<void> {
  for (let waits = 0; waits < 100 && seen.webhooks < screened() && !isInterrupted(); waits++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run demo -- [options]',
    about: 'Runs the whole service on this machine with a demo shop, its customers and four kinds of attackers.',
    options: OPTIONS,
    next: 'buy something in the shop, review it in the console, then follow docs/guide/quickstart.md.',
  });
  if (!given) return;
  const port = numberOf(given, 'port', { max: 65_535 });
  const shopPort = numberOf(given, 'shop-port', { max: 65_535 });
  const perSecond = numberOf(given, 'rate', { min: 1, max: 100 });
  const endMs = given.texts.for === undefined ? Number.POSITIVE_INFINITY : 1_000 * numberOf(given, 'for', { min: 1 });
  const isInterrupted = interruptions();
  const progress = progressLine();
  // Once it is running, the functions' log lines would bury the progress; they are in the log directory.
  let print = (line: string): void => console.error(line);
  const hasWarehouse = given.flags.has('warehouse');
  const options = {
    port,
    shopPort,
    dataDir: given.texts['data-dir'],
    hasWarehouse,
    print: (line: string) => print(line),
  };
  const demo = await startDemo(options);
  print = () => undefined;
  try {
    console.log(greeting(demo));
    const { url, key, fraud, trafficCounts } = demo;
    const missed: string[] = [];
    let elapsed = 0;
    await playShopTraffic({
      url,
      key,
      fraud,
      perSecond,
      trafficCounts,
      missed,
      isOver: (elapsedMs) => isInterrupted() || elapsedMs >= endMs,
      onTick: (elapsedMs) => {
        elapsed = elapsedMs;
        progress.show(() =>
          trafficCounts.line(elapsedMs).slice(0, (process.stderr.columns ?? Number.POSITIVE_INFINITY) - 1),
        );
      },
    });
    await lastWebhooks(trafficCounts, isInterrupted);
    progress.done();
    if (hasWarehouse) await chargebacks(fraud, missed);
    console.log(wrapText(trafficSummary(trafficCounts, elapsed).join('\n'), terminalWidth(), 20));
  } finally {
    console.log('Stopping');
    await demo.stop();
  }
});
