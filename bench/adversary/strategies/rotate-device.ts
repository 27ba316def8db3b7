import { MINUTE_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { elsewhere, paymentAs, theVictim } from './moves';

/** A device that was stopped is replaced. */
export const rotateDevice: Strategy = {
  name: 'rotate-device',
  does: 'uses another device and another address for each attempt, ten minutes apart',
  goal: '900 on any device abroad',
  budget: { attempts: 20, days: 1, money: 900 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    for (let number = 0; ; number++) {
      await world.pay(paymentAs(world, victim, { ...elsewhere(world, number), amount: 900 }));
      await world.wait(10 * MINUTE_MS);
    }
  },
};
