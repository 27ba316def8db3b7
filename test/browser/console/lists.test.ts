import { call, newAccount } from '../../support/api';
import { describeInBrowser } from '../../support/chromium';
import { expectAccessible, openConsole, signIn, useConsole } from './analyst';

describeInBrowser('the lists', () => {
  useConsole();

  it('are shown, searched, filled and emptied, by everybody', async () => {
    const { key } = await newAccount();
    for (const name of ['stolen', 'vips']) {
      await call('PUT', `/v1/lists/${name}`, { key, body: { type: 'email', effect: 'block', note: `our ${name}` } });
    }
    await call('POST', '/v1/lists/vips/entries', { key, body: { entries: [{ value: 'ann@shop.example' }] } });
    const analyst = await openConsole('#/lists/vips');
    await signIn(analyst, key);
    const { page, writes } = analyst;
    await page.getByRole('row', { name: /ann@shop\.example/ }).waitFor();
    await expectAccessible(analyst);

    await page.getByLabel('Values').fill('bob@shop.example\nnobody\n');
    await page.getByLabel('Reason').fill('from the desk');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Line 2: value: must be an email address').waitFor();
    await page.getByRole('row', { name: /bob@shop\.example.*from the desk/ }).waitFor();

    await page.getByLabel('Find a value').fill('ANN+x@shop.example');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('row', { name: /bob/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove ann@shop.example' }).click();
    await page.getByRole('row', { name: /ann/ }).waitFor({ state: 'detached' });
    expect(writes).toEqual(['POST /v1/lists/vips/entries', 'DELETE /v1/lists/vips/entries/ann%40shop.example']);

    await page.getByRole('link', { name: /stolen/ }).click();
    await page.getByText('No entries').waitFor();
    await expectAccessible(analyst);
  });
});
