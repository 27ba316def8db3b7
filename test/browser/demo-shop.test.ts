import type { Browser, Page } from 'playwright-core';
import { type DemoRun, startDemoRun } from '../support/demo-run';
import { describeInBrowser, launchChromium } from '../support/machine/chromium';
import { patient } from '../support/patience';
import { axeViolations } from './axe';

const PATIENCE_MS = 60_000;

describeInBrowser('the demo shop', () => {
  let browser: Browser;
  let demo: DemoRun;
  let page: Page;
  const faults: string[] = [];
  beforeAll(async () => {
    demo = await startDemoRun('--rate', '1');
    browser = await launchChromium();
    page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => faults.push(message.text()));
    await page.goto(demo.shopUrl);
  }, 400_000);
  afterAll(async () => {
    await browser?.close();
    expect(await demo?.stop()).toBe(0);
  }, patient(60_000));

  const pay = () => page.getByRole('button', { name: 'Pay' }).click();
  const order = () => page.getByRole('region', { name: 'Your order' });
  const api = async (path: string, init: RequestInit = {}) =>
    (
      await fetch(demo.url + path, {
        ...init,
        headers: { Authorization: `Bearer ${demo.key}`, 'Content-Type': 'application/json' },
      })
    ).json();

  it(
    'sells coffee to an honest customer, on a device that it knows by the SDK',
    async () => {
      await pay();
      await order().getByText('Your order is paid').waitFor();
      const { devices } = await api('/v1/users/emma/risk-profile');
      expect(devices.count).toBe(2);
      expect(faults).toEqual([]);
    },
    patient(60_000),
  );

  it(
    'holds what is suspicious until an analyst has decided, and then tells the customer',
    async () => {
      await page.getByLabel('Headphones').check();
      await page.getByLabel('Customer').selectOption('newcomer');
      await page.getByLabel('Location').selectOption('server');
      await pay();
      await order().getByText('We are checking your order').waitFor();
      const link = await order().getByRole('link', { name: 'Review it in the console' }).getAttribute('href');
      const [, caseId = ''] = /\/console\/#\/cases\/(case_\w+)$/.exec(link ?? '') ?? [];
      const resolved = await api(`/v1/cases/${caseId}`, {
        method: 'PUT',
        body: '{"status":"approved","analyst_id":"ana"}',
      });
      expect(resolved.status).toBe('approved');
      // The webhook told the shop, and the shop told the page.
      await order().getByText('has been approved and is on its way').waitFor();
      expect(faults).toEqual([]);
    },
    patient(60_000),
  );

  it.each(['light', 'dark'] as const)('can be used by everybody (%s)', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 320, height: 640 });
    // In the debugger's world: the page's policy forbids any script but its own.
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setBypassCSP', { enabled: true });
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });
});
