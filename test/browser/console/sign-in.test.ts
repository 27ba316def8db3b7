import { newAccount } from '../../support/api';
import { describeInBrowser } from '../../support/machine/chromium';
import { expectAccessible, openConsole, signIn, useConsole } from './analyst';

describeInBrowser('signing in to the console', () => {
  useConsole();
  let key: string;
  beforeAll(async () => {
    ({ key } = await newAccount());
  });

  it('asks for a name and a key, and says what is wrong with them', async () => {
    const analyst = await openConsole();
    const { page } = analyst;
    const submit = page.getByRole('button', { name: 'Sign in' });
    await submit.click();
    await page.getByRole('alert').getByText('Enter your name').waitFor();
    await page.getByLabel('Your name').fill('ana');
    await page.getByLabel('API key').fill('hunter2');
    await submit.click();
    await page.getByRole('alert').getByText('starts with sk_test_').waitFor();
    await page.getByLabel('API key').fill(`sk_test_${'x'.repeat(38)}`);
    await submit.click();
    await page.getByRole('alert').getByText('Unknown key').waitFor();
    await expectAccessible(analyst);
  });

  it('keeps the key in memory only: not in storage, address, history, cookies or page; a reload forgets it', async () => {
    const analyst = await openConsole();
    const { page } = analyst;
    await signIn(analyst, key);
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    const traces = await page.evaluate(async () =>
      JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        location.href,
        history.state,
        document.cookie,
        document.documentElement.outerHTML,
        [...document.querySelectorAll('input')].map((input) => input.value),
        await indexedDB.databases(),
        await caches.keys(),
        performance.getEntries().map(({ name }) => name),
      ]),
    );
    expect(traces).toContain('Review console');
    expect(traces).not.toContain(key);
    expect(traces).not.toContain(key.slice(8, 24));
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
  });

  it('signs out, and nothing of the account stays on the page', async () => {
    const analyst = await openConsole();
    const { page } = analyst;
    await signIn(analyst, key);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
  });

  it('asks again when the key is refused later on, and comes back to the same place', async () => {
    const analyst = await openConsole('#/queue?status=rejected');
    const { page } = analyst;
    await signIn(analyst, key);
    await page.getByText('No cases', { exact: true }).waitFor();
    await page.route('**/v1/cases*', (route) =>
      route.fulfill({ status: 401, json: { error: { code: 'unauthorized' } } }),
    );
    await page.getByRole('link', { name: 'Expired' }).click();
    await page.getByText('no longer valid').waitFor();
    await expectAccessible(analyst);
    await page.unroute('**/v1/cases*');
    await signIn(analyst, key);
    await page.getByRole('link', { name: 'Expired', exact: false }).and(page.locator('[aria-current]')).waitFor();
  });
});
