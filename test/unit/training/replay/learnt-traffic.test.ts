import { join } from 'node:path';
import { outsideJest } from '../../../support/outside-jest';

jest.setTimeout(300_000);

const ranking = (traffic: string, isLearning: boolean): Promise<number> =>
  outsideJest(join(__dirname, 'ranked-traffic.ts'), 'ranking', traffic, isLearning);

describe('traffic that nobody made it for', () => {
  it('where busy addresses are honest is learnt against what signals say', async () => {
    expect(await ranking('busyRegistrations', false)).toBeLessThan(0.5);
    expect(await ranking('busyRegistrations', true)).toBeGreaterThan(0.98);
  });

  it('of cards with categories is learnt from amounts, hours and categories', async () => {
    expect(await ranking('categoryCards', true)).toBeGreaterThan(0.985);
  });
});
