import type { Draws } from '../../../training/simulation/random-draws';
import type { Addresses } from './address-book';
import { COUNTRIES } from './address-book';
import { DAY_MS, eventOf, HOUR_MS, MINUTE_MS, type Over, type Person, paymentOf } from './person';
import type { TimedAttempt } from './timed-attempt';

/** What people of a kind share with one another. */
export interface Neighbourhood {
  readonly addresses: Addresses;
  /** The members of all households so far, family by family. */
  readonly relatives: Person[];
  /** Addresses of employers and of carriers, added as needed. */
  readonly offices: string[];
  readonly carriers: Map<string, string[]>;
}

/** The time that somebody lives through. */
export interface Life {
  readonly draws: Draws;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly addresses: Addresses;
}

/** A share of the people, and how they differ from the others: whatever looks like fraud and is not. */
export interface Kind {
  readonly name: string;
  readonly share: number;
  shape?(person: Person, draws: Draws, neighbourhood: Neighbourhood): Person;
  /** What they do besides their ordinary purchases. */
  extra?(person: Person, life: Life): TimedAttempt[];
}

const MOST_OFFICES = 40;
const ADDRESSES_PER_CARRIER = 12;
const FAMILY = 3;

const someTime = ({ draws, fromMs, untilMs }: Life, lastsMs: number): number =>
  draws.between(fromMs, Math.max(fromMs, untilMs - lastsMs));

export const payment = (person: Person, draws: Draws, at_ms: number, over: Over = {}): TimedAttempt => ({
  at_ms,
  person,
  attempt: { kind: 'payment', body: paymentOf(person, draws, over) },
});

export const KINDS: readonly Kind[] = [
  { name: 'plain', share: 0.25 },
  {
    // Three people share a tablet and an address.
    name: 'household',
    share: 0.15,
    shape(person, _draws, { relatives }) {
      const eldest = relatives[relatives.length - (relatives.length % FAMILY)];
      const tablet = `${(eldest ?? person).user_id}-tablet`;
      const { country, addresses } = eldest ?? person;
      const member = { ...person, country, addresses, devices: [...person.devices, tablet] };
      relatives.push(member);
      return member;
    },
  },
  {
    // Orders from work as well as from home; a few dozen colleagues have the same address.
    name: 'office',
    share: 0.12,
    shape(person, draws, { addresses, offices }) {
      if (offices.length < MOST_OFFICES) offices.push(addresses.home(person.country, draws));
      return { ...person, peakHour: draws.between(8, 16), addresses: [draws.pick(offices), ...person.addresses] };
    },
  },
  {
    // Always on the phone; hundreds of others have the carrier's address at the same time.
    name: 'carrier',
    share: 0.13,
    shape(person, draws, { addresses, carriers }) {
      const pool = carriers.get(person.country) ?? [];
      carriers.set(person.country, pool);
      while (pool.length < ADDRESSES_PER_CARRIER) pool.push(addresses.mobile(person.country, draws));
      return { ...person, addresses: [draws.pick(pool), draws.pick(pool), draws.pick(pool)] };
    },
  },
  {
    // A week abroad, with the usual phone and card.
    name: 'traveller',
    share: 0.07,
    extra(person, life) {
      const { draws, addresses } = life;
      const begin = someTime(life, 8 * DAY_MS);
      const abroad = draws.pick(COUNTRIES.filter((country) => country !== person.country));
      const ip_address = addresses.home(abroad, draws);
      const [device_fingerprint = ''] = person.devices;
      return Array.from({ length: 2 + draws.below(4) }, () =>
        payment(person, draws, begin + draws.between(DAY_MS, 7 * DAY_MS), { ip_address, device_fingerprint }),
      );
    },
  },
  {
    // Signs in on a new phone and buys something as usual within a day or two.
    name: 'new phone',
    share: 0.07,
    extra(person, life) {
      const { draws } = life;
      const begin = someTime(life, 10 * DAY_MS);
      const over = { device_fingerprint: `${person.user_id}-new-phone` };
      return [
        { at_ms: begin, person, attempt: { kind: 'event', body: eventOf(person, draws, 'login', over) } },
        payment(person, draws, begin + draws.between(5 * MINUTE_MS, 2 * DAY_MS), over),
        payment(person, draws, begin + draws.between(3 * DAY_MS, 9 * DAY_MS), over),
      ];
    },
  },
  {
    // Buys for a business: often, and for high amounts.
    name: 'business',
    share: 0.05,
    shape: (person, draws) => ({ ...person, usual: draws.around(280, 0.4), perDay: draws.between(0.5, 1.5) }),
  },
  {
    // Once, a present for several times the usual amount.
    name: 'gift buyer',
    share: 0.06,
    extra(person, life) {
      const { draws } = life;
      return [payment(person, draws, someTime(life, DAY_MS), { amount: person.usual * draws.between(4, 9) })];
    },
  },
  {
    // Always uses a relay, for reasons of their own.
    name: 'private',
    share: 0.03,
    shape: (person, draws, { addresses }) => ({
      ...person,
      addresses: [addresses.hosting(draws), addresses.hosting(draws)],
    }),
  },
  {
    // Moves to another country, buys a phone there, and furniture.
    name: 'mover',
    share: 0.03,
    extra(person, life) {
      const { draws, addresses } = life;
      const begin = someTime(life, 10 * DAY_MS);
      const abroad = draws.pick(COUNTRIES.filter((country) => country !== person.country));
      const [phone = ''] = person.devices;
      const there = { ip_address: addresses.home(abroad, draws), device_fingerprint: phone };
      const settled = { ...there, device_fingerprint: `${person.user_id}-phone-abroad`, country: abroad };
      return [
        payment(person, draws, begin, there),
        payment(person, draws, begin + draws.between(DAY_MS, 3 * DAY_MS), settled),
        payment(person, draws, begin + draws.between(4 * DAY_MS, 9 * DAY_MS), {
          ...settled,
          amount: person.usual * draws.between(3, 7),
        }),
      ];
    },
  },
  {
    name: 'night owl',
    share: 0.04,
    shape: (person, draws) => ({ ...person, peakHour: draws.between(0, 4) }),
  },
];

/** Gets a password wrong, and sometimes resets it; anyone may. */
export function forgets(person: Person, life: Life): TimedAttempt[] {
  const { draws } = life;
  const begin = someTime(life, DAY_MS);
  const [device_fingerprint = ''] = person.devices;
  const over = { device_fingerprint };
  const event = (at_ms: number, type: 'login' | 'password_reset', outcome: 'succeeded' | 'failed'): TimedAttempt => ({
    at_ms,
    person,
    attempt: { kind: 'event', body: eventOf(person, draws, type, { ...over, outcome }) },
  });
  const wrong = Array.from({ length: 1 + draws.below(3) }, (_, i) => event(begin + i * MINUTE_MS, 'login', 'failed'));
  const isReset = draws.chance(0.4);
  return [
    ...wrong,
    ...(isReset ? [event(begin + 5 * MINUTE_MS, 'password_reset', 'succeeded')] : []),
    event(begin + 7 * MINUTE_MS, 'login', 'succeeded'),
    payment(person, draws, begin + draws.between(10 * MINUTE_MS, 6 * HOUR_MS), over),
  ];
}
