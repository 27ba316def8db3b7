/*
 * `npm run screenshots`: the pictures in docs/images. Those of the console are of two made-up weeks of a shop: a local run of
 * its own lives through them on a clock of its own, and the browser is told the same time. That of the dashboard is of five
 * minutes of the demo.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { runPlainCommand } from '../../../shared/cli/command-line';
import { createKey } from '../../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount } from '../../support/api';
import { localRun, startLocalRun, stopLocalRun } from '../../support/local-run';
import { launchChromium } from '../../support/machine/launch-chromium';
import { pass } from '../../support/machine/time-machine';
import { seedAccount, TESTER_CASES } from '../../support/seed-account';
import { shopTraffic } from './shop-traffic';

const IMAGES = join(__dirname, '../../../docs/images');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
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

/** A payment that nobody stopped, and the bank hears about; or one that was blocked, and somebody asks about. */
interface Reported {
  readonly subjectId: string;
  readonly decision: string;
  readonly atMs: number;
  readonly isFraud: boolean;
}

/** Banks report missed fraud two days later; every other blocked payment is looked into. */
async function reportUntil(key: string, unheard: Reported[], nowMs: number): Promise<void> {
  while (unheard[0] && unheard[0].atMs < nowMs - 2 * DAY) {
    const { subjectId, decision, isFraud } = unheard.shift() as Reported;
    if (decision === 'allow') {
      const dispute = { type: 'chargeback', source_id: `dp_${subjectId}`, network: 'visa', reason_code: '10.4' };
      const occurred_at = new Date().toISOString();
      await call('POST', '/v1/outcomes', { key, body: { ...dispute, subject_id: subjectId, occurred_at } });
    } else {
      const body = { decision: isFraud ? 'block' : 'allow', analyst_id: ANALYSTS[0] };
      await call('POST', `/v1/decisions/${subjectId.replace(/^[a-z]+/, 'dec')}/review`, { key, body });
    }
  }
}

/** The shop's weeks: attempts in their order, and analysts who get round to most cases half a day later. */
async function live(key: string): Promise<void> {
  const waiting: Flagged[] = [];
  const unheard: Reported[] = [];
  let blocked = 0;
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
    const { transaction_id: subjectId, decision } = json;
    const isMissed = decision === 'allow' && attempt.isFraud;
    if (subjectId && (isMissed || (decision === 'block' && blocked++ % 2 === 0))) {
      unheard.push({ subjectId, decision, atMs, isFraud: attempt.isFraud });
    }
    await resolveUntil(atMs);
    await reportUntil(key, unheard, atMs);
    if (index % 50 === 0) process.stdout.write(`\r${index} of ${attempts.length} attempts`);
  }
  process.stdout.write('\r');
}

