import { call, newAccount } from '../../support/api';
import { describeInBrowser } from '../../support/machine/chromium';
import { expectAccessible, openCase, openConsole, signIn, useConsole } from './analyst';

describe('rules', () => {
  const rule = (key: string, name: string, body: object) => call('PUT', `/v1/rules/${name}`, { key, body });

  describeInBrowser('the rules', () => {
    useConsole();

    it('are written with help, tested while one types, and rolled out step by step', async () => {
      const { key } = await newAccount();
      await call('PUT', '/v1/lists/vips', { key, body: { type: 'user_id', effect: 'none' } });
      const analyst = await openConsole('#/rules');
      await signIn(analyst, key);
      const { page } = analyst;
      await page.getByLabel('Name').fill('large');
      const box = page.getByLabel('Condition');
      await box.pressSequentially('amont > 100');
      await page.getByText('did you mean amount?').waitFor();
      await expectAccessible(analyst);

      await box.fill('');
      await box.pressSequentially('am');
      await page.getByRole('option', { name: /^amount/ }).waitFor();
      await box.press('Enter');
      await box.pressSequentially(' > 100 && user_id in lists.v');
      await page.getByRole('option', { name: /^lists\.vips/ }).click();
      expect(await box.inputValue()).toBe('amount > 100 && user_id in lists.vips');
      await page.getByText('Would match').waitFor();
      await page.getByText('past traffic does not hold').waitFor();
      await page.getByRole('button', { name: 'Save as draft' }).click();

      for (const label of ['Try in shadow', 'Activate for 10%', 'Activate for 100%', 'Pause']) {
        await page.getByRole('button', { name: label, exact: true }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: label, exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
      }
      await page.getByText('Version 5', { exact: true }).waitFor();
      await expectAccessible(analyst);
      expect((await call('GET', '/v1/rules/large', { key })).json).toMatchObject({ state: 'paused', version: 5 });
    });

    it('that somebody else changed meanwhile are not overwritten, and nothing typed is lost', async () => {
      const { key } = await newAccount();
      await rule(key, 'large', { expression: 'amount > 100', action: 'review' });
      const analyst = await openConsole('#/rules/large');
      await signIn(analyst, key);
      const { page } = analyst;
      const box = page.getByLabel('Condition');
      await box.fill('amount > 300');
      await rule(key, 'large', { expression: 'amount > 200', action: 'review' });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const notice = page.getByRole('alert');
      await notice.getByText('saved version 2 while you were editing').waitFor();
      await expectAccessible(analyst);
      expect(await box.inputValue()).toBe('amount > 300');
      await notice.getByRole('button', { name: 'Save mine over it' }).click();
      await page.getByRole('main').getByText('Saved as version 3').waitFor();
      expect((await call('GET', '/v1/rules/large', { key })).json.expression).toBe('amount > 300');
    });

    it('have company: a case puts its device and its user on lists, with a reason', async () => {
      const { key } = await newAccount();
      const { case_id, user_id } = await openCase(key);
      const analyst = await openConsole(`#/cases/${case_id}`);
      await signIn(analyst, key);
      const { page } = analyst;
      for (const [label, list] of [
        ['Block this device', 'blocked-devices'],
        ['Trust this user', 'trusted-users'],
      ] as const) {
        await page.getByRole('button', { name: label }).click();
        await page.getByRole('form', { name: label }).getByLabel('Reason').fill(`why ${list}`);
        await page.getByRole('button', { name: 'Add to list' }).click();
        await page.getByText(`Added to ${list}.`).waitFor();
        const { json } = await call('GET', `/v1/lists/${list}/entries`, { key });
        expect(json.entries).toMatchObject([{ reason: `why ${list}` }]);
      }
      await expectAccessible(analyst);
      expect(
        (await call('GET', `/v1/lists/trusted-users/entries?value=${user_id}`, { key })).json.entries,
      ).toHaveLength(1);
      const { json: blocked } = await call('GET', '/v1/lists/blocked-devices', { key });
      expect(blocked).toMatchObject({ type: 'device_fingerprint', effect: 'block', entries: 1 });
    });
  });
});

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
