import { changeSettings, createKey } from '../../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount } from '../../support/api';
import { describeInBrowser } from '../../support/machine/chromium';
import { type Analyst, expectAccessible, openCase, openConsole, readCase, useConsole } from './analyst';

/** Signs in with a personal key, which needs no name. */
async function enter(key: string, address = ''): Promise<Analyst> {
  const analyst = await openConsole(address);
  await analyst.page.getByLabel('API key').fill(key);
  await analyst.page.getByRole('button', { name: 'Sign in' }).click();
  await analyst.page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
  return analyst;
}

/** Payments of a card tester: one device, held one after another. */
async function cardTester(key: string, count: number): Promise<string[]> {
  const where = { device_fingerprint: 'tester', ip_address: '52.94.78.1' };
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    const body = { user_id: `guest-${number}`, amount: 20 + number, currency: 'USD', ...where };
    const { json } = await call('POST', '/v1/transactions/screen', { key, body });
    expect(json.decision).toBe('review');
    ids.push(json.case_id);
  }
  return ids;
}

describeInBrowser('a team at the console', () => {
  useConsole();
  let account: Awaited<ReturnType<typeof newAccount>>;
  let [ana, bo] = ['', ''];
  beforeAll(async () => {
    account = await newAccount('team');
    await changeSettings(admin(), account.account_id, {
      reason_codes: ['card_testing'],
      review_threshold: 1,
      block_threshold: 101,
    });
    const own = async (person: string) =>
      (await createKey(admin(), account.account_id, null, { role: 'analyst', person })).key;
    [ana, bo] = [await own('ana.silva'), await own('bo')];
  });

  it('shows who has a case, keeps others from deciding by accident, and tells the whole story', async () => {
    const { case_id } = await openCase(account.key);
    const first = await enter(ana, `#/cases/${case_id}`);
    await first.page.getByText('You have this case until').waitFor();
    await first.page.getByTitle('by a personal key').waitFor();
    const second = await enter(bo, `#/cases/${case_id}`);
    await second.page.getByText('ana.silva has this case until').waitFor();
    await second.page.getByRole('main').getByText('ana.silva is working on this case until').waitFor();
    await second.page
      .getByRole('status')
      .getByText('ana.silva is working on this case.')
      .waitFor({ state: 'attached' });
    expect(await second.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expectAccessible(second);

    await first.page.keyboard.press('c');
    await first.page.keyboard.type('Called the cardholder.');
    await first.page.getByRole('button', { name: 'Comment' }).click();
    await first.page.getByRole('list').getByText('Called the cardholder.').waitFor();
    await first.page.getByLabel('Reason').selectOption('card_testing');
    await expectAccessible(first);

    await second.page.getByRole('button', { name: 'Decide anyway' }).click();
    await second.page.getByRole('button', { name: 'Reject' }).click();
    await second.page.clock.runFor(6_000);
    await second.page.getByText('Rejected hasty').waitFor();
    expect(await readCase(account.key, case_id)).toMatchObject({ status: 'rejected', resolved_by: 'bo', comments: 1 });

    await second.page.goto(`${second.page.url().split('#')[0]}#/cases/${case_id}`);
    await second.page.getByText('bo rejected the case').waitFor();
    await second.page.getByRole('button', { name: 'Correct: it was legitimate' }).click();
    await second.page.getByText('bo corrected the decision from block to allow').waitFor();
  });

  it('opens the group of a card tester, decides all of it at once, and takes it back', async () => {
    const ids = await cardTester(account.key, 4);
    const analyst = await enter(ana, '#/queue');
    const { page, writes } = analyst;
    const group = page.getByRole('button', { name: '4 cases of one device within' });
    await group.click();
    await page.getByRole('list', { name: '4 cases of one device' }).getByText('guest-0').waitFor();
    await page.getByLabel('Select 4 cases of one device').check();
    await page.getByText('4 cases selected').waitFor();
    await expectAccessible(analyst);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('4 cases selected').waitFor();
    expect(writes).toEqual([]);
    // Its head says it, too, while its rows are out of sight.
    await group.click();
    await page.getByRole('button', { name: 'Reject' }).click();
    await group.getByText('Rejecting…').waitFor();
    await page.clock.runFor(6_000);
    await page.getByText('Decided 4 of 4 cases').waitFor();
    expect(writes).toEqual(['POST /v1/cases/resolve']);
    for (const id of ids) expect(await readCase(account.key, id)).toMatchObject({ status: 'rejected' });
  });

  it('finds a user among all cases, and shows a reader that the key cannot decide', async () => {
    const { user_id, case_id } = await openCase(account.key);
    const { key } = await createKey(admin(), account.account_id, null, { role: 'readonly', person: 'rea' });
    const { page } = await enter(key, '#/queue?status=rejected');
    await page.getByRole('searchbox').fill(user_id);
    await page.getByRole('searchbox').press('Enter');
    // Not an order's number, so it is taken for a user.
    await page.getByRole('link', { name: '$1,500.00' }).click();
    await page.getByRole('link', { name: 'Open the case' }).click();
    expect(page.url()).toContain(case_id);
    await page.getByText('Your key can read cases').waitFor();
  });
});
