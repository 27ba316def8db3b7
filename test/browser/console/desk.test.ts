import type { Page } from 'playwright-core';
import { changeSettings, createKey } from '../../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount } from '../../support/api';
import { describeInBrowser } from '../../support/machine/chromium';
import { useTimeMachine } from '../../support/machine/time-machine';
import { signatureOf } from '../../support/webhooks/webhook-account';
import { useReceiver } from '../../support/webhooks/webhook-receiver';
import { VENDORS } from '../../unit/outbound/vendor-verifiers';
import { type Analyst, expectAccessible, openConsole, signIn, useConsole } from './analyst';

describeInBrowser('a day at the desk', () => {
  const receiver = useReceiver();
  useTimeMachine(receiver.env);
  useConsole();
  let key: string;
  let account_id: string;
  beforeEach(async () => {
    ({ key, account_id } = await newAccount());
  });

  const RING = ['ring-1', 'ring-2', 'ring-3'] as const;

  /** A payment that is held, or blocked, as the sandbox is asked to; it has no history. */
  const force = async (sandbox_decision: string, order: string, amount = 90) => {
    const body = {
      ...{ user_id: `customer-of-${order}`, amount, currency: 'EUR', payment_method: 'card', references: [order] },
      ...{ ip_address: '91.0.0.7', device_fingerprint: 'tablet-7', billing_address: { country: 'DE' } },
      custom_attributes: { sandbox_decision, email: '=cmd@mail.example', sku: 'bike-7' },
    };
    return (await call('POST', '/v1/transactions/screen', { key, body })).json;
  };

  /** Held payments of one device. */
  async function makeRing(): Promise<void> {
    for (const [at, user_id] of RING.entries()) {
      const where = { device_fingerprint: 'farm', ip_address: `52.94.90.${at + 1}` };
      await call('POST', '/v1/events', { key, body: { event_type: 'signup', user_id, ...where } });
      const body = { user_id, amount: 700 + at, currency: 'USD', ...where };
      expect((await call('POST', '/v1/transactions/screen', { key, body })).json.case_id).not.toBeNull();
    }
  }

  async function enter(address = '', by = key): Promise<Analyst & { readonly page: Page }> {
    const analyst = await openConsole(address);
    await signIn(analyst, by, 'ana');
    return analyst;
  }

  const panel = (page: Page, title: string) => page.getByRole('region', { name: title });

  it('finds a blocked order by its number, reads why, overturns it with a reason, and the shop hears of it', async () => {
    const endpoint = { url: receiver.url('/overturned'), events: ['decision.reviewed'] };
    const { signing_secret: secret } = (await call('POST', '/v1/webhooks', { key, body: endpoint })).json;
    const { decision_id } = await force('block', 'order-4711');
    const analyst = await enter();
    const { page } = analyst;
    await page.getByText('All clear').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('order-4711');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: '€90.00' }).click();
    await page.getByRole('heading', { level: 1, name: 'customer-of-order-4711' }).waitFor();
    for (const sent of ['91.0.0.7', 'Germany, AS', 'Card', 'order-4711', 'tablet-7']) {
      await panel(page, 'What was sent').getByText(sent).first().waitFor();
    }
    // A value that is nobody's history leads nowhere.
    await panel(page, 'What was sent').getByRole('link', { name: '=cmd@mail.example' }).waitFor();
    await panel(page, 'What was sent').getByText('bike-7').waitFor();
    expect(await panel(page, 'What was sent').getByRole('link', { name: 'bike-7' }).count()).toBe(0);
    for (const title of ['Why this score', 'What to tell the customer']) await panel(page, title).waitFor();
    await expectAccessible(analyst);

    await page.getByRole('button', { name: 'Allow: it is legitimate' }).click();
    await page.getByText('Say why.').waitFor();
    await page.getByLabel('Why you decide otherwise').fill('She called: it was her.');
    await page.getByRole('button', { name: 'Allow: it is legitimate' }).click();
    await page.getByText('She called: it was her.').waitFor();
    await expectAccessible(analyst);
    const { json } = await call('GET', `/v1/decisions/${decision_id}`, { key });
    expect(json).toMatchObject({ decision: 'allow', review: { analyst_id: 'ana', notes: 'She called: it was her.' } });
    const webhook = await receiver.until('/overturned');
    expect(webhook.json).toMatchObject({ type: 'decision.reviewed', data: { decision_id, decision: 'allow' } });
    for (const verify of Object.values(VENDORS)) {
      expect(verify({ secret, headers: signatureOf(webhook), body: webhook.body })).toEqual(webhook.json);
    }
  });

  it('tells a key that only reads no names, and writes down who looked', async () => {
    const { case_id } = await force('review', 'order-1');
    const { key: reader } = await createKey(admin(), account_id, null, { role: 'readonly' });
    const first = await enter(`#/cases/${case_id}`, reader);
    await panel(first.page, 'What was sent').getByText('Germany, AS').waitFor();
    expect(await panel(first.page, 'What was sent').textContent()).not.toMatch(/91\.0|order-1|tablet/);
    const { page } = await enter(`#/cases/${case_id}`);
    await panel(page, 'What was sent').getByText('91.0.0.7').waitFor();
    const { json } = await call('GET', `/v1/cases/${case_id}/timeline`, { key });
    const looks = json.entries.filter(({ kind }: { kind: string }) => kind === 'viewed');
    expect(looks.map(({ actor }: { actor: string }) => actor)).toEqual(['ana']);
  });

  it('sorts by amount, saves a view, takes ten cases, gives three away, and exports a selection', async () => {
    const amounts = [40, 900, 300, 120, 80, 75, 60, 55, 50, 45, 35, 30];
    const largest = amounts.toSorted((a, b) => b - a);
    for (const [at, amount] of amounts.entries()) await force('review', `order-${at}`, amount);
    const analyst = await enter();
    const { page } = analyst;
    await page.getByLabel('Order of the list').selectOption('amount');
    await page.waitForFunction(() => document.querySelector('.rows .subject')?.textContent === '€900.00');
    expect(await page.locator('.rows .subject').allInnerTexts()).toEqual(largest.map((amount) => `€${amount}.00`));
    await page.locator('.queue-more summary').click();
    await page.getByLabel('Save as a view').fill('Large');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Large' }).waitFor();
    await expectAccessible(analyst);

    const pick = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at++) await page.locator('.rows input[type=checkbox]').nth(at).click();
      await page.getByText(`${count} cases selected`).waitFor();
    };
    const assign = async (to: string): Promise<void> => {
      await page.getByLabel('Assign to', { exact: true }).fill(to);
      await page.getByRole('button', { name: 'Assign', exact: true }).click();
      await page.locator('.decision-bar').waitFor({ state: 'detached' });
    };
    const heldBy = async (assignee: string): Promise<number[]> => {
      const { json } = await call('GET', `/v1/cases?assignee=${assignee}&sort=amount`, { key });
      return json.cases.map(({ amount }: { amount: number }) => amount);
    };
    await pick(10);
    await assign('ana');
    expect(await heldBy('ana')).toEqual(largest.slice(0, 10));
    await page.getByRole('button', { name: 'My cases' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.rows input[type=checkbox]').length === 10);
    await pick(3);
    await expectAccessible(analyst);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('cases.csv');
    await assign('ben');
    expect([await heldBy('ben'), await heldBy('ana')]).toEqual([largest.slice(0, 3), largest.slice(3, 10)]);
    await page.getByText('No longer in this list').nth(2).waitFor();
    await page.getByRole('link', { name: 'Large' }).click();
    await page.getByText('ben is on it').nth(2).waitFor();
    await page.locator('.rows a.row').first().click();
    await page.getByRole('main').getByText('ben was given this case.').waitFor();
  });

  it('follows a ring, rejects it at once, and takes that back', async () => {
    // Held, however much the device adds to the score.
    await changeSettings(admin(), account_id, { block_threshold: 101 });
    await makeRing();
    const analyst = await enter(`#/users/${RING[0]}`);
    const { page } = analyst;
    const other = page.getByRole('list', { name: 'Other users' }).getByRole('link', { name: RING[1] });
    const openRing = page.getByRole('button', { name: `Open cases of these ${RING.length} users` });
    // Links follow the stream, one user after the other.
    for (let tries = 0; tries < 60 && !(await openRing.isVisible()); tries++) {
      await page.waitForTimeout(500);
      await page.getByRole('link', { name: 'Queue' }).first().click();
      await page.goBack();
    }
    const { total } = (await call('GET', '/v1/cases?status=open', { key })).json;
    await openRing.click();
    await page.getByText(/^\d+ cases selected$/).waitFor();
    await expectAccessible(analyst);
    await page.keyboard.press('r');
    await page.getByText('Rejecting').first().waitFor();
    await page.keyboard.press('u');
    await page.getByText(/^\d+ cases selected$/).waitFor();
    expect((await call('GET', '/v1/cases?status=open', { key })).json.total).toBe(total);
    // The analyst is still at the ring, and of what is sent nothing stays there as if it were open.
    await page.keyboard.press('r');
    await page.clock.runFor(6_000);
    await page.getByText(`None of these ${RING.length} users has an open case.`).waitFor();
    await other.click();
    await page.getByRole('heading', { level: 1, name: RING[1] }).waitFor();
  });
});
