import { createKey } from '../../../shared/usecases/accounts/administer-accounts';
import { admin, call, newAccount } from '../../support/api';
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
      await box.fill('amount > 100 && attr.note.contains("urgent")');
      await page.getByText('past traffic cannot answer for').waitFor();
      await page.getByRole('button', { name: 'Save as draft' }).click();

      for (const label of ['Try in shadow', 'Activate for 10%', 'Activate for 100%', 'Back to 10%', 'Pause']) {
        await page.getByRole('button', { name: label, exact: true }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: label, exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
      }
      await page.getByText('Version 6', { exact: true }).waitFor();
      await expectAccessible(analyst);
      expect((await call('GET', '/v1/rules/large', { key })).json).toMatchObject({ state: 'paused', version: 6 });
    });

    it('begin with a recipe, and an earlier version comes back; colleagues read who it was, not the ID of a key', async () => {
      const { key, account_id } = await newAccount();
      const analyst = await openConsole('#/rules');
      await signIn(analyst, key);
      const { page } = analyst;
      page.on('dialog', (dialog) => void dialog.accept());
      await page.getByRole('button', { name: 'Hold payments in crypto' }).click();
      await page.getByRole('button', { name: 'Save as draft' }).click();
      await page.getByText('Version 1', { exact: true }).waitFor();
      const box = page.getByLabel('Condition');
      const recipe = await box.inputValue();
      await box.fill('amount > 900');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Version 2', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Restore version 1' }).click();
      await page.getByText('Version 3', { exact: true }).waitFor();
      await page.waitForFunction((text) => document.querySelector('textarea')?.value === text, recipe);
      const of = { role: 'analyst', person: 'ana.silva' } as const;
      const reader = await openConsole('#/rules');
      await signIn(reader, (await createKey(admin(), account_id, null, of)).key);
      await reader.page.getByText('by a shared key').first().waitFor();
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

describeInBrowser('the definitions', () => {
  useConsole();

  it('are declared, changed and deleted by an admin, and completed in rules', async () => {
    const { key } = await newAccount();
    const analyst = await openConsole('#/definitions');
    await signIn(analyst, key);
    const { page } = analyst;
    const field = (label: string) => page.getByLabel(label, { exact: true });
    const saved = () => page.getByRole('button', { name: 'Delete', exact: true }).waitFor();
    const save = page.getByRole('button', { name: 'Save', exact: true });

    await page.getByRole('link', { name: 'New attribute' }).click();
    await field('Key').fill('items');
    await field('Type').selectOption('Number');
    await field('Note').fill('Items in the basket');
    await save.click();
    await saved();

    await page.getByRole('link', { name: 'New event type' }).click();
    await field('Name').fill('gift_card_bought');
    await field('Amount').selectOption('Required');
    await field('Required attributes').fill('items');
    await field('Review from score').fill('40');
    await expectAccessible(analyst);
    await save.press('Enter');
    await saved();

    await page.getByRole('link', { name: 'New counter' }).click();
    await field('Name').fill('gift_cards_per_user');
    await field('Of').fill('gift_card_bought, nothing');
    await field('Count').selectOption('Sum');
    await field('Value').fill('attr.items');
    await field('By').fill('user_id, attr.country');
    await field('Window').selectOption('24 hours');
    await field('Only where').fill('attr.items > 1');
    await save.click();
    await page.getByRole('alert').getByText('of: each must be one of').waitFor();
    await field('Of').fill('gift_card_bought');
    await save.click();
    await page.getByText('Counting since').waitFor();
    await page.getByText('costs 1 write unit').waitFor();
    await expectAccessible(analyst);
    expect((await call('GET', '/v1/counters/gift_cards_per_user', { key })).json).toMatchObject({
      ...{ of: ['gift_card_bought'], count: 'sum', value: 'attr.items', by: ['user_id', 'attr.country'] },
      ...{ window: '24h', where: 'attr.items > 1', note: null, version: 1 },
    });
    expect((await call('GET', '/v1/event-types', { key })).json.event_types.at(-1)).toMatchObject({
      ...{ name: 'gift_card_bought', amount: 'required', required: ['items'], review_threshold: 40 },
    });

    // Names in use are not deleted, and the page says what uses them.
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('link', { name: /^items/ }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alert').getByText('counter gift_cards_per_user needs').waitFor();
    await expectAccessible(analyst);

    await page.getByRole('link', { name: 'Rules' }).click();
    const box = field('Condition');
    await box.pressSequentially('counters.g');
    await page.getByRole('option', { name: /^counters\.gift_cards_per_user/ }).waitFor();
    await box.press('Enter');
    await box.pressSequentially(' > 3 && attr.it');
    await page.getByRole('option', { name: /^attr\.items.*Items in the basket/ }).click();
    expect(await box.inputValue()).toBe('counters.gift_cards_per_user > 3 && attr.items');

    await page.locator('h1').focus();
    await page.keyboard.press('f');
    await page.getByRole('link', { name: /^gift_cards_per_user/ }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('link', { name: /^gift_cards_per_user/ }).waitFor({ state: 'detached' });
    expect((await call('GET', '/v1/counters', { key })).json.counters).toEqual([]);
  });

  it('are shown to those who may not change them', async () => {
    const { key, account_id } = await newAccount();
    await call('PUT', '/v1/attributes/items', { key, body: { type: 'number' } });
    const analyst = await openConsole('#/definitions/attributes/items');
    await signIn(analyst, (await createKey(admin(), account_id, null, { role: 'readonly', person: 'rea' })).key);
    const { page } = analyst;
    const field = page.getByLabel('Type', { exact: true });
    await field.waitFor();
    expect(await field.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.getByText('Built in: login').waitFor();
    await expectAccessible(analyst);
  });
});
