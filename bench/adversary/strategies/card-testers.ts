import { HOUR_MS, MINUTE_MS, paymentBy } from '../../../training/simulation/world';
import type { Strategy } from '../strategy';
import { elsewhere, invented } from './moves';

/*
 * Thieves with card numbers that may or may not work. Too slow for every window of payments, for amounts that nobody
 * notices: only what the bank says about each betrays them.
 */

const slowTesting: Strategy = {
  name: 'slow-testing',
  does: 'tests a stolen card every 25 minutes as one user on one device; banks refuse nine of ten',
  goal: '60 cards tested with 10 to 40 each',
  budget: { attempts: 60, days: 2, money: 0 },
  bound: { most_allowed: 5 },
  async play(world) {
    const { draws } = world;
    const from = elsewhere(world);
    const tester = invented(world, 0);
    for (let number = 0; ; number++) {
      const request = { ...from, amount: draws.between(10, 40), card: world.name(`card-${number}`) };
      const answer = await world.pay(paymentBy(world, tester, request));
      if (number % 10 !== 9) await world.decline(answer, 'do_not_honor');
      await world.wait(25 * MINUTE_MS);
    }
  },
};

/** One card, a thousand CVCs: a guest, a device and an address for each. */
const cvcGuessing: Strategy = {
  name: 'cvc-guessing',
  does: 'guesses the CVC of one card every 20 minutes, each time as another guest on another device and address',
  goal: '60 guesses',
  budget: { attempts: 60, days: 1, money: 0 },
  bound: { most_allowed: 4 },
  async play(world) {
    const card = world.name('card');
    for (let number = 0; ; number++) {
      const request = { ...elsewhere(world, number), amount: 20, card };
      const answer = await world.pay(paymentBy(world, invented(world, number), request));
      await world.decline(answer, 'incorrect_cvc');
      await world.wait(20 * MINUTE_MS);
    }
  },
};

const MACHINES = 5;

/** One range of numbers, constantly new numbers from it, on a few machines in turn. */
const binAttack: Strategy = {
  name: 'bin-attack',
  does: 'tries ever new numbers of one range from five machines by turns, one every 12 minutes; banks know one of twenty',
  goal: '120 numbers tried',
  budget: { attempts: 120, days: 1, money: 0 },
  bound: { most_allowed: 20 },
  async play(world) {
    const machines = Array.from({ length: MACHINES }, (_, number) => elsewhere(world, number));
    for (let number = 0; ; number++) {
      const from = machines[number % MACHINES];
      const attributes = { card_bin: '52340000' };
      const request = { ...from, amount: 15, card: world.name(`card-${number}`), attributes };
      const answer = await world.pay(paymentBy(world, invented(world, number), request));
      if (number % 20 !== 19) await world.decline(answer, 'incorrect_number');
      await world.wait(HOUR_MS / 5);
    }
  },
};

export const CARD_TESTERS: readonly Strategy[] = [slowTesting, cvcGuessing, binAttack];
