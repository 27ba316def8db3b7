import { HOUR_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { elsewhere, paymentAs, theVictim } from './moves';
import { collidingNames } from './public-hash';

/** Many devices of one user that a count of distinct devices takes for one. */
export const collideDevices: Strategy = {
  name: 'collide-devices',
  does: "rents out the victim's account to 14 buyers, on devices whose fingerprints collide in the published hash",
  goal: '2,100 in 14 payments of 150 from 14 devices',
  budget: { attempts: 14, days: 2, money: 2_100 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const devices = collidingNames('devices', world.name('device'), 14);
    for (const [number, device_fingerprint] of devices.entries()) {
      await world.pay(paymentAs(world, victim, { ...elsewhere(world, number), device_fingerprint, amount: 150 }));
      await world.wait(2 * HOUR_MS);
    }
  },
};
