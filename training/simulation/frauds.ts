import type { Draws } from './random-draws';
import {
  acts,
  type Country,
  DAY_MS,
  type EventBody,
  HOUR_MS,
  inOrder,
  MINUTE_MS,
  newPerson,
  type Over,
  type Person,
  pays,
  type TimedAttempt,
  type World,
} from './world';

/** Everything that a fraud is played with: it follows its plan, whatever the answers are. */
interface Scene {
  readonly draws: Draws;
  readonly people: readonly Person[];
  readonly id: string;
  home(country: Country): string;
  hosting(): string;
  newPerson(user_id: string, joinedMs: number): Person;
  /** When it may begin if it takes this long, a day unless said otherwise. */
  sometime(lastsMs?: number): number;
  /** Somebody who has been a customer for a while at that time. */
  victim(t: number): Person;
  pay(person: Person, t: number, over: Over): void;
  act(person: Person, t: number, over: Over & { readonly type: EventBody['event_type'] }): void;
}

type Fraud = (scene: Scene) => void;

/** A new account, one stolen card after another, high amounts, within hours. */
const stolenCards: Fraud = ({ act, pay, sometime, newPerson, home, hosting, draws, id }) => {
  const t = sometime();
  const thief = newPerson(id, t);
  const over = { ip_address: draws.chance(0.6) ? hosting() : home('US'), device_fingerprint: `${id}-device` };
  act(thief, t, { type: 'signup', ...over });
  for (let i = 0; i < 2 + draws.below(5); i++) {
    const at = t + draws.between(5 * MINUTE_MS, 5 * HOUR_MS);
    pay(thief, at, { ...over, card: `${id}-card-${i}`, amount: draws.around(400, 0.6), country: 'FR' });
  }
};

/** Guessed passwords, a reset, a new device abroad, and the account is emptied. */
const accountTakeover: Fraud = ({ act, pay, sometime, victim, home, hosting, draws, id }) => {
  const t = sometime();
  const owner = victim(t);
  const over = {
    ip_address: draws.chance(0.5) ? hosting() : home(draws.pick(['US', 'PL', 'ES'])),
    device_fingerprint: `${id}-device`,
  };
  for (let i = 0; i < 2 + draws.below(8); i++)
    act(owner, t + i * 20_000, { type: 'login', ...over, outcome: 'failed' });
  if (draws.chance(0.7)) act(owner, t + 6 * MINUTE_MS, { type: 'password_reset', ...over });
  act(owner, t + 8 * MINUTE_MS, { type: 'login', ...over });
  for (let i = 0; i < 1 + draws.below(3); i++) {
    pay(owner, t + (12 + 9 * i) * MINUTE_MS, { ...over, amount: owner.usual * draws.between(3, 15) });
  }
};

/** Small amounts on one card after another, to see which still work. */
const cardTesting: Fraud = ({ pay, sometime, newPerson, home, hosting, draws, id }) => {
  const t = sometime();
  const [ip_address, merchant] = [draws.chance(0.5) ? hosting() : home('US'), draws.below(300)];
  for (let i = 0; i < 8 + draws.below(25); i++) {
    const tester = newPerson(draws.chance(0.5) ? id : `${id}-${i}`, t);
    const over = {
      ip_address,
      device_fingerprint: `${id}-device`,
      card: `${id}-card-${i}`,
      merchant,
      amount: draws.between(0.5, 6),
    };
    pay(tester, t + i * draws.between(5_000, 60_000), over);
  }
};

/** A script signs up account after account on a device and buys within seconds. */
const botSignups: Fraud = ({ act, pay, sometime, newPerson, home, draws, id }) => {
  const t = sometime();
  const [ip_address, isFarm] = [home('US'), draws.chance(0.3)];
  for (let i = 0; i < 5 + draws.below(14); i++) {
    const bot = newPerson(`${id}-${i}`, t);
    const at = t + i * draws.between(10_000, 20 * MINUTE_MS);
    const over = { ip_address, device_fingerprint: isFarm ? `${id}-${i}` : `${id}-device` };
    act(bot, at, { type: 'signup', ...over });
    pay(bot, at + draws.between(800, 8_000), over);
  }
};

/** A shop's terminal copies cards for weeks: ordinary people, ordinary amounts, at that shop. */
const compromisedMerchant: Fraud = ({ pay, sometime, draws, people }) => {
  const [t, merchant] = [sometime(25 * DAY_MS), draws.below(300)];
  for (let i = 0; i < 12 + draws.below(20); i++) {
    pay(draws.pick(people), t + draws.between(0, 25 * DAY_MS), { merchant });
  }
};

/** A copied card is used alongside its owner for two weeks, for several times the owner's usual amount. */
const compromisedCard: Fraud = ({ pay, sometime, victim, draws }) => {
  const t = sometime(14 * DAY_MS);
  const owner = victim(t);
  for (let i = 0; i < 3 + draws.below(6); i++) {
    pay(owner, t + draws.between(0, 14 * DAY_MS), { amount: owner.usual * draws.between(3, 8) });
  }
};

