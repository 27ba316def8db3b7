import { DAY_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { invented, paymentAs } from './moves';

/** Strings that a person reads as the same name: spaces, invisible characters, full-width letters. */
const disguises = (id: string): string[] => [
  `${id} `,
  ` ${id}`,
  `${id}\u200b`,
  `${id.slice(0, 3)}\u200d${id.slice(3)}`,
  `${id}\ufeff`,
  id.replace(/[a-z]/, (letter) => String.fromCodePoint((letter.codePointAt(0) as number) + 0xfee0)),
];

/** A user with confirmed fraud returns under an id that looks the same. */
export const rotateUserId: Strategy = {
  name: 'rotate-user-id',
  does: 'after a chargeback, returns with a user ID that differs in spaces, invisible or full-width characters',
  goal: '200 per order by a user known for fraud',
  budget: { attempts: 7, days: 10, money: 1_400 },
  victims: 0,
  isQuick: true,
  async play(world) {
    const { addresses, draws } = world;
    const id = world.name('fraudster');
    const order = (user_id: string, number: number) =>
      paymentAs(world, invented(world, number), {
        user_id,
        amount: 200,
        country: 'DE',
        device_fingerprint: world.name(`device-${number}`),
        ip_address: addresses.home('DE', draws),
      });
    await world.reject(await world.pay(order(id, 0), 'step'));
    for (const [i, disguise] of disguises(id).entries()) {
      await world.wait(DAY_MS);
      await world.pay(order(disguise, i + 1));
    }
  },
};
