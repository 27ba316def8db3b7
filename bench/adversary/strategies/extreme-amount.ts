import { HOUR_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { invented, paymentAs } from './moves';

const AMOUNTS = [1e12, 1e9, 1e7, 1e6];

/** Amounts that no shop has: a slip of a currency, or a try at what the score does beyond its scale. */
export const extremeAmount: Strategy = {
  name: 'extreme-amount',
  does: 'pays 10^12, then less, as a new user at home without any history',
  goal: 'one payment of at least 1,000,000',
  budget: { attempts: 4, days: 1, money: 1e6 },
  victims: 0,
  isQuick: true,
  async play(world) {
    const { addresses, draws } = world;
    for (const [number, amount] of AMOUNTS.entries()) {
      const from = { device_fingerprint: world.name(`device-${number}`), ip_address: addresses.home('DE', draws) };
      await world.pay(paymentAs(world, invented(world, number), { ...from, amount, country: 'DE' }));
      await world.wait(HOUR_MS);
    }
  },
};
