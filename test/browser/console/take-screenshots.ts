/*
 * `npm run screenshots`: the pictures in docs/images, of two made-up weeks of a shop. A local run of its own lives through
 * them on a clock of its own; the browser is told the same time.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { runPlainCommand } from '../../../bin/cli/command-line';
import { launchChromium } from '../../../bin/launch-chromium';
import { call, newAccount } from '../../support/api';
import { localRun, startLocalRun, stopLocalRun } from '../../support/local-run';
import { pass } from '../../support/time-machine';
import { shopTraffic } from './shop-traffic';

const IMAGES = join(__dirname, '../../../docs/images');
const HOUR = 3_600_000;
const DAYS = 14;
const ANALYSTS = ['ana.silva', 'ben.okafor', 'chloe.martin'] as const;
const NOTES = {
  rejected: ['Cardholder denies it', 'Same device as last week’s ring', 'Password was reset from abroad', ''],
  approved: ['Called: bought a present', 'Travelling, confirmed by e-mail', ''],
} as const;

interface Flagged {
  readonly caseId: string;
  readonly atMs: number;
  readonly isFraud: boolean;
}

/** The shop's weeks: attempts in their order, and analysts who get round to most cases half a day later. */
async function live(key: string): Promise<void> {
  const waiting: Flagged[] = [];
  let atMs = 0;
  let done = 0;
  const attempts = shopTraffic(DAYS);
  const resolveUntil = async (nowMs: number): Promise<void> => {
    while (waiting[0] && waiting[0].atMs < nowMs - 10 * HOUR) {
      const { caseId, isFraud } = waiting.shift() as Flagged;
      const turn = done++;
      // Some are never looked at, and analysts err now and then.
      if (turn % 7 === 3) continue;
      const status = isFraud === (turn % 11 !== 5) ? 'rejected' : 'approved';
      const notes = NOTES[status][turn % NOTES[status].length];
      await call('PUT', `/v1/cases/${caseId}`, { key, body: { status, analyst_id: ANALYSTS[turn % 3], notes } });
    }
  };
  for (const [index, attempt] of attempts.entries()) {
    if (attempt.atMs > atMs) await pass(Math.round(attempt.atMs - atMs));
    atMs = Math.max(atMs, attempt.atMs);
    const { json } = await call('POST', attempt.path, { key, body: attempt.body });
    if (json.case_id) waiting.push({ caseId: json.case_id, atMs, isFraud: attempt.isFraud });
    await resolveUntil(atMs);
    if (index % 50 === 0) process.stdout.write(`\r${index} of ${attempts.length} attempts`);
  }
  process.stdout.write('\r');
}

/** What the shop decided for itself before its two weeks: some of it acts, some is only watched. */
async function ownJudgement(key: string): Promise<void> {
  const lists = [
    ['stolen-cards', { type: 'card_fingerprint', effect: 'block', note: 'Reported by our processor' }],
    ['vips', { type: 'email', effect: 'allow', note: 'Customers of the first hour' }],
  ] as const;
  for (const [name, body] of lists) await call('PUT', `/v1/lists/${name}`, { key, body });
  const entries = [
    { value: 'nora.lind@mail.example', reason: 'Buys for her whole office' },
    { value: 'tom.abara@mail.example', reason: 'Case resolved in his favour twice' },
    { value: 'wei.chen@mail.example', reason: 'Beta tester' },
  ];
  await call('POST', '/v1/lists/vips/entries', { key, body: { entries } });
  const rules = [
    ['large-orders', { expression: 'amount > 400', action: 'review', note: 'Somebody looks at large orders' }],
    [
      'data-centres',
      {
        expression: 'subject_type == "transaction" && ip.hosting && score >= 30',
        action: 'challenge',
        state: 'shadow',
      },
    ],
    [
      'known-customers',
      { expression: 'features.user_tx_30d > 3 && score < 40', action: 'points', points: -5, state: 'active' },
    ],
  ] as const;
  for (const [name, body] of rules) await call('PUT', `/v1/rules/${name}`, { key, body });
  const large = { ...rules[0][1], expression: 'amount > 300 && features.user_age_days < 7' };
  await call('PUT', '/v1/rules/large-orders', { key, body: { ...large, state: 'shadow' } });
  await call('PUT', '/v1/rules/large-orders', { key, body: { ...large, state: 'active', rollout_percent: 10 } });
}

/** Until the figures of everything that was screened are there. */
async function counted(key: string, total: number): Promise<void> {
  for (;;) {
    const { json } = await call('GET', '/v1/overview?start_date=2020-01-01', { key });
    if (json.screenings.total >= total) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** The open case with the most to see: reasons for and against. */
async function tellingCase(key: string): Promise<string> {
  const { json } = await call('GET', '/v1/cases?status=open&limit=100', { key });
  const shown = await Promise.all(
    json.cases.map(async ({ case_id, amount }: { case_id: string; amount?: number }) => {
      const { explanation } = (await call('GET', `/v1/decisions/${case_id.replace('case', 'dec')}`, { key })).json;
      const { contributions } = explanation as { contributions: { points: number }[] };
      const worth = contributions.length + (contributions.some(({ points }) => points < 0) ? 3 : 0);
      return { case_id, worth: amount === undefined ? 0 : worth };
    }),
  );
  return shown.reduce((best, each) => (each.worth > best.worth ? each : best)).case_id;
}

async function open(browser: Browser, key: string, time: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 850 }, colorScheme: 'light' });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.clock.install({ time });
  await page.goto(`${localRun().url}/console/`);
  await page.getByLabel('Your name').fill('ana.silva');
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.rows').waitFor();
  return page;
}

/** GitHub shows them on the first screen of the README, over whatever line there is. */
const MAX_BYTES = 250_000;

async function shoot(browser: Browser, key: string, time: number): Promise<void> {
  const page = await open(browser, key, time);
  const pages = [
    ['queue', '#/queue', '.tabs .count'],
    ['case', `#/cases/${await tellingCase(key)}`, '.time-of-day'],
    ['overview', '#/overview?range=30d', '.plot rect'],
    ['lists', '#/lists/vips', '.entry-table td'],
    ['rules', '#/rules/large-orders', '.rule-trial dd'],
  ] as const;
  for (const [name, address, ready] of pages) {
    await page.goto(`${localRun().url}/console/${address}`);
    await page.locator(ready).first().waitFor();
    const picture = await page.screenshot({ path: join(IMAGES, `console-${name}.png`), animations: 'disabled' });
    if (picture.length > MAX_BYTES) throw new Error(`console-${name}.png has ${picture.length} bytes`);
  }
  await page.context().close();
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'screenshots-'));
  mkdirSync(IMAGES, { recursive: true });
  const { child } = await startLocalRun(dataDir, ['--virtual-clock']);
  process.env.LOCAL_RUN_DIR = dataDir;
  const browser = await launchChromium();
  try {
    const { key } = await newAccount('Screenshots');
    await ownJudgement(key);
    await live(key);
    await pass(20 * 60_000);
    await counted(key, shopTraffic(DAYS).length);
    const { now } = (await (await fetch(`${localRun().url}/_local/clock/1`, { method: 'POST' })).json()) as {
      now: string;
    };
    await shoot(browser, key, Date.parse(now));
  } finally {
    await browser.close();
    await stopLocalRun(child);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

runPlainCommand(
  {
    usage: 'npm run screenshots',
    about: 'Takes the pictures of the console in docs/images, of two made-up weeks of a shop. Needs Chromium.',
    next: 'look at docs/images and commit them.',
  },
  main,
);
