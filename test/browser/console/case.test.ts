import type { Page, Route } from 'playwright-core';
import { call, newAccount } from '../../support/api';
import { describeInBrowser } from '../../support/machine/chromium';
import {
  type Analyst,
  expectAccessible,
  freeze,
  openCase,
  openConsole,
  readCase,
  runUntil,
  signIn,
  useConsole,
} from './analyst';

const GRACE_MS = 5_000;

describeInBrowser('a case in the console', () => {
  useConsole();
  let key: string;
  beforeEach(async () => {
    ({ key } = await newAccount());
  });

  async function enter(case_id?: string, name = 'ana'): Promise<Analyst & { readonly page: Page }> {
    const analyst = await openConsole(case_id ? `#/cases/${case_id}` : '');
    await signIn(analyst, key, name);
    await analyst.page.locator(case_id ? '.waterfall' : '.rows').waitFor();
    return analyst;
  }
  const headingOf = (page: Page, user_id: string) => page.getByRole('heading', { level: 1, name: user_id });
  const shows = (page: Page, user_id: string) => headingOf(page, user_id).waitFor();

  it('explains its score: words, bars and numbers agree', async () => {
    const { case_id, user_id } = await openCase(key);
    const analyst = await enter(case_id);
    const { page } = analyst;
    await page.getByRole('heading', { name: 'Recent activity' }).waitFor();
    // Held is not spent, and the user's own risk does not contradict the score above.
    const facts = await page.locator('.user-panel dl > div').allInnerTexts();
    const factOf = (name: string) =>
      facts
        .find((fact) => fact.startsWith(name))
        ?.slice(name.length)
        .trim();
    expect(factOf('Spent')).toBe('nothing yet');
    expect(factOf('User’s risk')).toMatch(/^\d+ \(\w+\) for an ordinary action now$/);
    const { json } = await call('GET', `/v1/decisions/${case_id.replace('case', 'dec')}`, { key });
    const { base, contributions } = json.explanation;
    const points = await page
      .locator('.waterfall-points')
      .evaluateAll((all) => all.map((each) => each.firstChild?.nodeValue));
    const signed = (n: number) => (n < 0 ? `−${-n}` : `+${n}`);
    expect(points).toEqual([
      String(base),
      ...contributions.map((each: { points: number }) => signed(each.points)),
      String(json.risk_score),
    ]);
    for (const { detail } of contributions) {
      await page.getByText(detail.charAt(0).toUpperCase() + detail.slice(1)).waitFor();
    }
    // Each bar starts where the one before it ended, and the last one is the score.
    const bars = await page
      .locator('.waterfall-bar rect')
      .evaluateAll((all) =>
        all.map((bar) => ['x', 'width'].map((name) => Number.parseFloat(bar.getAttribute(name) ?? ''))),
      );
    const ends = bars.map(([x = 0, width = 0]) => x + width);
    expect(ends.at(-1)).toBeCloseTo(json.risk_score, 1);
    expect(bars[1]?.[0]).toBeCloseTo(base, 1);
    for (const text of ['$1,500.00', user_id, json.model_version, json.subject_id]) {
      await page.getByText(text).first().waitFor();
    }
    await expectAccessible(analyst);
  });

  it('is claimed once by being opened, and its timeline is read once', async () => {
    const { case_id } = await openCase(key);
    const analyst = await openConsole(`#/cases/${case_id}`);
    const { page } = analyst;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await signIn(analyst, key);
    await page.getByRole('region', { name: 'Timeline' }).getByText('claimed the case').waitFor();
    await freeze(analyst);
    const path = `/v1/cases/${case_id}`;
    expect(asked.filter((each) => /claim$|timeline$/.test(each))).toEqual([
      `POST ${path}/claim`,
      `GET ${path}/timeline`,
    ]);
    const { json } = await call('GET', `${path}/timeline`, { key });
    const kinds = json.entries.map(({ kind }: { kind: string }) => kind);
    expect(kinds.filter((kind: string) => /claimed|released/.test(kind))).toEqual(['claimed']);
  });

  it('is resolved by keyboard alone, with notes, after five seconds; the next one is there at once', async () => {
    const older = await openCase(key);
    const newer = await openCase(key);
    const analyst = await enter();
    const { page, writes } = analyst;
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await shows(page, newer.user_id);
    await page.keyboard.press('m');
    await page.keyboard.type('called: it was him');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Next' }).waitFor();
    await freeze(analyst);
    await page.keyboard.press('a');
    await page.getByText('Approving').first().waitFor();
    const ranMs = await runUntil(analyst, headingOf(page, older.user_id), GRACE_MS - 100);
    await page.clock.runFor(GRACE_MS - 100 - ranMs);
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(writes).toEqual([]);
    await page.clock.runFor(200);
    await page.getByText(`Approved ${newer.user_id}`).waitFor();
    expect(writes).toEqual([`PUT /v1/cases/${newer.case_id}`]);
    expect(await readCase(key, newer.case_id)).toMatchObject({
      status: 'approved',
      resolved_by: 'ana',
      notes: 'called: it was him',
    });

    await page.clock.resume();
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await page.clock.runFor(GRACE_MS);
    await page.getByText('All clear').waitFor();
    expect(await readCase(key, older.case_id)).toMatchObject({ status: 'rejected', resolved_by: 'ana', notes: null });
  });

  it('is fetched again when its prefetch fails after it was opened', async () => {
    const next = await openCase(key);
    const { case_id, user_id } = await openCase(key);
    const analyst = await openConsole(`#/cases/${case_id}`);
    const { page } = analyst;
    const prefetch = new Promise<Route>((held) => {
      void page.route(`**/v1/cases/${next.case_id}`, held, { times: 1 });
    });
    await signIn(analyst, key);
    await shows(page, user_id);
    const held = await prefetch;
    await page.getByRole('button', { name: 'Next' }).waitFor();
    await page.keyboard.press('n');
    await held.abort();
    await shows(page, next.user_id);
  });

  it('is given back by an undo before anything is sent, notes and all', async () => {
    const { case_id, user_id } = await openCase(key);
    await openCase(key);
    const analyst = await enter(case_id);
    const { page, writes } = analyst;
    await page.getByLabel('Notes').fill('looks bad');
    await freeze(analyst);
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Rejecting').first().waitFor();
    await page.keyboard.press('u');
    await page.clock.resume();
    await shows(page, user_id);
    expect(await page.getByLabel('Notes').inputValue()).toBe('looks bad');
    await page.clock.runFor(2 * GRACE_MS);
    expect(writes).toEqual([]);
    expect(await readCase(key, case_id)).toMatchObject({ status: 'open' });
  });

  it('is decided in sight: a message says what is on its way, and how to undo it', async () => {
    const { case_id } = await openCase(key);
    await openCase(key);
    const analyst = await enter(case_id);
    const { page } = analyst;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/v1/cases/${case_id}`, async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('a');
    await page.locator('.toast').getByText('Approving').waitFor();
    await page.getByRole('status').getByText('Press u to undo').waitFor({ state: 'attached' });
    await expectAccessible(analyst);
    release();
  });

  it('says that another analyst has already resolved it', async () => {
    const { case_id, user_id } = await openCase(key);
    const [ana, bo] = [await enter(case_id, 'ana'), await enter(case_id, 'bo')];
    await ana.page.keyboard.press('a');
    await bo.page.getByRole('button', { name: 'Decide anyway' }).click();
    await bo.page.keyboard.press('r');
    await bo.page.clock.runFor(GRACE_MS);
    await bo.page.getByText(`Rejected ${user_id}`).waitFor();
    await ana.page.clock.runFor(GRACE_MS);
    const told = ana.page.getByRole('alert');
    await told.getByText(`bo already rejected the case for ${user_id}`).waitFor();
    await told.getByText('Your decision was not saved').waitFor();
    await expectAccessible(ana);
    await told.getByRole('button').click();
    expect(await told.count()).toBe(0);
    expect(await readCase(key, case_id)).toMatchObject({ status: 'rejected', resolved_by: 'bo' });
  });

  it('shows when somebody else has resolved it while it was being read', async () => {
    const { case_id } = await openCase(key);
    const analyst = await enter(case_id);
    await call('PUT', `/v1/cases/${case_id}`, {
      key,
      body: { status: 'approved', analyst_id: 'bo', notes: 'fine', force: true },
    });
    await analyst.page.clock.runFor(16_000);
    await analyst.page.getByText('This case is already approved.').waitFor();
    await analyst.page.getByText('by bo').waitFor();
    expect(await analyst.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expectAccessible(analyst);
  });

  it('takes an answer that was lost on its way for what it is', async () => {
    const { case_id, user_id } = await openCase(key);
    const { page, writes } = await enter(case_id);
    await page.route(`**/v1/cases/${case_id}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.keyboard.press('a');
    await page.clock.runFor(GRACE_MS);
    await page.getByRole('alert').getByText('Not sent').waitFor();
    await page.unroute(`**/v1/cases/${case_id}`);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText(`Approved ${user_id}`).waitFor();
    expect(writes).toHaveLength(2);
  });

  it('keeps a decision that was made offline, and sends it when the line is back', async () => {
    const { case_id, user_id } = await openCase(key);
    await openCase(key);
    const analyst = await enter(case_id);
    const { page } = analyst;
    await page.context().setOffline(true);
    await page.getByText('You are offline').waitFor();
    await page.keyboard.press('r');
    await page.clock.runFor(GRACE_MS);
    await page.getByRole('alert').getByText(`Not sent: ${user_id}`).waitFor();
    await expectAccessible(analyst);
    await page.context().setOffline(false);
    await page.getByText(`Rejected ${user_id}`).waitFor();
    expect(await readCase(key, case_id)).toMatchObject({ status: 'rejected', resolved_by: 'ana' });
  });

  it('calls nobody offline for a service that is slow: it says so, and sends the decision again', async () => {
    const { case_id, user_id } = await openCase(key);
    const analyst = await enter(case_id);
    const { page } = analyst;
    await freeze(analyst);
    await page.route(`**/v1/cases/${case_id}`, (route) =>
      route.request().method() === 'PUT' ? undefined : route.continue(),
    );
    await page.keyboard.press('r');
    await page.clock.runFor(GRACE_MS);
    await page.clock.runFor(15_000);
    await page.locator('.toast').getByText('The service did not answer in time. Try again.').waitFor();
    expect(await page.getByText('You are offline').or(page.getByText('Cannot reach')).count()).toBe(0);
    await page.unroute(`**/v1/cases/${case_id}`);
    await page.clock.resume();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText(`Rejected ${user_id}`).waitFor();
  });

  it('leaves with everything sent', async () => {
    const { case_id } = await openCase(key);
    const { page } = await enter(case_id);
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await readCase(key, case_id)).toMatchObject({ status: 'rejected' });
  });

  it('of another account does not exist', async () => {
    const { case_id } = await openCase((await newAccount()).key);
    const analyst = await openConsole(`#/cases/${case_id}`);
    await signIn(analyst, key);
    await analyst.page.getByText('No such case').waitFor();
    await expectAccessible(analyst);
  });

  it('has help for the keys, and a switch for those who must not press them by accident', async () => {
    const { case_id } = await openCase(key);
    const analyst = await enter(case_id);
    const { page, writes } = analyst;
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(analyst);
    await page.getByLabel('Enable keyboard shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('a');
    await page.clock.runFor(2 * GRACE_MS);
    expect(writes).toEqual([]);
    expect(await readCase(key, case_id)).toMatchObject({ status: 'open' });
  });
});
