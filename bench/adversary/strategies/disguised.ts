import { DAY_MS, HOUR_MS, MINUTE_MS, paymentBy } from '../../../training/simulation/world';
import type { Strategy } from '../strategy';
import { isStopped } from '../target';
import { elsewhere, invented, theVictim } from './moves';

const rotateDevice: Strategy = {
  name: 'rotate-device',
  does: 'uses another device and another address for each attempt, ten minutes apart',
  goal: '900 on any device abroad',
  budget: { attempts: 20, days: 1, money: 900 },
  bound: { most_allowed: 0 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    for (let number = 0; ; number++) {
      await world.pay(paymentBy(world, victim, { ...elsewhere(world, number), amount: 900 }));
      await world.wait(10 * MINUTE_MS);
    }
  },
};

/** A cable customer's network: the last group of the /48 and the host can be chosen at will. */
const SITE = '2a02:8109:9a80';
const PATIENCE = 3;

/** Tests cards from one connection; the addresses of a /64, then of a /48, are all the attacker's own. */
const rotateIpv6: Strategy = {
  name: 'rotate-ipv6',
  does: 'tests stolen cards as new users on new devices, from ever other addresses of its own /64, then /48',
  goal: '60 cards tested with 2 each within 20 minutes',
  budget: { attempts: 70, days: 1, money: 120 },
  bound: { most_allowed: 30 },
  async play(world) {
    const { draws } = world;
    const hex = () => draws.below(0x10000).toString(16);
    let stopped = 0;
    for (let number = 0; ; number++) {
      // Once an address of the same /64 is refused a few times, the next network of the /48 is used.
      const network = stopped < PATIENCE ? '0' : hex();
      const request = paymentBy(world, invented(world, number), {
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
const rotateEmail: Strategy = {
  name: 'rotate-email',
  does: 'after a chargeback, orders as a new user each time, with another spelling of the same email address',
  goal: '200 per order to a mailbox known for fraud',
  budget: { attempts: 8, days: 10, money: 1_600 },
  bound: { most_allowed: 0 },
  async play(world) {
    const { addresses, draws } = world;
    const order = (email: string, number: number) =>
      paymentBy(world, invented(world, number), {
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
const rotateUserId: Strategy = {
  name: 'rotate-user-id',
  does: 'after a chargeback, returns with a user ID that differs in spaces, invisible or full-width characters',
  goal: '200 per order by a user known for fraud',
  budget: { attempts: 7, days: 10, money: 1_400 },
  bound: { most_allowed: 0 },
  async play(world) {
    const { addresses, draws } = world;
    const id = world.name('fraudster');
    const order = (user_id: string, number: number) =>
      paymentBy(world, invented(world, number), {
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

/** One stolen card after another; after a refusal, a pause and a new user. */
const rotateCard: Strategy = {
  name: 'rotate-card',
  does: 'buys with one stolen card after another on one device; after a refusal waits an hour and signs up again',
  goal: '3,000 with 12 cards',
  budget: { attempts: 30, days: 2, money: 3_000 },
  bound: { most_money: 2_500 },
  async play(world) {
    const from = elsewhere(world);
    for (let card = 0, user = 0; ; card++) {
      const request = { ...from, amount: 250, card: world.name(`card-${card}`), country: 'FR' };
      const answer = await world.pay(paymentBy(world, invented(world, user), request));
      if (isStopped(answer)) user += 1;
      await world.wait(isStopped(answer) ? HOUR_MS : 5 * MINUTE_MS);
    }
  },
};

/** Somebody who was stopped, or expects to be, under other names. */
export const DISGUISED: readonly Strategy[] = [rotateDevice, rotateIpv6, rotateEmail, rotateUserId, rotateCard];
