import { type Draws, randomDraws, seedOf } from './random-draws';
import {
  acts,
  COUNTRIES,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  newPerson,
  type Over,
  type Person,
  pays,
  type TimedAttempt,
  type World,
} from './world';

/** Things that people share with one another. */
interface Neighbourhood {
  readonly everybody: Person[];
  /** The members of all families so far, family by family. */
  readonly relatives: Person[];
  /** Likewise, of families that pay with one card. */
  readonly cardholders: Person[];
  readonly offices: string[];
  readonly carriers: Map<string, string[]>;
}

interface Life {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** How some people differ from the others: anything that looks like fraud and is not. */
interface Kind {
  shape?(world: World, person: Person, neighbours: Neighbourhood, crowd: Crowd): Person;
  extra?(world: World, person: Person, life: Life): TimedAttempt[];
}

export interface Crowd extends Life {
  /** Shares of the kinds; they add up to 1. */
  readonly kinds: Readonly<Partial<Record<KindName, number>>>;
  /** The share that signs up on the way. */
  readonly newcomers: number;
  readonly offices: number;
  /** The pace of business customers; others have it in the world's habits. */
  readonly businessPace: number;
  /** The share of purchases followed by one of several times the amount. */
  readonly treats: number;
  /** Days as a customer before anything special happens; without it, also before they joined. */
  readonly settledDays?: number;
  /** Gives every person their own draws: the same person for the same seed, however many others there are. */
  readonly seed?: number;
}

const ADDRESSES_PER_CARRIER = 12;
const FAMILY = 3;

const someTime = ({ draws }: World, { fromMs, untilMs }: Life, lastsMs: number): number =>
  draws.between(fromMs, Math.max(fromMs, untilMs - lastsMs));
const abroadOf = ({ draws }: World, { country }: Person) => draws.pick(COUNTRIES.filter((each) => each !== country));

/** Every kind of honest person. A new kind is one entry here, and a share in the crowds that have it. */
export const KINDS = {
  plain: {},
  /** Uses somebody else's tablet and lives at their address. */
  household: {
    shape({ draws }, person, { everybody }) {
      const other = everybody.length > 0 ? draws.pick(everybody) : person;
      return { ...person, devices: [...person.devices, ...other.devices.slice(0, 1)], addresses: other.addresses };
    },
  },
  /** Three people share a tablet and an address. */
  family: {
    shape(_world, person, { relatives }) {
      const eldest = relatives[relatives.length - (relatives.length % FAMILY)] ?? person;
      const { country, addresses } = eldest;
      const member = { ...person, country, addresses, devices: [...person.devices, `${eldest.user_id}-tablet`] };
      relatives.push(member);
      return member;
    },
  },
  /** Three people pay with one card, each on their own device. */
  'family card': {
    shape(_world, person, { cardholders }) {
      const eldest = cardholders[cardholders.length - (cardholders.length % FAMILY)] ?? person;
      const member = { ...person, country: eldest.country, addresses: eldest.addresses, card: eldest.card };
      cardholders.push(member);
      return member;
    },
  },
  /** Waits for a sale, and buys three to six things on that day. */
  'sale day': {
    extra(world, person, { untilMs }) {
      const { draws } = world;
      const sale = Math.floor(untilMs / DAY_MS) * DAY_MS - 14 * DAY_MS;
      return lazily(
        () => 3 + draws.below(4),
        () =>
          pays(world, person, sale + draws.between(8 * HOUR_MS, 20 * HOUR_MS), {
            amount: person.usual * draws.between(0.5, 3),
          }),
      );
    },
  },
  /** Furnishes a room: five purchases of about twice the usual amount within three days. */
  furnisher: {
    extra(world, person, life) {
      const { draws } = world;
      const begin = someTime(world, life, 4 * DAY_MS);
      return Array.from({ length: 5 }, () =>
        pays(world, person, begin + draws.between(0, 3 * DAY_MS), { amount: person.usual * draws.between(1.6, 2.4) }),
      );
    },
  },
  /** Sometimes orders by phone: the shop sends neither a device nor an address. */
  'phone order': {
    extra(world, person, life) {
      const { draws } = world;
      return lazily(
        () => 2 + draws.below(4),
        () => pays(world, person, someTime(world, life, DAY_MS), { without: ['device_fingerprint', 'ip_address'] }),
      );
    },
  },
  /** Orders from work as well as from home; a few dozen colleagues have the same address. */
  office: {
    shape({ draws, addresses }, person, { offices }, crowd) {
      if (offices.length < crowd.offices) offices.push(addresses.home(person.country, draws));
      return { ...person, addresses: [draws.pick(offices), person.addresses[0] as string] };
    },
  },
  /** Always on the phone; hundreds of others have the carrier's address at the same time. */
  carrier: {
    shape({ draws, addresses }, person, { carriers }) {
      const pool = carriers.get(person.country) ?? [];
      carriers.set(person.country, pool);
      while (pool.length < ADDRESSES_PER_CARRIER) pool.push(addresses.mobile(person.country, draws));
      return { ...person, addresses: [draws.pick(pool), draws.pick(pool), draws.pick(pool)] };
    },
  },
  /** Pays abroad for a week, with the usual card. */
  traveller: {
    extra(world, person, life) {
      const { draws, addresses } = world;
      const start = someTime(world, life, 8 * DAY_MS);
      const ip_address = addresses.home(draws.pick(['ES', 'US', 'FR', 'GB'] as const), draws);
      return lazily(
        () => 3 + draws.below(6),
        () => pays(world, person, start + draws.between(0, 7 * DAY_MS), { ip_address }),
      );
    },
  },
  /** Signs in on a new phone and buys something as usual within a day or two. */
  'new phone': {
    extra(world, person, life) {
      const { draws } = world;
      const begin = someTime(world, life, 10 * DAY_MS);
      const over = { device_fingerprint: `${person.user_id}-new-phone` };
      return [
        acts(world, person, begin, { type: 'login', ...over }),
        pays(world, person, begin + draws.between(5 * MINUTE_MS, 2 * DAY_MS), over),
        pays(world, person, begin + draws.between(3 * DAY_MS, 9 * DAY_MS), over),
      ];
    },
  },
  /** Buys for a business: often, and for high amounts. */
  business: {
    shape: ({ draws }, person, _neighbours, { businessPace }) => ({
      ...person,
      usual: draws.around(300, 0.5),
      perDay: draws.between(1, 4) * businessPace,
    }),
  },
  /** Once, a present for several times the usual amount. */
  'gift buyer': {
    extra(world, person, life) {
      const { draws } = world;
      return [pays(world, person, someTime(world, life, DAY_MS), { amount: person.usual * draws.between(4, 9) })];
    },
  },
  /** Always uses a relay. */
  private: {
    shape: ({ draws, addresses }, person) => ({
      ...person,
      addresses: [addresses.hosting(draws), addresses.hosting(draws)],
    }),
  },
  /** Moves to another country, buys a phone there, and furniture. */
  mover: {
    extra(world, person, life) {
      const { draws, addresses } = world;
      const begin = someTime(world, life, 10 * DAY_MS);
      const country = abroadOf(world, person);
      const [phone = ''] = person.devices;
      const there: Over = { ip_address: addresses.home(country, draws), device_fingerprint: phone };
      const later: Over = { ...there, device_fingerprint: `${person.user_id}-phone-abroad`, country };
      const amount = person.usual * draws.between(3, 7);
      return [
        pays(world, person, begin, there),
        pays(world, person, begin + draws.between(DAY_MS, 3 * DAY_MS), later),
        pays(world, person, begin + draws.between(4 * DAY_MS, 9 * DAY_MS), { ...later, amount }),
      ];
    },
  },
  'night owl': {
    shape: ({ draws }, person) => ({ ...person, peakHour: draws.between(0, 4) }),
  },
  /** Forgets passwords and changes phones. */
  forgetful: {
    extra(world, person, life) {
      const { draws } = world;
      const t = draws.between(life.fromMs, life.untilMs);
      const over = draws.chance(0.5) ? { device_fingerprint: `${person.user_id}-new` } : {};
      return [
        ...lazily(
          () => 1 + draws.below(3),
          (i) => acts(world, person, t + i * MINUTE_MS, { type: 'login', ...over, outcome: 'failed' }),
        ),
        acts(world, person, t + 5 * MINUTE_MS, { type: 'password_reset', ...over }),
        acts(world, person, t + 7 * MINUTE_MS, { type: 'login', ...over }),
        ...(draws.chance(0.6) ? [pays(world, person, t + draws.between(10 * MINUTE_MS, DAY_MS), over)] : []),
      ];
    },
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;

/** Draws how many before each one, as `i < draw()` in a loop does: a few more often than many. */
function lazily(count: () => number, make: (number: number) => TimedAttempt): TimedAttempt[] {
  const made: TimedAttempt[] = [];
  for (let i = 0; i < count(); i++) made.push(make(i));
  return made;
}

function kindAt(kinds: Crowd['kinds'], at: number): KindName {
  let left = at;
  for (const [name, share] of Object.entries(kinds)) {
    left -= share;
    if (left < 0) return name as KindName;
  }
  return Object.keys(kinds)[0] as KindName;
}

export function honestPeople(
  world: World,
  count: number,
  crowd: Crowd,
): { readonly people: Person[]; readonly attempts: TimedAttempt[] } {
  const neighbours: Neighbourhood = { everybody: [], relatives: [], cardholders: [], offices: [], carriers: new Map() };
  const attempts: TimedAttempt[] = [];
  const { fromMs, untilMs, seed } = crowd;
  for (let number = 0; number < count; number++) {
    const draws: Draws = seed === undefined ? world.draws : randomDraws(seedOf(seed, number));
    const own = { ...world, draws };
    const isNew = draws.chance(crowd.newcomers);
    const plain = newPerson(own, `person-${number}`, isNew ? draws.between(fromMs, untilMs) : fromMs - 1);
    const name = kindAt(crowd.kinds, draws.next());
    const kind: Kind = KINDS[name];
    const person = { ...(kind.shape?.(own, plain, neighbours, crowd) ?? plain), kind: name };
    neighbours.everybody.push(person);
    if (isNew) attempts.push(...joins(own, person, crowd));
    attempts.push(...ordinaryLife(own, person, crowd));
    const { settledDays } = crowd;
    const specialMs = settledDays === undefined ? fromMs : Math.max(fromMs, person.joinedMs) + settledDays * DAY_MS;
    const isLate = settledDays !== undefined && specialMs > untilMs - 2 * DAY_MS;
    if (!isLate) attempts.push(...(kind.extra?.(own, person, { fromMs: specialMs, untilMs }) ?? []));
  }
  return { people: neighbours.everybody, attempts };
}

/** Signs up; one in eight buys within minutes, the others within days. */
function joins(world: World, person: Person, { untilMs }: Crowd): TimedAttempt[] {
  const { draws } = world;
  const signup = acts(world, person, person.joinedMs, { type: 'signup' });
  const waitMs = draws.chance(0.12) ? draws.between(20_000, 20 * MINUTE_MS) : draws.exponential(3 * DAY_MS);
  return [signup, ...(person.joinedMs + waitMs < untilMs ? [pays(world, person, person.joinedMs + waitMs)] : [])];
}

/** Pays at their own pace around their own hours, logs in before some payments, and retries declined ones. */
function ordinaryLife(world: World, person: Person, { fromMs, untilMs, treats }: Crowd): TimedAttempt[] {
  const { draws } = world;
  const made: TimedAttempt[] = [];
  const pause = () => draws.exponential(DAY_MS / person.perDay);
  for (let day = Math.max(fromMs, person.joinedMs) + pause(); day < untilMs; day += pause()) {
    const t = atHour(day, person.peakHour + 3 * draws.normal());
    if (t <= person.joinedMs || t >= untilMs) continue;
    if (draws.chance(0.15)) made.push(acts(world, person, t - 2 * MINUTE_MS, { type: 'login' }));
    made.push(pays(world, person, t));
    if (draws.chance(0.03))
      for (let i = 1; i <= 1 + draws.below(3); i++) made.push(pays(world, person, t + i * MINUTE_MS));
    if (draws.chance(treats))
      made.push(pays(world, person, t + HOUR_MS, { amount: person.usual * draws.between(4, 12) }));
  }
  return made;
}

const atHour = (day: number, hour: number): number =>
  Math.floor(day / DAY_MS) * DAY_MS + (((hour % 24) + 24) % 24) * HOUR_MS;

const PURCHASES = 12;
const DAYS = 36;
/** Once the attack has begun: every three days. */
const LATER_PURCHASES = 7;

/** Somebody whom an attack is about: twelve purchases of 20 to 34 on one device at home, over 36 days, and life continues. */
export function regularCustomer(
  world: World,
  name: string,
  attackMs: number,
): { readonly person: Person; readonly attempts: TimedAttempt[] } {
  const { draws, addresses } = world;
  const plain = newPerson(world, name);
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
    return pays(world, person, at + draws.between(0, 6 * HOUR_MS), { amount: draws.between(20, 34) });
  });
  return { person, attempts };
}
