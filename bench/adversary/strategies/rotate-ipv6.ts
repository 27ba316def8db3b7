import type { Strategy } from '../play/strategy';
import { isStopped } from '../target/target';
import { invented, paymentAs } from './moves';

/** A cable customer's network: the last group of the /48 and the host can be chosen at will. */
const SITE = '2a02:8109:9a80';
const PATIENCE = 3;

/** Tests cards from one connection; the addresses of a /64, then of a /48, are all the attacker's own. */
export const rotateIpv6: Strategy = {
  name: 'rotate-ipv6',
  does: 'tests stolen cards as new users on new devices, from ever other addresses of its own /64, then /48',
  goal: '60 cards tested with 2 each within 20 minutes',
  budget: { attempts: 70, days: 1, money: 120 },
  victims: 0,
  isQuick: true,
  async play(world) {
    const { draws } = world;
    const hex = () => draws.below(0x10000).toString(16);
    let stopped = 0;
    for (let number = 0; ; number++) {
      // Once an address of the same /64 is refused a few times, the next network of the /48 is used.
      const network = stopped < PATIENCE ? '0' : hex();
      const request = paymentAs(world, invented(world, number), {
        amount: 2,
        device_fingerprint: world.name(`device-${number}`),
        ip_address: `${SITE}:${network}:${hex()}:${hex()}:${hex()}:${hex()}`,
        country: 'DE',
      });
      if (isStopped(await world.pay(request))) stopped += 1;
      await world.wait(20_000);
    }
  },
};
