import { eventOf, HOUR_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { isStopped } from '../target/target';
import { elsewhere, paymentAs, theVictim } from './moves';

const AMOUNTS = [4_000, 2_000, 900, 450];

/** A stolen session: the victim's fingerprint, first from the thief's own address, then through a proxy at the victim's. */
export const replaySession: Strategy = {
  name: 'replay-session',
  does: "replays the victim's sign-in with the same device fingerprint, from abroad, then through the victim's address",
  goal: '4,000, or less if that is stopped',
  budget: { attempts: 20, days: 2, money: 4_000 },
  victims: 1,
  async play(world) {
    const { draws } = world;
    const victim = theVictim(world);
    const [device_fingerprint = ''] = victim.devices;
    const [home = ''] = victim.addresses;
    for (const ip_address of [elsewhere(world).ip_address, home]) {
      const from = { device_fingerprint, ip_address };
      if (isStopped(await world.act(eventOf(victim, draws, 'login', from)))) continue;
      for (const amount of AMOUNTS) {
        await world.wait(HOUR_MS);
        await world.pay(paymentAs(world, victim, { ...from, amount }));
      }
    }
  },
};
