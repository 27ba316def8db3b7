import { type Draws, randomDraws } from '../../../training/simulation/random-draws';
import type { Addresses } from './address-book';
import { forgets, KINDS, type Kind, type Life, type Neighbourhood, payment } from './kinds';
import { DAY_MS, eventOf, HOUR_MS, MINUTE_MS, newPerson, type Person } from './person';
import type { TimedAttempt } from './timed-attempt';

/** The days before anybody attacks, and those after. */
export const DAYS_BEFORE = 40;
export const DAYS_AFTER = 24;

const NEWCOMERS = 0.3;
const FORGETFUL = 0.1;

/** The same person for the same seed, however many others there are. */
const drawsOf = (seed: number, number: number): Draws => randomDraws(Math.imul(seed ^ 0x9e37, 0x85ebca6b) ^ number);

function kindAt(share: number): Kind {
  let left = share;
  for (const kind of KINDS) {
    left -= kind.share;
    if (left < 0) return kind;
  }
  return KINDS[0] as Kind;
}

/** This many honest people, and everything they do from then on, in the order of time. */
export function honestPeople(
  count: number,
  seed: number,
  { addresses, beginMs }: { readonly addresses: Addresses; readonly beginMs: number },
): TimedAttempt[] {
  const neighbourhood: Neighbourhood = { addresses, relatives: [], offices: [], carriers: new Map() };
  const untilMs = beginMs + (DAYS_BEFORE + DAYS_AFTER) * DAY_MS;
  const attempts: TimedAttempt[] = [];
  for (let number = 0; number < count; number++) {
    const draws = drawsOf(seed, number);
    const kind = kindAt(draws.next());
    const plain = { ...newPerson(`person-${number}`, draws, addresses), kind: kind.name };
    const person = kind.shape?.(plain, draws, neighbourhood) ?? plain;
    const isNew = draws.chance(NEWCOMERS);
    const life: Life = {
      draws,
      addresses,
      fromMs: isNew ? draws.between(beginMs, untilMs - DAY_MS) : beginMs,
      untilMs,
    };
    if (isNew) attempts.push(...joins(person, life));
    attempts.push(...ordinaryLife(person, life));
    const later = { ...life, fromMs: life.fromMs + 7 * DAY_MS };
    if (later.fromMs < untilMs - 2 * DAY_MS) {
      attempts.push(...(kind.extra?.(person, later) ?? []));
      if (draws.chance(FORGETFUL)) attempts.push(...forgets(person, later));
    }
  }
  return inOrder(attempts.filter(({ at_ms }) => at_ms < untilMs));
}

export const inOrder = (attempts: TimedAttempt[]): TimedAttempt[] => attempts.sort((a, b) => a.at_ms - b.at_ms);

/** Signs up; one in eight buys within minutes, the others within days. */
function joins(person: Person, { draws, fromMs }: Life): TimedAttempt[] {
  const [device_fingerprint = ''] = person.devices;
  const over = { device_fingerprint };
  const waitMs = draws.chance(0.12) ? draws.between(2 * MINUTE_MS, 30 * MINUTE_MS) : draws.exponential(2 * DAY_MS);
  return [
    { at_ms: fromMs, person, attempt: { kind: 'event', body: eventOf(person, draws, 'signup', over) } },
    payment(person, draws, fromMs + waitMs, over),
  ];
}

/** Purchases at the person's own pace and hours, some after a login, some retried after the bank declined. */
function ordinaryLife(person: Person, { draws, fromMs, untilMs }: Life): TimedAttempt[] {
  const attempts: TimedAttempt[] = [];
  for (let day = fromMs + draws.exponential(DAY_MS / person.perDay); day < untilMs; ) {
    const at = atHour(day, person.peakHour + 2.5 * draws.normal());
    if (at > fromMs) {
      const bought = payment(person, draws, at);
      const { device_fingerprint, ip_address } = bought.attempt.body;
      const from = { device_fingerprint, ip_address };
      if (draws.chance(0.2)) {
        const body = eventOf(person, draws, 'login', from);
        attempts.push({ at_ms: at - 2 * MINUTE_MS, person, attempt: { kind: 'event', body } });
      }
      attempts.push(bought);
      if (draws.chance(0.03)) attempts.push({ ...bought, at_ms: at + MINUTE_MS });
    }
    day += draws.exponential(DAY_MS / person.perDay);
  }
  return attempts;
}

const atHour = (day: number, hour: number): number =>
  Math.floor(day / DAY_MS) * DAY_MS + (((hour % 24) + 24) % 24) * HOUR_MS;
