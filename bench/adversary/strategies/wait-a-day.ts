import { DAY_MS, HOUR_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { elsewhere, paymentAs, takeOver, theVictim } from './moves';

/** Hours after the first attempt. */
const LATER_HOURS = [1, 6, 26, 72];

/** What was stopped must not look better after a night's sleep. */
export const waitADay: Strategy = {
  name: 'wait-a-day',
  does: "takes over the victim's account and sends the same payment again after 1, 6 and 26 hours and 3 days",
  goal: '4,000 on a new device abroad',
  budget: { attempts: 11, days: 4, money: 4_000 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const from = elsewhere(world);
    await takeOver(world, victim, from);
    const request = paymentAs(world, victim, { ...from, amount: 4_000 });
    await world.pay(request);
    let passedMs = 0;
    for (const hours of LATER_HOURS) {
      await world.wait(Math.min(hours * HOUR_MS, 4 * DAY_MS) - passedMs);
      passedMs = hours * HOUR_MS;
      await world.pay(request);
    }
  },
};
