import { newAccount } from '../../support/api';
import { describeInBrowser } from '../../support/chromium';
import { DAY, pass, useTimeMachine } from '../../support/time-machine';
import { expectAccessible, openCase, openConsole, signIn, useConsole } from './analyst';

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
