import { HOUR_MS, MINUTE_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { isStopped } from '../target/target';
import { elsewhere, invented, paymentAs } from './moves';

/** One stolen card after another; after a refusal, a pause and a new user. */
export const rotateCard: Strategy = {
  name: 'rotate-card',
  does: 'buys with one stolen card after another on one device; after a refusal waits an hour and signs up anew',
  goal: '3,000 with 12 cards',
  budget: { attempts: 30, days: 2, money: 3_000 },
  victims: 0,
  isQuick: true,
  async play(world) {
    const from = elsewhere(world);
    for (let card = 0, user = 0; ; card++) {
      const request = { ...from, amount: 250, card: world.name(`card-${card}`), country: 'FR' };
      const answer = await world.pay(paymentAs(world, invented(world, user), request));
      if (isStopped(answer)) user += 1;
      await world.wait(isStopped(answer) ? HOUR_MS : 5 * MINUTE_MS);
    }
  },
};
