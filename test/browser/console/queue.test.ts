import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { call, newAccount } from '../../support/api';
import { localRun } from '../../support/local-run';
import { describeInBrowser, launchChromium } from '../../support/machine/chromium';
import { DAY, pass, useTimeMachine } from '../../support/machine/time-machine';
import { type Analyst, expectAccessible, openCase, openConsole, signIn, useConsole } from './analyst';

describe('queue', () => {
  const usersIn = (page: Page): Promise<string[]> => page.locator('.rows .who b').allInnerTexts();

  describeInBrowser('the queue', () => {
    useConsole();
    let key: string;
    let analyst: Analyst;
    let page: Page;
    beforeEach(async () => {
      ({ key } = await newAccount());
    });

    async function enter(): Promise<void> {
      analyst = await openConsole();
      await signIn(analyst, key);
      ({ page } = analyst);
    }

    it('says so when there is nothing to do', async () => {
      await enter();
      await page.getByText('All clear').waitFor();
      await expectAccessible(analyst);
    });

    it('finds a user beyond the matches on the page, and shows nobody else’s rows meanwhile', async () => {
      const [{ user_id: older }, { user_id: newer }] = [await openCase(key), await openCase(key)];
      await enter();
      const rows = page.getByRole('main').locator('.rows');
      await rows.waitFor();
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/[?&]user_id=/, async (route) => {
        await released;
        await route.continue();
      });
      await page.getByRole('searchbox').fill(older);
      await page.getByRole('main').getByText('1 case on this page.').waitFor();
      await page.getByRole('button', { name: `Find user “${older}” in all cases` }).click();
      await page.getByRole('main').getByText('Cases of user').waitFor();
      await rows.waitFor({ state: 'detached' });
      release();
      await rows.waitFor();
      expect(await usersIn(page)).toEqual([older]);
      expect(older).not.toBe(newer);
    });

    it('finds the cases of a person far back in a long queue, and a refresh of its beginning takes none away', async () => {
      const { case_id, user_id } = await openCase(key);
      await call('POST', `/v1/cases/${case_id}/claim`, { key, body: { analyst_id: 'ana' } });
      await enter();
      let readOn = 0;
      // As in a queue of thousands: a request reads its newest cases, and hers are older.
      await page.route(/[?&]assignee=/, async (route) => {
        const url = new URL(route.request().url());
        const isRest = url.searchParams.get('cursor') === 'rest';
        url.searchParams.delete('cursor');
        const response = await route.fetch({ url: url.href });
        const found = await response.json();
        if (isRest) readOn++;
        const nothing = { cases: [], next_cursor: 'rest', searched_to: found.cases[0]?.created_at };
        await route.fulfill({ response, json: isRest ? found : { ...found, ...nothing } });
      });
      await page.getByRole('button', { name: 'My cases' }).click();
      await page.locator('.rows').getByText(user_id).waitFor();
      for (let refreshes = 0; refreshes < 2; refreshes++) {
        const refreshed = page.waitForResponse(/[?&]assignee=/);
        await page.clock.runFor(16_000);
        await refreshed;
      }
      expect([await usersIn(page), readOn]).toEqual([[user_id], 1]);
    });

    it('keeps its shortcuts after a click on a checkbox', async () => {
      const { user_id } = await openCase(key);
      await enter();
      await page.getByRole('checkbox', { name: `Select the case for ${user_id}` }).click();
      await page.keyboard.press('r');
      await page.getByText('Rejecting').first().waitFor();
    });

    it('shows cases newest first with counts, narrowed by status, dates and words', async () => {
      const users: string[] = [];
      for (let i = 0; i < 3; i++) {
        const { case_id, user_id } = await openCase(key);
        if (i === 1) await call('PUT', `/v1/cases/${case_id}`, { key, body: { status: 'rejected', analyst_id: 'bo' } });
        else users.unshift(user_id);
      }
      await enter();
      await page.locator('.rows').waitFor();
      expect(await usersIn(page)).toEqual(users);
      await page.locator('.tabs').getByText('2').first().waitFor();
      expect(await page.locator('.tabs a').allInnerTexts()).toEqual(
        ['Open 2', 'Approved 0', 'Rejected 1', 'Expired 0', 'All 3'].map((text) => text.replace(' ', '\n')),
      );
      await expectAccessible(analyst);

      await page.keyboard.press('/');
      await page.keyboard.type(users[0] ?? '');
      expect(await usersIn(page)).toEqual([users[0]]);
      await page.getByRole('searchbox').fill('nobody');
      await page.getByText('No matches on this page').waitFor();
      await page.getByRole('searchbox').fill('');

      await page.getByRole('link', { name: 'Rejected' }).click();
      await page.getByText('by bo').waitFor();
      expect(page.url()).toContain('status=rejected');

      await page.getByRole('link', { name: 'All' }).click();
      await page.getByText('1–3 of 3').waitFor();
      await page.getByLabel('From').fill('2020-01-01');
      await page.getByLabel('To', { exact: true }).fill('2020-02-01');
      await page.getByText('No cases', { exact: true }).waitFor();
      await expectAccessible(analyst);
      await page.goBack();
      await page.goBack();
      await page.getByText('1–3 of 3').waitFor();
    });

    it('pages, and opens a case by the id of its transaction', async () => {
      const opened = [];
      for (let i = 0; i < 21; i++) opened.unshift(await openCase(key));
      await enter();
      await page.getByText('1–20 of 21').waitFor();
      await page.getByRole('link', { name: 'Older' }).click();
      await page.getByText('21–21 of 21').waitFor();
      expect(await usersIn(page)).toEqual([opened[20]?.user_id]);
      await page.keyboard.press('/');
      await page.keyboard.type(opened[3]?.case_id.replace('case_', 'txn_') ?? '');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: opened[3]?.user_id ?? '' }).waitFor();
    });

    it('keeps up to date without moving: new cases are announced, resolved ones fade where they are', async () => {
      const first = await openCase(key);
      const second = await openCase(key);
      await enter();
      await page.locator('.rows').waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-case'));
      expect(await focused()).toBe(first.case_id);

      const third = await openCase(key);
      await call('PUT', `/v1/cases/${second.case_id}`, { key, body: { status: 'approved' } });
      await page.clock.runFor(16_000);
      await page.getByRole('button', { name: 'Show 1 new case' }).waitFor();
      await page.getByText('No longer in this list').waitFor();
      expect(await usersIn(page)).toEqual([second.user_id, first.user_id]);
      expect(await focused()).toBe(first.case_id);
      await expectAccessible(analyst);

      await page.getByRole('button', { name: 'Show 1 new case' }).click();
      await page.locator('.rows').getByText(third.user_id).waitFor();
      expect(await usersIn(page)).toEqual([third.user_id, first.user_id]);
    });

    it('shows that something is on its way, that it failed, and what to quote', async () => {
      await openCase(key);
      await enter();
      await page.locator('.rows').waitFor();
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/v1/**', async (route) => {
        await held;
        const error = { code: 'internal_error', message: 'Something went wrong on our side.', request_id: 'req-42' };
        await route.fulfill({ status: 500, json: { error } });
      });
      await page.locator('.rows a').click();
      await page.getByText('Loading the case').waitFor({ state: 'attached' });
      await expectAccessible(analyst);
      release();
      await page.getByRole('alert').getByText('req-42').waitFor();
      await expectAccessible(analyst);
      await page.unroute('**/v1/**');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Why this score' }).waitFor();
    });
  });
});

describeInBrowser('an expired case in the console', () => {
  useTimeMachine();
  useConsole();

  it('is shown as such and cannot be decided; a decision that comes too late is told kindly', async () => {
    const { key } = await newAccount();
    const { case_id, user_id } = await openCase(key);
    const late = await openConsole(`#/cases/${case_id}`);
    await signIn(late, key);
    await late.page.locator('.waterfall').waitFor();
    await pass(7 * DAY);
    await late.page.keyboard.press('a');
    await late.page.clock.runFor(5_000);
    await late.page.getByRole('alert').getByText(`The case for ${user_id} has expired`).waitFor();

    const analyst = await openConsole('#/queue?status=expired', Date.now() + 7 * DAY);
    await signIn(analyst, key);
    await analyst.page.locator('.rows').getByText('Expired').waitFor();
    await analyst.page.locator('.rows a').click();
    await analyst.page.getByText('expired after seven days').waitFor();
    expect(await analyst.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await analyst.page.keyboard.press('a');
    await analyst.page.clock.runFor(6_000);
    expect(analyst.writes).toEqual([]);
    await expectAccessible(analyst);
  });
});

describe('weight', () => {
  const MAX_BYTES_GZIPPED = 120_000;

  describeInBrowser('the console’s weight', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser.close());

    it('is at most 120 KB gzipped, all of it from one origin; its first paint is printed', async () => {
      const page = await browser.newPage();
      const sizes: Promise<number>[] = [];
      const origins = new Set<string>();
      page.on('response', (response) => {
        origins.add(new URL(response.url()).origin);
        sizes.push(response.body().then((body) => gzipSync(body).length));
      });
      await page.goto(`${localRun().url}/console/`);
      await page.getByLabel('API key').waitFor();
      // A frame later the browser has told when it painted.
      const paintMs = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            new PerformanceObserver((list) => {
              const found = list.getEntriesByName('first-contentful-paint')[0];
              if (found) resolve(found.startTime);
            }).observe({ type: 'paint', buffered: true });
          }),
      );
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      process.stdout.write(
        `the console: ${(bytes / 1000).toFixed(1)} kB gzipped in ${sizes.length} files, first paint after ${Math.round(paintMs)} ms\n`,
      );
      expect(bytes).toBeGreaterThan(10_000);
      expect(bytes).toBeLessThanOrEqual(MAX_BYTES_GZIPPED);
      expect([...origins]).toEqual([localRun().url]);
      await page.close();
    });
  });
});
