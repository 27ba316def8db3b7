import type { EntityKind } from '../../../shared/domain/entities/entity-history';
import { itemSize } from '../../../shared/store/sdk/attribute-value';
import {
  DAY_MS,
  type Fate,
  generator,
  hostileAttempt,
  learn,
  live,
  newLife,
  START_MS,
} from '../../support/screening/live-through';

/** From one attempt in a quarter of an hour to one a second: each rate keeps other buckets alive. */
const RATES_PER_DAY = [100, 1_500, 14_000, 86_400];

/** A third of the attempts are stopped: what they leave behind must find room, too. */
const fateOf = (drawn: number): Fate => (drawn < 0.2 ? 'review' : drawn < 0.3 ? 'block' : 'allow');

export interface Lived {
  readonly largestBytes: number;
  readonly lastBytes: number;
  readonly trims: number;
}

/** An item after so many hostile attempts, with a label now and then. */
export function hostileLife(kind: EntityKind, attempts: number): Lived {
  const random = generator(9);
  const life = newLife(kind);
  let atMs = START_MS;
  for (let number = 0; number < attempts; number++) {
    const perDay = RATES_PER_DAY[Math.floor((4 * number) / attempts)] ?? 100;
    atMs += Math.round((-Math.log(1 - random()) * DAY_MS) / perDay);
    live(life, hostileAttempt(random, number, atMs), fateOf(random()));
    if (random() < 0.01) learn(life, { label: random() < 0.5 ? 'fraud' : 'legitimate', known_at_ms: atMs });
  }
  return { largestBytes: life.largestBytes, lastBytes: itemSize(life.item), trims: life.trims };
}

/** The largest that items of several lives became when labels kept coming for 180 days after their last attempt. */
export function largestWithLateLabels(kind: EntityKind, lives: number): number {
  let largest = 0;
  for (let seed = 1; seed <= lives; seed++) {
    const random = generator(seed);
    const life = newLife(kind);
    const perDay = RATES_PER_DAY[seed % 3] ?? 100;
    let atMs = START_MS;
    for (let number = 0; number < 1_500 + seed * 20; number++) {
      atMs += Math.round((-Math.log(1 - random()) * DAY_MS) / perDay);
      live(life, hostileAttempt(random, number, atMs), fateOf(random()));
    }
    // Hours, days or a fortnight apart: with gaps, a label in a new bucket does not come when an old one goes stale.
    const gapMs = random() * (seed % 2 === 0 ? 3 : 28) * DAY_MS;
    for (const endMs = atMs + 180 * DAY_MS; atMs < endMs; atMs += random() * gapMs) {
      const many = Math.ceil(random() * 3);
      for (let n = 0; n < many; n++) learn(life, { label: random() < 0.7 ? 'fraud' : 'legitimate', known_at_ms: atMs });
    }
    largest = Math.max(largest, life.largestBytes);
  }
  return largest;
}
