import { eventOf, HOUR_MS, MINUTE_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { isStopped } from '../target/target';
import { elsewhere, invented, paymentAs, theVictim } from './moves';

const USERS = 40;

/** One password for many users; the one where it works is used at once. Slower each time it is noticed. */
export const spray: Strategy = {
  name: 'spray',
  does: 'tries one password on 40 users from one address, signs in where it works and buys; later again, slower',
  goal: "300 from the victim's account",
  budget: { attempts: 130, days: 3, money: 300 },
  victims: 1,
  isQuick: true,
  async play(world) {
    const { draws } = world;
    const victim = theVictim(world);
    for (let round = 0, everyMs = 5_000; ; round++, everyMs *= 2) {
      const from = elsewhere(world, round);
      for (let number = 0; number < USERS; number++) {
        await world.act(eventOf(invented(world, number), draws, 'login', { ...from, outcome: 'failed' }));
        await world.wait(everyMs);
      }
      const signIn = await world.act(eventOf(victim, draws, 'login', from));
      await world.wait(MINUTE_MS);
      // A shop that was warned asks for a second factor, which the attacker does not have.
      if (!isStopped(signIn)) await world.pay(paymentAs(world, victim, { ...from, amount: 300 }));
      await world.wait(HOUR_MS);
    }
  },
};
