import { HOUR_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { isStopped } from '../target/target';
import { elsewhere, invented, paymentAs } from './moves';

/** Card testing below every short window: a card every other hour, and slower after each refusal. */
export const lowAndSlow: Strategy = {
  name: 'low-and-slow',
  does: 'tests a stolen card every other hour as a guest on one device, and slows down when refused',
  goal: '60 cards tested with 1 to 3 each',
  budget: { attempts: 60, days: 12, money: 0 },
  victims: 0,
  async play(world) {
    const { draws } = world;
    const from = elsewhere(world);
    let hours = 2;
    for (let number = 0; ; number++) {
      const request = { ...from, amount: draws.between(1, 3), card: world.name(`card-${number}`) };
      if (isStopped(await world.pay(paymentAs(world, invented(world, number), request))))
        hours = Math.min(24, hours * 2);
      await world.wait(hours * draws.between(0.7, 1.3) * HOUR_MS);
    }
  },
};
