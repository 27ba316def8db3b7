import { eventBy, HOUR_MS, MINUTE_MS, paymentBy } from '../../../training/simulation/world';
import type { Play, Strategy } from '../strategy';
import { isStopped } from '../target';
import { elsewhere, invented, theVictim } from './moves';

/** Card testing below every short window: a card every other hour, and slower after each refusal. */
const lowAndSlow: Strategy = {
  name: 'low-and-slow',
  does: 'tests a stolen card every other hour as a guest on one device, and slows down when refused',
  goal: '60 cards tested with 1 to 3 each',
  budget: { attempts: 60, days: 12, money: 0 },
  bound: { most_allowed: 10 },
  async play(world) {
    const { draws } = world;
    const from = elsewhere(world);
    let hours = 2;
    for (let number = 0; ; number++) {
      const request = { ...from, amount: draws.between(1, 3), card: world.name(`card-${number}`) };
      if (isStopped(await world.pay(paymentBy(world, invented(world, number), request))))
        hours = Math.min(24, hours * 2);
      await world.wait(hours * draws.between(0.7, 1.3) * HOUR_MS);
    }
  },
};

const USERS = 40;

/** One password for many users; the one where it works is used at once. Slower each time it is noticed. */
const spray: Strategy = {
  name: 'spray',
  does: 'tries one password on 40 users from one address, signs in where it works and buys; later again, slower',
  goal: "300 from the victim's account",
  budget: { attempts: 130, days: 3, money: 300 },
  bound: { most_allowed: 0 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    for (let round = 0, everyMs = 5_000; ; round++, everyMs *= 2) {
      const from = elsewhere(world, round);
      for (let number = 0; number < USERS; number++) {
        await world.act(eventBy(world, invented(world, number), 'login', { ...from, outcome: 'failed' }));
        await world.wait(everyMs);
      }
      const signIn = await world.act(eventBy(world, victim, 'login', from));
      await world.wait(MINUTE_MS);
      // A shop that was warned asks for a second factor, which the attacker does not have.
      if (!isStopped(signIn)) await world.pay(paymentBy(world, victim, { ...from, amount: 300 }));
      await world.wait(HOUR_MS);
    }
  },
};

const FARMED = 20;

/** Signs up one account after another on one device, and lets each that was accepted buy two hours later. */
async function farm(world: Play, userIds: readonly string[]): Promise<void> {
  const { draws, addresses } = world;
  const from = { device_fingerprint: world.name('device'), ip_address: addresses.home('DE', draws), country: 'DE' };
  const accepted: string[] = [];
  for (const [number, user_id] of userIds.entries()) {
    const person = { ...invented(world, number), user_id };
    if (!isStopped(await world.act(eventBy(world, person, 'signup', from)))) accepted.push(user_id);
    await world.wait(2 * MINUTE_MS);
  }
  await world.wait(2 * HOUR_MS);
  for (const user_id of accepted) {
    const number = userIds.indexOf(user_id);
    await world.pay(paymentBy(world, invented(world, number), { ...from, user_id, amount: 100 }));
    await world.wait(15 * MINUTE_MS);
  }
}

const collude: Strategy = {
  name: 'collude',
  does: 'signs up 20 accounts on one device, two minutes apart; each buys for 100 with the welcome voucher',
  goal: '2,000 with 20 accounts',
  budget: { attempts: 40, days: 1, money: 2_000 },
  bound: { most_allowed: 0 },
  play: (world) =>
    farm(
      world,
      Array.from({ length: FARMED }, (_, number) => world.name(`account-${number}`)),
    ),
};

/**
 * The hash of the sketches as the source code published it, without a key: FNV-1a and murmur3's finaliser. The attacker's
 * own copy, because what was published stays known. If a deployment hashes differently, ids found with it no longer collide.
 */
export function publicHash(text: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The salts of the counted users and devices, and the buckets of the finest sketch. */
const SALTS = { users: 11, devices: 23 } as const;
const BUCKETS = 4_096;

/** Names that all fall into the bucket of the first: found offline, in a fraction of a second. */
export function collidingNames(of: keyof typeof SALTS, prefix: string, count: number): string[] {
  const bucketOf = (name: string): number => publicHash(name, SALTS[of]) & (BUCKETS - 1);
  const names = [`${prefix}-0`];
  const wanted = bucketOf(`${prefix}-0`);
  for (let number = 1; names.length < count; number++) {
    const name = `${prefix}-${number}`;
    if (bucketOf(name) === wanted) names.push(name);
  }
  return names;
}

/** The same farm as `collude`, with names that a count of distinct users takes for one. */
const collideSketches: Strategy = {
  name: 'collide-sketches',
  does: 'as collude, with user IDs chosen offline so that the published hash puts all into one bucket',
  goal: '2,000 with 20 accounts',
  budget: { attempts: 40, days: 1, money: 2_000 },
  bound: { most_allowed: 0 },
  play: (world) => farm(world, collidingNames('users', world.name('account'), FARMED)),
};

/** Many devices of one user that a count of distinct devices takes for one. */
const collideDevices: Strategy = {
  name: 'collide-devices',
  does: "rents out the victim's account to 14 buyers, on devices whose fingerprints collide in the published hash",
  goal: '2,100 in 14 payments of 150 from 14 devices',
  budget: { attempts: 14, days: 2, money: 2_100 },
  bound: { most_money: 1_050 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const devices = collidingNames('devices', world.name('device'), 14);
    for (const [number, device_fingerprint] of devices.entries()) {
      await world.pay(paymentBy(world, victim, { ...elsewhere(world, number), device_fingerprint, amount: 150 }));
      await world.wait(2 * HOUR_MS);
    }
  },
};

const EXTREMES = [1e12, 1e9, 1e7, 1e6];

/** Amounts that no shop has: a mistaken currency, or a probe of the score beyond its scale. */
const extremeAmount: Strategy = {
  name: 'extreme-amount',
  does: 'pays 10^12, then less, as a new user at home without any history',
  goal: 'one payment of at least 1,000,000',
  budget: { attempts: 4, days: 1, money: 1e6 },
  bound: { most_allowed: 0 },
  async play(world) {
    const { addresses, draws } = world;
    for (const [number, amount] of EXTREMES.entries()) {
      const from = { device_fingerprint: world.name(`device-${number}`), ip_address: addresses.home('DE', draws) };
      await world.pay(paymentBy(world, invented(world, number), { ...from, amount, country: 'DE' }));
      await world.wait(HOUR_MS);
    }
  },
};

export const IN_NUMBERS: readonly Strategy[] = [
  lowAndSlow,
  spray,
  collude,
  collideSketches,
  collideDevices,
  extremeAmount,
];
