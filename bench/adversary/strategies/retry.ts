import { MINUTE_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { elsewhere, paymentAs, theVictim } from './moves';

/** Trying again must never be enough. */
export const retry: Strategy = {
  name: 'retry',
  does: "sends the same payment from the victim's account again, every two minutes",
  goal: '900 on a new device abroad',
  budget: { attempts: 10, days: 1, money: 900 },
  victims: 1,
  async play(world) {
    const request = paymentAs(world, theVictim(world), { ...elsewhere(world), amount: 900 });
    for (;;) {
      await world.pay(request);
      await world.wait(2 * MINUTE_MS);
    }
  },
};
