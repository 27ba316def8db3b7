import { HOUR_MS, MINUTE_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { elsewhere, paymentAs, payWhileAllowed, theVictim } from './moves';

const SMALLEST = 20;

/** Finds the largest amount that passes and takes it as often as it can. */
export const splitAmounts: Strategy = {
  name: 'split-amounts',
  does: 'halves the amount until a payment is allowed, repeats it, and tries more again later',
  goal: '3,000 in pieces, on a new device abroad',
  budget: { attempts: 60, days: 4, money: 3_000 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const from = elsewhere(world);
    for (;;) {
      for (let amount = 3_000; amount >= SMALLEST; amount /= 2) {
        await payWhileAllowed(world, paymentAs(world, victim, { ...from, amount }), 30 * MINUTE_MS);
        await world.wait(10 * MINUTE_MS);
      }
      await world.wait(12 * HOUR_MS);
    }
  },
};
