import { randomDraws } from '../../../training/simulation/random-draws';
import type { Addresses } from './address-book';
import { payment } from './kinds';
import { DAY_MS, HOUR_MS, newPerson, type Person } from './person';
import type { TimedAttempt } from './timed-attempt';

const PURCHASES = 12;
const DAYS = 36;
/** Once the attack has begun: every three days. */
const LATER_PURCHASES = 7;

/** Somebody whom an attack is about: twelve purchases of 20 to 34 on one device at home, over 36 days, and life continues. */
export function regularCustomer(
  name: string,
  seed: number,
  { addresses, attackMs }: { readonly addresses: Addresses; readonly attackMs: number },
): { readonly person: Person; readonly attempts: TimedAttempt[] } {
  const draws = randomDraws(seed);
  const plain = newPerson(name, draws, addresses);
  const person: Person = {
    ...plain,
    kind: 'regular',
    country: 'DE',
    addresses: [addresses.home('DE', draws)],
    devices: plain.devices.slice(0, 1),
    usual: 27,
    spread: 0.15,
    peakHour: 12,
  };
  const everyMs = (DAYS / PURCHASES) * DAY_MS;
  const attempts = Array.from({ length: PURCHASES + LATER_PURCHASES }, (_, i) => {
    // The first of the later ones comes a day after the attack begins.
    const at = i < PURCHASES ? attackMs - (PURCHASES - i) * everyMs : attackMs + DAY_MS + (i - PURCHASES) * everyMs;
    return payment(person, draws, at + draws.between(0, 6 * HOUR_MS), { amount: draws.between(20, 34) });
  });
  return { person, attempts };
}
