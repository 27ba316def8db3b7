import { HOUR_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { isStopped } from '../target/target';
import { elsewhere, paymentAs, theVictim } from './moves';

const EVERY_HOURS = [1, 5, 20, 46, 48];

/** A rejection must stay in force, on whatever device the thief returns. */
export const retryAfterRejection: Strategy = {
  name: 'retry-after-rejection',
  does: 'an analyst rejects the first payment; the thief returns for five days, then with another device',
  goal: '900 on a device that was rejected',
  budget: { attempts: 7, days: 6, money: 900 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const from = elsewhere(world);
    const first = await world.pay(paymentAs(world, victim, { ...from, amount: 900 }));
    if (!isStopped(first)) return;
    await world.reject(first);
    for (const hours of EVERY_HOURS) {
      await world.wait(hours * HOUR_MS);
      await world.pay(paymentAs(world, victim, { ...from, amount: 900 }));
    }
    await world.pay(paymentAs(world, victim, { ...elsewhere(world, 1), amount: 900 }));
  },
};
