import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Overview } from '../../../sdk/client/src';
import { call, newAccount } from '../../support/api';
import { describeInBrowser } from '../../support/chromium';
import { type Analyst, expectAccessible, openCase, openConsole, signIn, useConsole } from './analyst';

/** Figures trail the stream: asked for until so many are counted. */
async function counted(key: string, found: (overview: Overview) => boolean): Promise<Overview> {
  for (let tries = 0; ; tries++) {
    const { json } = await call('GET', '/v1/overview', { key });
    if (found(json)) return json;
    if (tries >= 120) throw new Error(`Not counted: ${JSON.stringify(json.outcomes)}`);
    await delay(500);
  }
}

describeInBrowser('the overview', () => {
  useConsole();
  let key: string;
  beforeEach(async () => {
    ({ key } = await newAccount());
  });

  async function enter(): Promise<Analyst & { readonly page: Page }> {
    const analyst = await openConsole('#/overview');
    await signIn(analyst, key);
    return analyst;
  }

  it('shows the figures of the account, as charts and as tables, for everybody', async () => {
    const cases = [await openCase(key), await openCase(key), await openCase(key)];
    await call('PUT', `/v1/cases/${cases[0]?.case_id}`, { key, body: { status: 'rejected' } });
    await call('PUT', `/v1/cases/${cases[1]?.case_id}`, { key, body: { status: 'approved' } });
    const { screenings } = await counted(
      key,
      ({ outcomes }) => outcomes.review.confirmed_fraud + outcomes.review.confirmed_legitimate === 2,
    );
    const analyst = await enter();
    const { page } = analyst;
    await page.locator('.tiles').waitFor();
    const tiles = await page
      .locator('.tiles .panel')
      .evaluateAll((all) => all.map((tile) => [...tile.querySelectorAll('dt, b')].map((part) => part.textContent)));
    expect(Object.fromEntries(tiles)).toMatchObject({
      Screened: String(screenings.total),
      'Open cases': '1',
      'Review precision': '50%',
    });
    await page.getByText('1 of 2 were fraud').first().waitFor();
    await expectAccessible(analyst);

    await page.getByRole('button', { name: 'Decisions over time as a table' }).click();
    const rows = await page
      .locator('.chart-table tbody tr')
      .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))));
    const sums = [0, 1, 2].map((column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0));
    expect(sums).toEqual([screenings.block, screenings.review, screenings.allow]);
    await expectAccessible(analyst);

    await page.getByRole('link', { name: '30 days' }).click();
    await page.getByText('Decisions by day').waitFor();
    expect(page.url()).toContain('range=30d');
  });

  it('says so when nothing was screened', async () => {
    const analyst = await enter();
    await analyst.page.getByText('No screenings in this period').waitFor();
    await expectAccessible(analyst);
  });

  it('keeps old figures up when new ones do not come, and says so; another range without figures says why', async () => {
    await openCase(key);
    await counted(key, ({ screenings }) => screenings.review === 1);
    const { page } = await enter();
    await page.locator('.tiles').waitFor();
    const error = { code: 'internal_error', message: 'Something went wrong on our side.', request_id: 'req-42' };
    await page.route('**/v1/overview*', (route) => route.fulfill({ status: 500, json: { error } }));
    await page.clock.runFor(61_000);
    await page.getByRole('status').getByText('Could not refresh this page').waitFor();
    expect(await page.locator('.tiles').count()).toBe(1);
    await page.getByRole('link', { name: '24 hours' }).click();
    await page.getByRole('alert').getByText('req-42').waitFor();
    await page.locator('.tiles').waitFor({ state: 'detached' });
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/v1/overview*');
    // On a slow machine the try that comes by itself every minute may be first.
    await again.click({ timeout: 5_000 }).catch(() => undefined);
    await page.locator('.tiles').waitFor();
  });
});
