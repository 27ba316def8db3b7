import { act, DAY_MS, END_MS, HOUR_MS, MINUTE_MS, type Person, pay, START_MS, type World } from './world';

/** One way to commit fraud; called once per instance. */
export type FraudPattern = (world: World, people: readonly Person[], id: string) => void;

const FRAUD = { label: 1 } as const;
const sometime = ({ draws }: World, lastsMs = DAY_MS): number => draws.between(START_MS + DAY_MS, END_MS - lastsMs);

/** A victim who has been a customer for a while. */
function victim({ draws }: World, people: readonly Person[], t: number): Person {
  const known = people.filter(({ joinedMs }) => joinedMs < t - 5 * DAY_MS);
  return draws.pick(known.length > 0 ? known : people);
}

/** A new account, one stolen card after another, high amounts, within hours. */
const stolenCards: FraudPattern = (world, _people, id) => {
  const { draws } = world;
  const t = sometime(world);
  const thief = world.newPerson(id, t);
  const over = { ip: draws.chance(0.6) ? world.hosting() : world.home('US'), device: `${id}-device`, ...FRAUD };
  act(world, thief, t, { kind: 'signup', ...over });
  for (let i = 0; i < 2 + draws.below(5); i++) {
    const at = t + draws.between(5 * MINUTE_MS, 5 * HOUR_MS);
    pay(world, thief, at, { ...over, card: `${id}-card-${i}`, amount: draws.around(400, 0.6), billingCountry: 'FR' });
  }
};

/** Guessed passwords, a reset, a new device abroad, and the account is emptied. */
const accountTakeover: FraudPattern = (world, people, id) => {
  const { draws } = world;
  const t = sometime(world);
  const owner = victim(world, people, t);
  const over = {
    ip: draws.chance(0.5) ? world.hosting() : world.home(draws.pick(['US', 'PL', 'ES'])),
    device: `${id}-device`,
    ...FRAUD,
  };
  for (let i = 0; i < 2 + draws.below(8); i++)
    act(world, owner, t + i * 20_000, { kind: 'login', ...over, outcome: 'failed' });
  if (draws.chance(0.7)) act(world, owner, t + 6 * MINUTE_MS, { kind: 'password_reset', ...over });
  act(world, owner, t + 8 * MINUTE_MS, { kind: 'login', ...over });
  for (let i = 0; i < 1 + draws.below(3); i++) {
    pay(world, owner, t + (12 + 9 * i) * MINUTE_MS, { ...over, amount: owner.usualAmount * draws.between(3, 15) });
  }
};

/** Small amounts on one card after another, to see which still work. */
const cardTesting: FraudPattern = (world, _people, id) => {
  const { draws } = world;
  const t = sometime(world);
  const [ip, merchant] = [draws.chance(0.5) ? world.hosting() : world.home('US'), draws.below(300)];
  for (let i = 0; i < 8 + draws.below(25); i++) {
    const tester = world.newPerson(draws.chance(0.5) ? id : `${id}-${i}`, t);
    const over = {
      ip,
      device: `${id}-device`,
      card: `${id}-card-${i}`,
      merchant,
      amount: draws.between(0.5, 6),
      ...FRAUD,
    };
    pay(world, tester, t + i * draws.between(5_000, 60_000), over);
  }
};

/** A script signs up account after account on a device and buys within seconds. */
const botSignups: FraudPattern = (world, _people, id) => {
  const { draws } = world;
  const t = sometime(world);
  const [ip, isFarm] = [world.home('US'), draws.chance(0.3)];
  for (let i = 0; i < 5 + draws.below(14); i++) {
    const bot = world.newPerson(`${id}-${i}`, t);
    const at = t + i * draws.between(10_000, 20 * MINUTE_MS);
    const over = { ip, device: isFarm ? `${id}-${i}` : `${id}-device`, ...FRAUD };
    act(world, bot, at, { kind: 'signup', ...over });
    pay(world, bot, at + draws.between(800, 8_000), over);
  }
};

