import type { Browser, Page } from 'playwright-core';
import { localRun } from '../support/local-run';
import { describeInBrowser, launchChromium } from '../support/machine/chromium';
import { patient } from '../support/patience';
import { axeViolations } from './axe';

describeInBrowser('the documentation, as the local run serves it', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  const open = async (path: string, colorScheme: 'light' | 'dark', width: number): Promise<[Page, string[]]> => {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    const faults: string[] = [];
    page.on('console', (message) => faults.push(message.text()));
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${localRun().url}/_local/docs/${path}`);
    return [page, faults];
  };

  it.each(
    ['', 'quickstart.html', 'api.html', 'integration.html', 'project.html'].flatMap((path) => [
      [path, 'light', 1280] as const,
      [path, 'dark', 320] as const,
    ]),
  )(
    '%s can be read by everybody (%s, %i px)',
    async (path, scheme, width) => {
      const [page, faults] = await open(path, scheme, width);
      expect(faults).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      const session = await page.context().newCDPSession(page);
      await session.send('Page.setBypassCSP', { enabled: true });
      expect(await axeViolations(page)).toEqual([]);
      await page.close();
    },
    120_000,
  );

  it(
    'leads from the front to a call of the reference by its links alone',
    async () => {
      const [page] = await open('', 'light', 1280);
      await page.getByRole('main').getByRole('link', { name: 'API reference' }).click();
      await page
        .getByRole('navigation', { name: 'On this page' })
        .getByRole('link', { name: 'PUT /v1/cases/{id}' })
        .click();
      expect(new URL(page.url()).hash).toBe('#put-v1casesid');
      expect(await page.getByRole('heading', { name: 'PUT /v1/cases/{id}' }).isVisible()).toBe(true);
      await page.close();
    },
    patient(60_000),
  );

  it(
    'is searched by words, from anywhere and by keyboard',
    async () => {
      const [page, faults] = await open('api.html', 'light', 1280);
      await page.keyboard.press('/');
      await page.keyboard.type('analysts see');
      await page.getByRole('link', { name: 'What analysts see' }).click();
      await page.getByRole('heading', { name: 'What analysts see' }).waitFor();
      expect([new URL(page.url()).hash, faults]).toEqual(['#what-analysts-see', []]);
      // An option in the middle of a section, by the name of its setting; and what there is not is said to everybody.
      await page.keyboard.press('/');
      await page.keyboard.type('displayed_attributes');
      await page.getByRole('search').getByRole('link', { name: 'What analysts see' }).waitFor();
      await page.keyboard.type('zzz');
      const none = await page.getByText('Nothing found').boundingBox();
      expect(none?.height).toBeGreaterThan(10);
      await page.close();
    },
    patient(60_000),
  );

  it(
    'has a reference that is searched and walked by keyboard, with an icon and nothing from elsewhere',
    async () => {
      const page = await browser.newPage();
      // The whole reference is drawn at once: seconds of CPU.
      page.setDefaultTimeout(patient(60_000));
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${localRun().url}/docs`);
      await page.getByPlaceholder('Search...').fill('evidence');
      await page.getByRole('search').getByText('What was sent with a decision').first().waitFor();
      const entry = page.locator('[role=menuitem] > label[tabindex="0"]', { hasText: 'Cases' }).first();
      await entry.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/#tag\/Cases/);
      const own = localRun().url;
      expect(asked.filter((url) => !url.startsWith(own) && !/^(data|blob):/.test(url))).toEqual([]);
      expect(asked.filter((url) => url.endsWith('favicon.ico'))).toEqual([]);
      await page.close();
    },
    patient(90_000),
  );
});
