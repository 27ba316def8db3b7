import { eventOf, HOUR_MS, MINUTE_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { elsewhere, invented } from './moves';

const SIGNUPS = 12;

/** A fingerprint can be copied from any page that the victim visits. */
export const smearDevice: Strategy = {
  name: 'smear-device',
  does: "signs up 12 accounts with the victim's device fingerprint; then the victim signs in and buys as usual",
  goal: 'eight customers stopped',
  aim: 'people',
  budget: { attempts: 8 * SIGNUPS, days: 2, money: 0 },
  victims: 8,
  isQuick: true,
  async play(world) {
    const { draws, victims } = world;
    let rise = 0;
    for (const [number, victim] of victims.entries()) {
      const [device_fingerprint = ''] = victim.devices;
      const from = { ...elsewhere(world, number), device_fingerprint };
      const before = await world.asUsual(victim);
      await world.wait(HOUR_MS);
      for (let i = 0; i < SIGNUPS; i++) {
        await world.act(eventOf(invented(world, number * SIGNUPS + i), draws, 'signup', from));
        await world.wait(3 * MINUTE_MS);
      }
      await world.wait(HOUR_MS);
      rise += (await world.asUsual(victim)).score - before.score;
    }
    world.noteShift(rise / victims.length);
  },
};
