import { eventBy, HOUR_MS, MINUTE_MS, type Over, paymentBy } from '../../../training/simulation/world';
import type { Play, Strategy } from '../strategy';
import { isStopped } from '../target';
import { elsewhere, invented, theVictim } from './moves';

/*
 * Thieves who are never greedy. Anyone who is stopped once leaves a mark; these try not to be: every payment looks like
 * one that passes, and only together are they a theft.
 */

interface Pieces {
  readonly amount: number;
  readonly everyMs: number;
  readonly over?: (number: number) => Over;
}

async function inPieces(world: Play, person: Parameters<typeof paymentBy>[1], from: Over, pieces: Pieces) {
  const { amount, everyMs, over = () => ({}) } = pieces;
  for (let number = 0; ; number++) {
    await world.pay(paymentBy(world, person, { ...from, amount, ...over(number) }));
    await world.wait(everyMs);
  }
}

function newcomer(world: Play) {
  const { draws, addresses } = world;
  const from = { device_fingerprint: world.name('device'), ip_address: addresses.home('DE', draws), country: 'DE' };
  return { person: { ...invented(world, 0), country: 'DE' as const }, from };
}

const byNewcomer = (
  name: string,
  pieces: Pieces & { readonly does: string },
  { budget, bound }: Pick<Strategy, 'budget' | 'bound'>,
): Strategy => ({
  name,
  does: `as a new user at home with one card and one device, ${pieces.does}`,
  goal: `${budget.attempts} payments of ${pieces.amount.toLocaleString('en-US')}`,
  budget,
  bound,
  async play(world) {
    const { person, from } = newcomer(world);
    await inPieces(world, person, from, pieces);
  },
});

const FIRST_DAYS = 2;

/** Spends what somebody new may on two days, thirty hours apart, and then as much as is allowed, for as long as the budget lasts. */
const byDays = (
  name: string,
  does: string,
  { budget, bound }: Pick<Strategy, 'budget' | 'bound'>,
  later: (world: Play) => Over = () => ({}),
): Strategy => ({
  name,
  does: `as a new user, pays 209 eight times on each of two days, and then until it is stopped, ${does}`,
  goal: `as much as possible in ${budget.days} days`,
  budget,
  bound,
  async play(world) {
    const { person, from } = newcomer(world);
    for (let day = 0; ; day++) {
      const isFirst = day < FIRST_DAYS;
      const over = { ...from, ...(isFirst ? {} : later(world)), amount: 209 };
      for (let piece = 0; piece < (isFirst ? 8 : 60); piece++) {
        if (isStopped(await world.pay(paymentBy(world, person, over)))) break;
        await world.wait(10 * MINUTE_MS);
      }
      await world.wait(30 * HOUR_MS);
    }
  },
});

const onOwnDevice = ({ devices, addresses }: { devices: readonly string[]; addresses: readonly string[] }): Over => ({
  device_fingerprint: devices[0] ?? '',
  ip_address: addresses[0] ?? '',
});

/** On the account's own device: a mule, or a stolen session. */
const byOwner = (
  name: string,
  does: string,
  goal: string,
  { budget, bound, play }: Pick<Strategy, 'budget' | 'bound'> & { play: (world: Play, home: Over) => Promise<void> },
): Strategy => ({
  name,
  does: `on the victim's own device at home, ${does}`,
  goal,
  budget,
  bound,
  victims: 1,
  play: (world) => play(world, onOwnDevice(theVictim(world))),
});

const byTakeover = (
  name: string,
  does: string,
  goal: string,
  {
    budget,
    bound,
    pieces,
    without = [],
  }: Pick<Strategy, 'budget' | 'bound'> & { pieces: Pieces; without?: Over['without'] },
): Strategy => ({
  name,
  does: `takes over the victim's account from abroad, ${does}`,
  goal,
  budget,
  bound,
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const from = { ...elsewhere(world), without };
    // Quietly: the password was bought, nothing is reset.
    await world.act(eventBy(world, victim, 'login', from));
    await world.wait(HOUR_MS);
    await inPieces(world, victim, from, pieces);
  },
});

const USERS_OF_A_CARD = 60;

/** One stolen card, and a user, a device and an address for each payment. */
const oneCard: Strategy = {
  name: 'one-card',
  does: 'uses one stolen card as 60 new users, each with a device and an address of its own, 20 minutes apart',
  goal: '60 payments of 40',
  budget: { attempts: USERS_OF_A_CARD, days: 2, money: 0 },
  bound: { most_allowed: 5 },
  async play(world) {
    const { addresses, draws } = world;
    for (let number = 0; number < USERS_OF_A_CARD; number++) {
      const from = { device_fingerprint: world.name(`device-${number}`), ip_address: addresses.home('DE', draws) };
      const over = { ...from, amount: 40, card: world.name('card'), country: 'DE' };
      await world.pay(paymentBy(world, invented(world, number), over));
      await world.wait(20 * MINUTE_MS);
    }
  },
};

