import { eventOf, HOUR_MS, MINUTE_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { elsewhere } from './moves';

const LOGINS = 30;

/** Anyone can get somebody else's password wrong. */
export const smearLogins: Strategy = {
  name: 'smear-logins',
  does: 'fails to sign in as the victim 30 times from elsewhere; then the victim signs in at home and buys as usual',
  goal: 'eight customers stopped',
  aim: 'people',
  budget: { attempts: 8 * LOGINS, days: 2, money: 0 },
  victims: 8,
  isQuick: true,
  async play(world) {
    const { draws, victims } = world;
    let rise = 0;
    for (const [number, victim] of victims.entries()) {
      const from = elsewhere(world, number);
      const before = await world.asUsual(victim);
      await world.wait(HOUR_MS);
      for (let i = 0; i < LOGINS; i++) {
        await world.act(eventOf(victim, draws, 'login', { ...from, outcome: 'failed' }));
        await world.wait(30_000);
      }
      await world.wait(5 * MINUTE_MS);
      rise += (await world.asUsual(victim)).score - before.score;
    }
    world.noteShift(rise / victims.length);
  },
};
