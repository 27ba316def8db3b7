import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Done, drive, driver } from '../bench/load/drive';
import { type Intent, traffic } from '../bench/load/traffic';
import { WAREHOUSE_QUERIES } from '../lib/constructs/warehouse-queries';
import { type FraudScreening, FraudScreeningError } from '../sdk/client/src';
import { numberOf, readCommandLine, runCommand } from '../shared/cli/command-line';
import { progressLine } from '../shared/cli/progress-line';
import { markdownTable, withSections } from '../shared/cli/text-table';
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
/** Cases for the person watching; where files are asked instead, nearly all are decided. */
const LEFT_OPEN = { usually: 10, withWarehouse: 1 };

export interface Traffic extends Pick<Demo, 'url' | 'key' | 'fraud' | 'trafficCounts'> {
  readonly perSecond: number;
  /** Fraud that was allowed, for the banks to report. @default nobody asks */
  readonly missed?: string[];
  readonly isOver: (elapsedMs: number) => boolean;
  readonly onTick: (elapsedMs: number) => void;
}

/** An analyst who is always right: rejects attackers' cases, approves the rest, oldest first. */
function analyst(fraud: FraudScreening, leftOpen: number) {
  const open: { readonly case_id: string; readonly isFraud: boolean }[] = [];
  return {
    hears({ intent, status, json }: Done): void {
      if (status === 200 && 'body' in intent && json.case_id) {
        open.push({ case_id: json.case_id, isFraud: intent.fraud !== undefined });
      }
    },
    async decides(): Promise<void> {
      if (open.length <= leftOpen) return;
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
  const sam = analyst(demo.fraud, demo.missed ? LEFT_OPEN.withWarehouse : LEFT_OPEN.usually);
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

const RULE = { expression: 'features.user_age_days < 1 && amount > 100', action: 'review', state: 'active' } as const;
const MOST_SHOWN = 10;

/** The answers to the saved questions, once the last chargeback is in the files. */
async function answers({ query }: Pick<Demo, 'query'>, missed: number): Promise<string> {
  const isThere = async () =>
    Number((await query(`SELECT count(*) FROM outcomes WHERE type = 'chargeback'`)).rows[0]?.[0]) >= missed;
  for (let waits = 0; waits < 60 && !(await isThere()); waits++) await delay(BREATHER_MS);
  const all: string[] = [];
  for (const { name, description, sql } of WAREHOUSE_QUERIES) {
    const { names, rows } = await query(sql);
    const cells = rows.slice(0, MOST_SHOWN).map((row) => row.map((value) => value ?? ''));
    const more = rows.length > MOST_SHOWN ? ` (the first ${MOST_SHOWN} of ${rows.length})` : '';
    all.push(
      `**${name}**: ${description}${more}\n\n${rows.length === 0 ? 'No rows.' : markdownTable([names, ...cells])}`,
    );
  }
  return all.join('\n\n');
}

const OPTIONS = {
  port: { value: 'number', does: 'service port', default: '3000' },
  'shop-port': { value: 'number', does: 'shop port', default: '3100' },
  rate: { value: 'number', does: 'simulated requests per second', default: '5' },
  for: { value: 'seconds', does: 'stop after this many seconds (default: at Ctrl-C)' },
  'data-dir': { value: 'directory', does: 'where logs go (default .local/demo); data is discarded at the end' },
  warehouse: {
    does: 'write decisions, outcomes and cases as Parquet files to <data-dir>/warehouse, which stay; ask them',
  },
  page: { value: 'file', does: 'also write the answers of --warehouse between its <!-- demo-answers --> markers' },
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
  for (let waits = 0; waits < 100 && seen.webhooks < screened() && !isInterrupted(); waits++) await delay(100);
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
    const { fraud, trafficCounts } = demo;
    const missed: string[] | undefined = hasWarehouse ? [] : undefined;
    if (missed) await fraud.rules.put('new_and_large', RULE);
    let elapsed = 0;
    await playShopTraffic({
      ...demo,
      perSecond,
      ...(missed && { missed }),
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
    console.log(wrapText(trafficSummary(trafficCounts, elapsed).join('\n'), terminalWidth(), 20));
    if (missed) {
      await chargebacks(fraud, missed);
      const said = await answers(demo, missed.length);
      console.log(`\n${said}\n`);
      const { page } = given.texts;
      if (page) writeFileSync(page, withSections(readFileSync(page, 'utf8'), { 'demo-answers': said }));
    }
  } finally {
    console.log('Stopping');
    await demo.stop();
  }
});
