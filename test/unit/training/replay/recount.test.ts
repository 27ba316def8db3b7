import { patient } from '../../../support/patience';
import { recountedMonth } from '../../../support/traffic/counted-month';

jest.setTimeout(patient(60_000));

it('every counter on every decision of a month is what a plain script counts, and rules decide by it', async () => {
  const { wrong, numbers, over, matched } = await recountedMonth(700);
  expect([wrong.length, wrong.slice(0, 10)]).toEqual([0, []]);
  expect(numbers).toBeGreaterThan(6_000);
  for (const [name, times] of over) {
    expect([name, matched[`over-${name.replaceAll('_', '-')}`]]).toEqual([name, times]);
    expect([name, times]).not.toEqual([name, 0]);
  }
});
