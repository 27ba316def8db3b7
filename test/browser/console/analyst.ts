import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { call } from '../../support/api';
import { localRun } from '../../support/local-run';
import { launchChromium } from '../../support/machine/chromium';
import { patient } from '../../support/patience';
import { axeViolations, COLOUR_RULES } from '../axe';

/** A browser window with the console in it, and everything that a good page must not do. */
export interface Analyst {
  readonly page: Page;
  /** Requests that decided something: `PUT /v1/cases/…`; the claim of a case that is opened is not one. */
  readonly writes: readonly string[];
  /** Errors, and breaches of the content security policy. */
  readonly faults: readonly string[];
  /** Requests that have no answer yet. */
  readonly pending: ReadonlySet<Request>;
}

const opened: Analyst[] = [];

// Four looks with axe and a browser on a busy machine take their time; nothing here is measured.
jest.setTimeout(patient(90_000));
const PATIENCE_MS = patient(20_000);
const STEP_MS = 20;

let browser: Browser;

/** Gives the tests of a file a browser; the windows of each test are closed after it. */
export function useConsole(): void {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(closeAll);
  afterAll(() => browser.close());
}

/** Opens the console. Its clock runs by itself, and `page.clock` may hurry it. */
export const openConsole = (address = '', time?: number): Promise<Analyst> =>
  openConsoleAt(`${localRun().url}/console/${address}`, time);

/** Opens the console of another service than the shared one. */
export async function openConsoleAt(url: string, time?: number): Promise<Analyst> {
  // Without motion, which is decoration in style sheets only: a page that waits for a busy machine would draw it 60 times
  // a second, by the processor.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const writes: string[] = [];
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The browser itself reports answers that the tests provoke, and being offline.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  const pending = new Set<Request>();
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  page.on('request', (request) => {
    pending.add(request);
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && !pathname.endsWith('/claim')) writes.push(`${request.method()} ${pathname}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      // biome-ignore lint/suspicious/noConsole: the way out of the page for what it must not do.
      console.error(`Content Security Policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  await page.clock.install(time === undefined ? {} : { time });
  await page.goto(url);
  const analyst = { page, writes, faults, pending };
  opened.push(analyst);
  return analyst;
}

/** Closes all windows of a test; a fault in any of them is a failure. */
async function closeAll(): Promise<void> {
  const faults = opened.flatMap((analyst) => analyst.faults);
  await Promise.all(opened.splice(0).map(({ page }) => page.context().close()));
  expect(faults).toEqual([]);
}

export async function signIn({ page }: Analyst, key: string, name = 'ana'): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
}

/** Until every request has its answer, or the test has waited long enough for a busy machine. */
async function settled(pending: ReadonlySet<Request>): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (pending.size > 0 && Date.now() < giveUpAt) await delay(STEP_MS);
}

/**
 * Stops the page's clock: what waits for its time now waits for `page.clock.runFor` or `resume`. It jumps a minute ahead
 * for that, beyond the time limit of requests that are under way.
 */
export async function freeze({ page, pending }: Analyst): Promise<void> {
  await settled(pending);
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + 60_000);
}

/**
 * Lets the frozen clock run on by small steps until something shows, and answers how far it ran. Effects of a page wait
 * for a frame, and frames for the clock: had it run in one go, what the network brings after that would never show. The
 * clock stands still while the page waits for an answer, however long a busy machine takes for it.
 */
export async function runUntil({ page, pending }: Analyst, shown: Locator, atMostMs: number): Promise<number> {
  for (let ranMs = 0; ranMs < atMostMs; ranMs += STEP_MS) {
    if (await shown.isVisible()) return ranMs;
    await settled(pending);
    await page.clock.runFor(STEP_MS);
  }
  await shown.waitFor();
  return atMostMs;
}

/** Goes to an address within the console, and waits until it shows what there is. */
export async function visit({ page, pending }: Analyst, address: string): Promise<void> {
  await page.goto(`${page.url().split('#')[0]}${address}`);
  await settled(pending);
  await page.locator('[aria-busy=true], .skeleton').first().waitFor({ state: 'detached' });
}

let serial = 0;

/** A screening that ends in review: a fresh signup that spends a lot at once. */
export async function openCase(key: string): Promise<{ readonly case_id: string; readonly user_id: string }> {
  const user_id = `hasty-${++serial}`;
  const where = { device_fingerprint: `device-${serial}`, ip_address: `52.94.77.${(serial % 250) + 1}` };
  await call('POST', '/v1/events', { key, body: { event_type: 'signup', user_id, ...where } });
  const body = { user_id, amount: 1500, currency: 'USD', ...where };
  const { json } = await call('POST', '/v1/transactions/screen', { key, body });
  expect(json).toMatchObject({ decision: 'review' });
  return { case_id: json.case_id, user_id };
}

export const readCase = async (key: string, case_id: string) =>
  (await call('GET', `/v1/cases/${case_id}`, { key })).json;

const WIDTHS = [1280, 390] as const;
const NARROWEST = 320;
const SCHEMES = ['light', 'dark'] as const;
/** Whatever is not about colour is looked at once per width. */
const RULES = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  dark: COLOUR_RULES,
};

/** Faults that axe finds on the page as it stands, in both themes, wide and on a phone; nothing may stick out, not even at 320 px. */
export async function expectAccessible({ page }: Analyst): Promise<void> {
  for (const width of [...WIDTHS, NARROWEST]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of width === NARROWEST ? [] : SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const found = await axeViolations(page, { resultTypes: ['violations'], runOnly: RULES[colorScheme] });
      expect([width, colorScheme, found]).toEqual([width, colorScheme, []]);
    }
    const overhang = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect([width, overhang]).toEqual([width, 0]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
}