/** A shop's terminal copies cards for weeks: ordinary people, ordinary amounts, at that shop. */
const compromisedMerchant: FraudPattern = (world, people) => {
  const { draws } = world;
  const [t, merchant] = [sometime(world, 25 * DAY_MS), draws.below(300)];
  for (let i = 0; i < 12 + draws.below(20); i++) {
    pay(world, draws.pick(people), t + draws.between(0, 25 * DAY_MS), { merchant, ...FRAUD });
  }
};

/** A copied card is used alongside its owner for two weeks, for several times the owner's usual amount. */
const compromisedCard: FraudPattern = (world, people) => {
  const { draws } = world;
  const t = sometime(world, 14 * DAY_MS);
  const owner = victim(world, people, t);
  for (let i = 0; i < 3 + draws.below(6); i++) {
    pay(world, owner, t + draws.between(0, 14 * DAY_MS), { amount: owner.usualAmount * draws.between(3, 8), ...FRAUD });
  }
};

/** A list of stolen passwords is tried from one address; a few work and are used at once. */
const credentialStuffing: FraudPattern = (world, people, id) => {
  const { draws } = world;
  const t = sometime(world);
  const ip = world.hosting();
  for (let i = 0; i < 40 + draws.below(60); i++) {
    const owner = draws.pick(people);
    const [at, over] = [t + i * draws.between(1_000, 15_000), { ip, device: `${id}-device`, ...FRAUD }];
    if (!draws.chance(0.06)) act(world, owner, at, { kind: 'login', ...over, outcome: 'failed' });
    else {
      act(world, owner, at, { kind: 'login', ...over });
      pay(world, owner, at + 3 * MINUTE_MS, { ...over, amount: draws.around(180, 0.4) });
    }
  }
};

/** At night, a taken-over account buys gift cards of the same amount, one after another. */
const giftCards: FraudPattern = (world, people) => {
  const { draws } = world;
  const night = Math.floor(sometime(world) / DAY_MS) * DAY_MS + 2 * HOUR_MS;
  const owner = victim(world, people, night);
  const [merchant, amount] = [6 + 8 * draws.below(30), draws.pick([100, 150, 200, 250])];
  for (let i = 0; i < 4 + draws.below(8); i++) {
    pay(world, owner, night + i * draws.between(MINUTE_MS, 5 * MINUTE_MS), { merchant, amount, ...FRAUD });
  }
};

/** Email and payout details are changed from a new device, then the balance is withdrawn. */
const payoutHijack: FraudPattern = (world, people, id) => {
  const { draws } = world;
  const t = sometime(world);
  const owner = victim(world, people, t);
  const over = { ip: draws.chance(0.4) ? world.hosting() : world.home('PL'), device: `${id}-device`, ...FRAUD };
  act(world, owner, t, { kind: 'login', ...over });
  act(world, owner, t + 2 * MINUTE_MS, { kind: 'email_change', ...over });
  act(world, owner, t + 4 * MINUTE_MS, { kind: 'payout_change', ...over });
  pay(world, owner, t + draws.between(10 * MINUTE_MS, 6 * HOUR_MS), {
    ...over,
    amount: owner.usualAmount * draws.between(5, 20),
  });
};

/** Synthetic identities behave normally for weeks and then spend all they can, from a single flat. */
const bustOut: FraudPattern = (world, _people, id) => {
  const { draws } = world;
  const t = sometime(world, 30 * DAY_MS);
  const ip = world.home('GB');
  for (let i = 0; i < 3 + draws.below(4); i++) {
    const invented = world.newPerson(`${id}-${i}`, t);
    const over = { ip, device: `${id}-device-${i % 2}`, ...FRAUD };
    act(world, invented, t + i * HOUR_MS, { kind: 'signup', ...over });
    for (let k = 0; k < 4; k++)
      pay(world, invented, t + draws.between(DAY_MS, 20 * DAY_MS), { ...over, amount: draws.between(5, 40) });
    for (let k = 0; k < 4; k++)
      pay(world, invented, t + 21 * DAY_MS + k * HOUR_MS, { ...over, amount: draws.around(700, 0.4) });
  }
};

/** Every pattern, with its number of instances per 1,000 honest people. */
export const FRAUD_PATTERNS: Readonly<Record<string, readonly [FraudPattern, number]>> = {
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
};
