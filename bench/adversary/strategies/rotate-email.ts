import { DAY_MS } from '../people/person';
import type { Strategy } from '../play/strategy';
import { invented, paymentAs } from './moves';

/** One mailbox, written differently each time. */
const SPELLINGS = [
  'jane.roe@gmail.com',
  'jane.roe+shop@gmail.com',
  'janeroe@gmail.com',
  'j.a.n.e.r.o.e@gmail.com',
  'Jane.Roe@gmail.com',
  'JANEROE+1@GMAIL.COM',
  'janeroe+2@googlemail.com',
  'jane.roe+3@gmail.com ',
];

/** The bank reports the first purchase; the mailbox that ordered it returns under other spellings. */
export const rotateEmail: Strategy = {
  name: 'rotate-email',
  does: 'after a chargeback, orders as a new user each time, with another spelling of the same email address',
  goal: '200 per order to a mailbox known for fraud',
  budget: { attempts: 8, days: 10, money: 1_600 },
  victims: 0,
  isQuick: true,
  async play(world) {
    const { addresses, draws } = world;
    const order = (email: string, number: number) =>
      paymentAs(world, invented(world, number), {
        amount: 200,
        email,
        country: 'DE',
        device_fingerprint: world.name(`device-${number}`),
        ip_address: addresses.home('DE', draws),
      });
    const [first = '', ...others] = SPELLINGS;
    await world.reject(await world.pay(order(first, 0), 'step'));
    for (const [i, email] of others.entries()) {
      await world.wait(DAY_MS);
      await world.pay(order(email, i + 1));
    }
  },
};
