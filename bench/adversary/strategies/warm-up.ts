import { DAY_MS, HOUR_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { elsewhere, paymentAs, payWhileAllowed, theVictim } from './moves';

const SMALL = 15;

/** Small purchases make the device and the place familiar; how long does that take, and what does it buy? */
export const warmUp: Strategy = {
  name: 'warm-up',
  does: 'buys something for 15 every day, and tries the large amount every other day',
  goal: '1,800 in two payments, on a new device abroad',
  budget: { attempts: 40, days: 20, money: 1_800 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const from = elsewhere(world);
    for (let day = 1; ; day++) {
      await world.pay(paymentAs(world, victim, { ...from, amount: SMALL }), 'step');
      await world.wait(HOUR_MS);
      if (day % 2 === 0) await payWhileAllowed(world, paymentAs(world, victim, { ...from, amount: 900 }), HOUR_MS);
      await world.wait(DAY_MS - HOUR_MS);
    }
  },
};