/** A list of stolen passwords is tried from one address; a few work and are used at once. */
const credentialStuffing: Fraud = ({ act, pay, sometime, hosting, draws, id, people }) => {
  const t = sometime();
  const ip_address = hosting();
  for (let i = 0; i < 40 + draws.below(60); i++) {
    const owner = draws.pick(people);
    const [at, over] = [t + i * draws.between(1_000, 15_000), { ip_address, device_fingerprint: `${id}-device` }];
    if (!draws.chance(0.06)) act(owner, at, { type: 'login', ...over, outcome: 'failed' });
    else {
      act(owner, at, { type: 'login', ...over });
      pay(owner, at + 3 * MINUTE_MS, { ...over, amount: draws.around(180, 0.4) });
    }
  }
};

/** At night, a taken-over account buys gift cards of the same amount, one after another. */
const giftCards: Fraud = ({ pay, sometime, victim, draws }) => {
  const night = Math.floor(sometime() / DAY_MS) * DAY_MS + 2 * HOUR_MS;
  const owner = victim(night);
  const [merchant, amount] = [6 + 8 * draws.below(30), draws.pick([100, 150, 200, 250])];
  for (let i = 0; i < 4 + draws.below(8); i++) {
    pay(owner, night + i * draws.between(MINUTE_MS, 5 * MINUTE_MS), { merchant, amount });
  }
};

/** Email and payout details are changed from a new device, then the balance is withdrawn. */
const payoutHijack: Fraud = ({ act, pay, sometime, victim, home, hosting, draws, id }) => {
  const t = sometime();
  const owner = victim(t);
  const over = { ip_address: draws.chance(0.4) ? hosting() : home('PL'), device_fingerprint: `${id}-device` };
  act(owner, t, { type: 'login', ...over });
  act(owner, t + 2 * MINUTE_MS, { type: 'email_change', ...over });
  act(owner, t + 4 * MINUTE_MS, { type: 'payout_change', ...over });
  pay(owner, t + draws.between(10 * MINUTE_MS, 6 * HOUR_MS), {
    ...over,
    amount: owner.usual * draws.between(5, 20),
  });
};

/** Synthetic identities behave normally for weeks and then spend all they can, from a single flat. */
const bustOut: Fraud = ({ act, pay, sometime, newPerson, home, draws, id }) => {
  const t = sometime(30 * DAY_MS);
  const ip_address = home('GB');
  for (let i = 0; i < 3 + draws.below(4); i++) {
    const invented = newPerson(`${id}-${i}`, t);
    const over = { ip_address, device_fingerprint: `${id}-device-${i % 2}` };
    act(invented, t + i * HOUR_MS, { type: 'signup', ...over });
    for (let k = 0; k < 4; k++)
      pay(invented, t + draws.between(DAY_MS, 20 * DAY_MS), { ...over, amount: draws.between(5, 40) });
    for (let k = 0; k < 4; k++)
      pay(invented, t + 21 * DAY_MS + k * HOUR_MS, { ...over, amount: draws.around(700, 0.4) });
  }
};

/** One device signs many users up, from constantly changing addresses, and each buys once. */
const deviceFarm: Fraud = ({ act, pay, sometime, newPerson, hosting, draws, id }) => {
  const t = sometime();
  for (let i = 0; i < 12; i++) {
    const farmed = newPerson(`${id}-${i}`, t);
    const over = { ip_address: hosting(), device_fingerprint: `${id}-device` };
    act(farmed, t + i * MINUTE_MS, { type: 'signup', ...over });
    pay(farmed, t + i * MINUTE_MS + 2_000, { ...over, amount: draws.between(100, 1_000) });
  }
};

/** Every fraud, with its number of instances per 1,000 honest people. A new one is one entry here. */
export const FRAUDS = {
  stolen_cards: [stolenCards, 12],
  account_takeover: [accountTakeover, 14],
  card_testing: [cardTesting, 3],
  bot_signups: [botSignups, 5],
  compromised_merchant: [compromisedMerchant, 2],
  compromised_card: [compromisedCard, 10],
  credential_stuffing: [credentialStuffing, 1],
  gift_cards: [giftCards, 5],
  payout_hijack: [payoutHijack, 8],
  bust_out: [bustOut, 2],
  // The base model was trained without it.
  device_farm: [deviceFarm, 0],
} as const satisfies Readonly<Record<string, readonly [Fraud, number]>>;

export type FraudName = keyof typeof FRAUDS;

export interface FraudSetting {
  readonly people: readonly Person[];
  readonly fromMs: number;
  readonly untilMs: number;
}

export function fraudOf(
  world: World,
  name: FraudName,
  id: string,
  { people, fromMs, untilMs }: FraudSetting,
): TimedAttempt[] {
  const { draws, addresses } = world;
  const made: TimedAttempt[] = [];
  const [play] = FRAUDS[name];
  play({
    draws,
    people,
    id,
    home: (country) => addresses.home(country, draws),
    hosting: () => addresses.hosting(draws),
    newPerson: (user_id, joinedMs) => newPerson(world, user_id, joinedMs),
    sometime: (lastsMs = DAY_MS) => draws.between(fromMs + DAY_MS, untilMs - lastsMs),
    victim: (t) => {
      const known = people.filter(({ joinedMs }) => joinedMs < t - 5 * DAY_MS);
      return draws.pick(known.length > 0 ? known : people);
    },
    pay: (person, t, over) => made.push(pays(world, person, t, { ...over, label: 1 })),
    act: (person, t, over) => made.push(acts(world, person, t, { ...over, label: 1 })),
  });
  return inOrder(made);
}