/** Anybody can type anybody's address or number. */
const typed = (what: 'email' | 'phone'): Strategy => ({
  name: `typed-${what}`,
  does: `as a guest with a card of its own, pays 25 under the victim's ${what} and disputes it; then the victim buys as usual`,
  goal: 'eight customers stopped',
  aim: 'people',
  budget: { attempts: 8, days: 4, money: 0 },
  bound: { most_hurt: 0, most_shift: 10 },
  victims: 8,
  async play(world) {
    const { victims } = world;
    let rise = 0;
    for (const [number, victim] of victims.entries()) {
      const attributes = what === 'phone' ? { phone: `+4917055512${10 + number}` } : {};
      const before = await world.asUsual(victim, { attributes });
      await world.wait(HOUR_MS);
      const borrowed = what === 'phone' ? { attributes } : { email: victim.email };
      const guest = paymentBy(world, invented(world, number), { ...elsewhere(world, number), ...borrowed, amount: 25 });
      const answer = await world.pay(guest);
      await world.wait(2 * HOUR_MS);
      await world.reject(answer);
      await world.wait(HOUR_MS);
      rise += (await world.asUsual(victim, { attributes })).score - before.score;
    }
    world.noteShift(rise / victims.length);
  },
});

/** Small purchases meant to make any amount look usual. */
const cents = (name: string, small: readonly number[], amount: number): Strategy =>
  byOwner(name, `pays ${small.join(', ')}, then ${amount.toLocaleString('en-US')}`, amount.toLocaleString('en-US'), {
    budget: { attempts: small.length + 1, days: 1, money: amount },
    bound: { most_allowed: 0 },
    async play(world, home) {
      for (const each of small) {
        await world.pay(paymentBy(world, theVictim(world), { ...home, amount: each }), 'step');
        await world.wait(10 * MINUTE_MS);
      }
      await world.pay(paymentBy(world, theVictim(world), { ...home, amount }));
    },
  });

/** Never greedy: no single payment stands out. */
export const PATIENT: readonly Strategy[] = [
  byNewcomer(
    'pieces-at-once',
    { does: 'pays 210 every two seconds', amount: 210, everyMs: 2_000 },
    { budget: { attempts: 150, days: 1, money: 0 }, bound: { most_money: 2_000 } },
  ),
  byNewcomer(
    'pieces-by-the-hour',
    { does: 'pays 400 every hour', amount: 400, everyMs: HOUR_MS },
    { budget: { attempts: 23, days: 1, money: 0 }, bound: { most_money: 2_000 } },
  ),
  byNewcomer(
    'pieces-for-days',
    { does: 'pays 2,400 every three hours', amount: 2_400, everyMs: 3 * HOUR_MS },
    { budget: { attempts: 24, days: 3, money: 0 }, bound: { most_allowed: 3 } },
  ),
  byDays('pieces-by-days', 'every thirty hours', {
    budget: { attempts: 150, days: 7, money: 0 },
    bound: { most_money: 9_000 },
  }),
  byDays(
    'stolen-card-later',
    'with a stolen card',
    { budget: { attempts: 100, days: 3, money: 0 }, bound: { most_money: 5_400 } },
    (world) => ({ card: world.name('stolen-card') }),
  ),
  oneCard,
  byOwner('mule', 'pays 400 with another card every hour', '40 payments of 400', {
    budget: { attempts: 40, days: 2, money: 0 },
    bound: { most_money: 2_000 },
    play: (world, home) =>
      inPieces(world, theVictim(world), home, {
        amount: 400,
        everyMs: HOUR_MS,
        over: (number) => ({ card: world.name(`card-${number}`) }),
      }),
  }),
  byTakeover('takeover-in-pieces', 'then pays 300 every hour on a new device', '40 payments of 300', {
    budget: { attempts: 47, days: 2, money: 0 },
    bound: { most_money: 1_000 },
    pieces: { amount: 300, everyMs: HOUR_MS },
  }),
  byTakeover('without-device', 'then pays 900 every hour without naming a device', '20 payments of 900', {
    budget: { attempts: 26, days: 2, money: 0 },
    bound: { most_allowed: 1 },
    pieces: { amount: 900, everyMs: HOUR_MS },
    without: ['device_fingerprint'],
  }),
  byTakeover('without-anything', 'then pays 900 every hour without device or address', '12 payments of 900', {
    budget: { attempts: 18, days: 2, money: 0 },
    bound: { most_allowed: 1 },
    pieces: { amount: 900, everyMs: HOUR_MS },
    without: ['device_fingerprint', 'ip_address'],
  }),
  cents('cents-first', [1, 1, 1], 4_000),
  cents('one-cent-first', [0.5], 4_000),
  cents('coins-first', [3.5, 4, 3.5, 8, 4, 5], 50_000),
  typed('email'),
  typed('phone'),
];
