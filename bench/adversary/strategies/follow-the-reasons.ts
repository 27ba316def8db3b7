import { HOUR_MS, type Over } from '../people/person';
import type { Strategy } from '../play/strategy';
import { type Answer, isStopped } from '../target/target';
import { elsewhere, paymentAs, theVictim } from './moves';

const SMALLEST = 100;

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
export const followTheReasons: Strategy = {
  name: 'follow-the-reasons',
  does: "reads the signals of each refusal and changes what they name: an address in the victim's country, half, later",
  goal: '4,000 on a new device',
  budget: { attempts: 40, days: 8, money: 4_000 },
  victims: 1,
  async play(world) {
    const { addresses, draws } = world;
    const victim = theVictim(world);
    let from: Over = elsewhere(world);
    let [amount, hours, devices] = [4_000, 1, 0];
    for (;;) {
      const answer = await world.pay(paymentAs(world, victim, { ...from, amount }));
      await world.wait(hours * HOUR_MS);
      if (!isStopped(answer)) continue;
      const next = milder(answer, { amount, hours });
      if (next.goesHome) from = { ...from, ip_address: addresses.home(victim.country, draws) };
      if (next.changesDevice) from = { ...from, device_fingerprint: world.name(`device-${++devices}`) };
      const isNothingNamed = next.amount === amount && !next.goesHome && !next.changesDevice;
      amount = Math.max(SMALLEST, isNothingNamed ? amount * 0.7 : next.amount);
      hours = next.hours;
    }
  },
};
