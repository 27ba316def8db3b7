import { DAY_MS, eventBy, HOUR_MS, MINUTE_MS, type Over, paymentBy } from '../../../training/simulation/world';
import type { Strategy } from '../strategy';
import { type Answer, isStopped } from '../target';
import { elsewhere, payWhileAllowed, takeOver, theVictim } from './moves';

const retry: Strategy = {
  name: 'retry',
  does: "sends the same payment from the victim's account again, every two minutes",
  goal: '900 on a new device abroad',
  budget: { attempts: 10, days: 1, money: 900 },
  bound: { most_allowed: 0, is_never_milder: true },
  victims: 1,
  async play(world) {
    const request = paymentBy(world, theVictim(world), { ...elsewhere(world), amount: 900 });
    for (;;) {
      await world.pay(request);
      await world.wait(2 * MINUTE_MS);
    }
  },
};

const LATER_HOURS = [1, 6, 26, 72];

/** A stopped attempt must not look better after a night's sleep. */
const waitADay: Strategy = {
  name: 'wait-a-day',
  does: "takes over the victim's account and sends the same payment again after 1, 6 and 26 hours and 3 days",
  goal: '4,000 on a new device abroad',
  budget: { attempts: 11, days: 4, money: 4_000 },
  bound: { most_allowed: 0, is_never_milder: true },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const from = elsewhere(world);
    await takeOver(world, victim, from);
    const request = paymentBy(world, victim, { ...from, amount: 4_000 });
    await world.pay(request);
    let passedMs = 0;
    for (const hours of LATER_HOURS) {
      await world.wait(Math.min(hours * HOUR_MS, 4 * DAY_MS) - passedMs);
      passedMs = hours * HOUR_MS;
      await world.pay(request);
    }
  },
};

const EVERY_HOURS = [1, 5, 20, 46, 48];

/** A rejection must hold, on any device the thief returns with. */
const retryAfterRejection: Strategy = {
  name: 'retry-after-rejection',
  does: 'an analyst rejects the first payment; the thief returns for five days, then with another device',
  goal: '900 on a device that was rejected',
  budget: { attempts: 7, days: 6, money: 900 },
  bound: { most_allowed: 0 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const from = elsewhere(world);
    const first = await world.pay(paymentBy(world, victim, { ...from, amount: 900 }));
    if (!isStopped(first)) return;
    await world.reject(first);
    for (const hours of EVERY_HOURS) {
      await world.wait(hours * HOUR_MS);
      await world.pay(paymentBy(world, victim, { ...from, amount: 900 }));
    }
    await world.pay(paymentBy(world, victim, { ...elsewhere(world, 1), amount: 900 }));
  },
};

const SMALLEST_PIECE = 20;

/** Finds the largest amount that passes and takes it as often as it can. */
const splitAmounts: Strategy = {
  name: 'split-amounts',
  does: 'halves the amount until a payment is allowed, repeats it, and tries more again later',
  goal: '3,000 in pieces, on a new device abroad',
  budget: { attempts: 60, days: 4, money: 3_000 },
  bound: { most_money: 1_500 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const from = elsewhere(world);
    for (;;) {
      for (let amount = 3_000; amount >= SMALLEST_PIECE; amount /= 2) {
        await payWhileAllowed(world, paymentBy(world, victim, { ...from, amount }), 30 * MINUTE_MS);
        await world.wait(10 * MINUTE_MS);
      }
      await world.wait(12 * HOUR_MS);
    }
  },
};

const WARM_UP = 15;

/** Small purchases make the device and the place familiar; how long does that take, and what does it buy? */
const warmUp: Strategy = {
  name: 'warm-up',
  does: 'buys something for 15 every day, and tries the large amount every other day',
  goal: '1,800 in two payments, on a new device abroad',
  budget: { attempts: 40, days: 20, money: 1_800 },
  bound: { least_days: 3 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const from = elsewhere(world);
    for (let day = 1; ; day++) {
      await world.pay(paymentBy(world, victim, { ...from, amount: WARM_UP }), 'step');
      await world.wait(HOUR_MS);
      if (day % 2 === 0) await payWhileAllowed(world, paymentBy(world, victim, { ...from, amount: 900 }), HOUR_MS);
      await world.wait(DAY_MS - HOUR_MS);
    }
  },
};

const SMALLEST_TRY = 100;

/** Anyone who sees the reasons can remove them one by one. */
function milder({ signals }: Answer, tried: { readonly amount: number; readonly hours: number }) {
  const has = (name: string) => signals.includes(name);
  const isAmount = has('amount_anomaly') || has('first_use_high_amount') || has('extreme_amount');
  const isHurry = has('velocity_spike') || has('failed_login_burst') || has('password_reset_then_purchase');
  return {
    goesHome: has('ip_mismatch') || has('impossible_travel') || has('anonymous_ip') || has('shared_ip'),
    amount: isAmount ? tried.amount / 2 : tried.amount,
    hours: isHurry ? Math.min(48, tried.hours * 4) : tried.hours,
    changesDevice: has('known_fraud_device') || has('shared_device') || has('device_switching'),
  };
}

/** Reads the reasons of every refusal and changes what they name. */
const followTheReasons: Strategy = {
  name: 'follow-the-reasons',
  does: "reads the signals of each refusal and changes what they name: an address in the victim's country, half, later",
  goal: '4,000 on a new device',
  budget: { attempts: 40, days: 8, money: 4_000 },
  bound: { most_money: 2_000 },
  victims: 1,
  async play(world) {
    const { addresses, draws } = world;
    const victim = theVictim(world);
    let from: Over = elsewhere(world);
    let [amount, hours, devices] = [4_000, 1, 0];
    for (;;) {
      const answer = await world.pay(paymentBy(world, victim, { ...from, amount }));
      await world.wait(hours * HOUR_MS);
      if (!isStopped(answer)) continue;
      const next = milder(answer, { amount, hours });
      if (next.goesHome) from = { ...from, ip_address: addresses.home(victim.country, draws) };
      if (next.changesDevice) from = { ...from, device_fingerprint: world.name(`device-${++devices}`) };
      const isNothingNamed = next.amount === amount && !next.goesHome && !next.changesDevice;
      amount = Math.max(SMALLEST_TRY, isNothingNamed ? amount * 0.7 : next.amount);
      hours = next.hours;
    }
  },
};

const SESSION_AMOUNTS = [4_000, 2_000, 900, 450];

/** A stolen session: the victim's fingerprint, first from the thief's own address, then through a proxy at the victim's. */
const replaySession: Strategy = {
  name: 'replay-session',
  does: "replays the victim's sign-in with the same device fingerprint, from abroad, then through the victim's address",
  goal: '4,000, or less if that is stopped',
  budget: { attempts: 20, days: 2, money: 4_000 },
  bound: { most_money: 1_500 },
  victims: 1,
  async play(world) {
    const victim = theVictim(world);
    const [device_fingerprint = ''] = victim.devices;
    const [home = ''] = victim.addresses;
    for (const ip_address of [elsewhere(world).ip_address, home]) {
      const from = { device_fingerprint, ip_address };
      if (isStopped(await world.act(eventBy(world, victim, 'login', from)))) continue;
      for (const amount of SESSION_AMOUNTS) {
        await world.wait(HOUR_MS);
        await world.pay(paymentBy(world, victim, { ...from, amount }));
      }
    }
  },
};

/** The same thief, again and again: what was stopped must stay stopped. */
export const RETURNING: readonly Strategy[] = [
  retry,
  waitADay,
  retryAfterRejection,
  splitAmounts,
  warmUp,
  followTheReasons,
  replaySession,
];
