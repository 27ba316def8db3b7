import { act, DAY_MS, END_MS, HOUR_MS, MINUTE_MS, type Person, pay, START_MS, type World } from './world';

/** How a share of the people differs from the norm: anything that looks like fraud but is not belongs here. */
interface Population {
  readonly name: string;
  readonly share: number;
  /** Changes a person before their life begins. */
  shape?(world: World, person: Person, crowd: readonly Person[]): Person;
  /** Anything they do besides paying. */
  extra?(world: World, person: Person): void;
}

const MOST_OFFICES = 8;

const POPULATIONS: readonly Population[] = [
  { name: 'regular', share: 0.5 },
  {
    // A family shares a tablet and its address.
    name: 'household',
    share: 0.12,
    shape: ({ draws }, person, crowd) => {
      const other = crowd.length > 0 ? draws.pick(crowd) : person;
      return { ...person, devices: [...person.devices, ...other.devices.slice(0, 1)], addresses: other.addresses };
    },
  },
  {
    // Twenty to fifty people behind their employer's address.
    name: 'office',
    share: 0.12,
    shape: ({ draws, home, offices }, person) => {
      if (offices.length < MOST_OFFICES) offices.push(home(person.country));
      return { ...person, addresses: [draws.pick(offices), person.addresses[0] as string] };
    },
  },
  {
    // Pays abroad for a week, with their usual card.
    name: 'traveller',
    share: 0.06,
    extra(world, person) {
      const { draws } = world;
      const [start, ip] = [
        draws.between(START_MS, END_MS - 8 * DAY_MS),
        world.home(draws.pick(['ES', 'US', 'FR', 'GB'])),
      ];
      for (let i = 0; i < 3 + draws.below(6); i++) pay(world, person, start + draws.between(0, 7 * DAY_MS), { ip });
    },
  },
  {
    // Always uses a relay.
    name: 'private',
    share: 0.03,
    shape: ({ hosting }, person) => ({ ...person, addresses: [hosting(), hosting()] }),
  },
  {
    // Buys for a business: often, and for high amounts.
    name: 'business',
    share: 0.05,
    shape: ({ draws }, person) => ({ ...person, usualAmount: draws.around(300, 0.5), perDay: draws.between(1, 4) }),
  },
  {
    // Forgets passwords and changes phones.
    name: 'forgetful',
    share: 0.12,
    extra(world, person) {
      const { draws } = world;
      const t = draws.between(START_MS, END_MS);
      const device = draws.chance(0.5) ? `${person.user_id}-new` : undefined;
      const over = device === undefined ? {} : { device };
      for (let i = 0; i < 1 + draws.below(3); i++)
        act(world, person, t + i * MINUTE_MS, { kind: 'login', ...over, outcome: 'failed' });
      act(world, person, t + 5 * MINUTE_MS, { kind: 'password_reset', ...over });
      act(world, person, t + 7 * MINUTE_MS, { kind: 'login', ...over });
      if (draws.chance(0.6)) pay(world, person, t + draws.between(10 * MINUTE_MS, DAY_MS), over);
    },
  },
];

/** Some people are customers from the start; the others sign up over time, and one in eight of them buys within minutes. */
export function honestPeople(world: World, count: number): Person[] {
  const { draws } = world;
  const people: Person[] = [];
  for (let i = 0; i < count; i++) {
    const isNew = draws.chance(0.35);
    const plain = world.newPerson(`person-${i}`, isNew ? draws.between(START_MS, END_MS) : START_MS - 1);
    const population = pickPopulation(draws.next());
    const person = population.shape?.(world, plain, people) ?? plain;
    people.push(person);
    if (isNew) {
      act(world, person, person.joinedMs, { kind: 'signup' });
      const wait = draws.chance(0.12) ? draws.between(20_000, 20 * MINUTE_MS) : draws.exponential(3 * DAY_MS);
      if (person.joinedMs + wait < END_MS) pay(world, person, person.joinedMs + wait);
    }
    live(world, person);
    population.extra?.(world, person);
  }
  return people;
}

function pickPopulation(at: number): Population {
  let left = at;
  for (const population of POPULATIONS) {
    left -= population.share;
    if (left < 0) return population;
  }
  return POPULATIONS[0] as Population;
}

/** Pays at their own pace around their own hours, logs in before some payments, and retries declined ones. */
function live(world: World, person: Person): void {
  const { draws } = world;
  for (let day = Math.max(START_MS, person.joinedMs) + draws.exponential(DAY_MS / person.perDay); day < END_MS; ) {
    const t = atHour(day, person.peakHour + 3 * draws.normal());
    if (t > person.joinedMs && t < END_MS) {
      if (draws.chance(0.15)) act(world, person, t - 2 * MINUTE_MS, { kind: 'login' });
      pay(world, person, t);
      if (draws.chance(0.03)) for (let i = 1; i <= 1 + draws.below(3); i++) pay(world, person, t + i * MINUTE_MS);
      if (draws.chance(0.02)) pay(world, person, t + HOUR_MS, { amount: person.usualAmount * draws.between(4, 12) });
    }
    day += draws.exponential(DAY_MS / person.perDay);
  }
}

const atHour = (day: number, hour: number): number =>
  Math.floor(day / DAY_MS) * DAY_MS + (((hour % 24) + 24) % 24) * HOUR_MS;