/** The shop's own rules from before its two weeks: some act, some are only watched. */
async function ownDecision(key: string): Promise<void> {
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
  const stolen = ['4c1f', '9a07', 'e3b8'].map((value) => ({ value: `fp_${value}`, reason: 'Stolen in October' }));
  await call('POST', '/v1/lists/stolen-cards/entries', { key, body: { entries: stolen } });
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

/** Of some decisions on payments, the one with the most to see: reasons for and against. */
async function telling(key: string, listed: string): Promise<string> {
  const { json } = await call('GET', listed, { key });
  const ids: string[] = (json.cases ?? json.decisions).map((each: { decision_id?: string; case_id: string }) =>
    (each.decision_id ?? each.case_id).replace('case', 'dec'),
  );
  const shown = await Promise.all(
    ids.map(async (id) => {
      const { amount, review, explanation } = (await call('GET', `/v1/decisions/${id}`, { key })).json;
      const { contributions } = explanation as { contributions: { points: number }[] };
      const worth = contributions.length + (contributions.some(({ points }) => points < 0) ? 3 : 0);
      return { id, worth: amount === undefined || review ? 0 : worth };
    }),
  );
  return shown.reduce((best, each) => (each.worth > best.worth ? each : best)).id;
}

/** How a picture is taken; the first is what the README shows. */
const LOOKS = [
  { suffix: '', width: 1360, height: 850, colorScheme: 'light' },
  { suffix: '-dark', width: 1360, height: 850, colorScheme: 'dark' },
  { suffix: '-phone', width: 390, height: 844, colorScheme: 'light' },
] as const;

async function open(browser: Browser, key: string, time: number): Promise<Page> {
  const { width, height, colorScheme } = LOOKS[0];
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.clock.install({ time });
  await page.goto(`${localRun().url}/console/`);
  await page.getByLabel('API key').waitFor();
  await page.getByLabel('Your name').fill('ana.silva');
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.rows').waitFor();
  return page;
}

/** GitHub shows them on the first screen of the README, over whatever line there is. */
const MAX_BYTES = 250_000;

/** Takes the pictures of a page as it stands. */
async function picture(page: Page, name: string, looks: readonly (typeof LOOKS)[number][]): Promise<void> {
  for (const { suffix, width, height, colorScheme } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const file = `console-${name}${suffix}.png`;
    const taken = await page.screenshot({ path: join(IMAGES, file), animations: 'disabled' });
    if (taken.length > MAX_BYTES) throw new Error(`${file} has ${taken.length} bytes`);
  }
  await page.setViewportSize({ width: LOOKS[0].width, height: LOOKS[0].height });
  await page.emulateMedia({ colorScheme: 'light' });
}

const WIDE = LOOKS.slice(0, 1);

/** The pages of an account with two weeks behind it. */
async function shoot(browser: Browser, key: string, time: number): Promise<void> {
  const page = await open(browser, key, time);
  const held = await telling(key, '/v1/cases?status=open&limit=100');
  const pages = [
    ['queue', '#/queue', '.tabs .count', WIDE],
    ['case', `#/cases/${held.replace('dec', 'case')}`, '.time-of-day', LOOKS],
    ['overview', '#/overview?range=7d', '.plot rect', WIDE],
    [
      'decision',
      `#/decisions/${await telling(key, '/v1/decisions?decision=block&limit=50')}`,
      'text=This view was recorded.',
      WIDE,
    ],
    ['lists', '#/lists/vips', '.entry-table td', WIDE],
    ['rules', '#/rules/large-orders', '.rule-trial dd', WIDE],
  ] as const;
  for (const [name, address, ready, looks] of pages) {
    await page.goto(`${localRun().url}/console/${address}`);
    await page.locator(ready).first().waitFor();
    await picture(page, name, looks);
  }
  await page.context().close();
}

/** A card tester in a queue of many: the group of the eleven cases, and whom the tester is linked with. */
async function shootTester(browser: Browser, time: number): Promise<void> {
  const { account_id, key } = await newAccount('Seeded');
  const deps = admin();
  const pseudonyms = await deps.identity.pseudonyms();
  await seedAccount({ table: deps.table, pseudonyms }, account_id, { cases: 150, users: 25, nowMs: time });
  const page = await open(browser, key, time);
  const name = `${TESTER_CASES} cases of one device within`;
  await page.getByRole('button', { name }).click();
  await page.getByLabel(`Select ${name}`).check();
  await page.getByText(`${TESTER_CASES} cases selected`).first().waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
  await picture(page, 'group', WIDE);
  await page.goto(`${localRun().url}/console/#/users/guest-1`);
  await page.getByRole('list', { name: 'Other users' }).getByRole('link').first().waitFor();
  await page.locator('.decisions td').first().waitFor();
  await picture(page, 'links', WIDE);
  await page.context().close();
}

/** Five minutes, which is what the dashboard shows, and the start. */
const DEMO_MS = 340_000;
const DEMO_PORT = 4390;

async function shootDashboard(): Promise<void> {
  const browser = await launchChromium();
  const options = ['--port', `${DEMO_PORT}`, '--shop-port', `${DEMO_PORT + 1}`, '--rate', '4'];
  const demo = spawn(process.execPath, ['--import', 'tsx', 'demo/main.ts', ...options], { stdio: 'ignore' });
  try {
    await delay(DEMO_MS);
    const page = await browser.newPage({ viewport: { width: LOOKS[0].width, height: LOOKS[0].height } });
    await page.goto(`http://localhost:${DEMO_PORT}/_local/dashboard?range=5m`);
    await page.screenshot({ path: join(IMAGES, 'dashboard.png') });
  } finally {
    const ended = once(demo, 'exit');
    demo.kill('SIGINT');
    await Promise.all([ended, browser.close()]);
  }
}

async function main(): Promise<void> {
  await shootDashboard();
  const dataDir = mkdtempSync(join(tmpdir(), 'screenshots-'));
  mkdirSync(IMAGES, { recursive: true });
  const { child } = await startLocalRun(dataDir, ['--virtual-clock']);
  process.env.LOCAL_RUN_DIR = dataDir;
  const browser = await launchChromium();
  try {
    const { account_id, key } = await newAccount('Screenshots');
    for (const person of ANALYSTS)
      await createKey(admin(), account_id, null, { role: 'analyst', person, lifeMs: 90 * 24 * HOUR });
    await createKey(admin(), account_id, 'checkout', { role: 'server' });
    const lead = await createKey(admin(), account_id, null, { role: 'admin', person: 'ana.silva' });
    await ownDecision(lead.key);
    await live(key);
    await pass(20 * 60_000);
    await counted(key, shopTraffic(DAYS).length);
    const { now } = (await (await fetch(`${localRun().url}/_local/clock/1`, { method: 'POST' })).json()) as {
      now: string;
    };
    const time = Date.parse(now);
    await shoot(browser, key, time);
    await shootTester(browser, time);
  } finally {
    await browser.close();
    await stopLocalRun(child);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

runPlainCommand(
  {
    usage: 'npm run screenshots',
    about:
      'Takes the pictures in docs/images: the console after two made-up weeks of a shop, the dashboard beside the demo. Needs Chromium.',
    next: 'look at docs/images and commit them.',
  },
  main,
);
