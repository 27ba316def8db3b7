import { join } from 'node:path';
import { inAThread } from '../support/machine/in-a-thread';
import { IS_FULL } from './soak-size';

jest.setTimeout(600_000);

const ranking = (traffic: string, isLearning: boolean, kind?: string): Promise<number> =>
  inAThread(join(__dirname, 'ranked-traffic.ts'), 'ranking', traffic, isLearning, kind);

describe('traffic that nobody made it for', () => {
  it('of a bot wave is told from people without any label', async () => {
    expect(await ranking('botShop', false, 'transaction')).toBeGreaterThan(0.99);
    expect(await ranking('botShop', false, 'signup')).toBeGreaterThan(0.9);
  });

  it('where busy addresses are honest is learnt against what signals say', async () => {
    expect(await ranking('busyRegistrations', false)).toBeLessThan(0.5);
    expect(await ranking('busyRegistrations', true)).toBeGreaterThan(0.98);
  });

  // The same loop on other traffic: once a night is often enough.
  if (IS_FULL) {
    it('of cards with categories is learnt from amounts, hours and categories', async () => {
      expect(await ranking('categoryCards', true)).toBeGreaterThan(0.985);
    });
  }
});
