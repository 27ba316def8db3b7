import { itemSize } from '../../../shared/domain/entities/item-size';
import { learn, live, newLife } from '../../unit/entities/live-through';
import { DAY_MS, generator, hostileAttempt, KINDS, START_MS } from '../../unit/entities/random-attempts';

jest.setTimeout(300_000);

/** From one attempt in a quarter of an hour to one a second: each rate keeps other buckets alive. */
const RATES_PER_DAY = [100, 1_500, 14_000, 86_400];

test.each(KINDS)('an item stays within 1,000 bytes through 100,000 hostile attempts: %s', (kind) => {
  const random = generator(9);
  const life = newLife(kind);
  let atMs = START_MS;
  for (let number = 0; number < 100_000; number++) {
    const perDay = RATES_PER_DAY[Math.floor(number / 25_000)] ?? 100;
    atMs += Math.round((-Math.log(1 - random()) * DAY_MS) / perDay);
    live(life, hostileAttempt(random, number, atMs));
    if (random() < 0.01) learn(life, { label: random() < 0.5 ? 'fraud' : 'legitimate', known_at_ms: atMs });
  }
  process.stdout.write(
    `${kind}: largest ${life.largestBytes} bytes, last ${itemSize(life.item)}, trims ${life.trims}\n`,
  );
  expect(life.largestBytes).toBeLessThanOrEqual(1_000);
});

test.each(KINDS)('nor do labels push it above that when they keep coming after the last attempt: %s', (kind) => {
  let largest = 0;
  for (let seed = 1; seed <= 24; seed++) {
    const random = generator(seed);
    const life = newLife(kind);
    const perDay = RATES_PER_DAY[seed % 3] ?? 100;
    let atMs = START_MS;
    for (let number = 0; number < 1_500 + seed * 20; number++) {
      atMs += Math.round((-Math.log(1 - random()) * DAY_MS) / perDay);
      live(life, hostileAttempt(random, number, atMs));
    }
    // Hours apart or days apart: with gaps, a label in a new bucket does not come when an old one goes stale.
    const gapMs = random() * 3 * DAY_MS;
    for (const endMs = atMs + 90 * DAY_MS; atMs < endMs; atMs += random() * gapMs) {
      const many = Math.ceil(random() * 3);
      for (let n = 0; n < many; n++) learn(life, { label: random() < 0.7 ? 'fraud' : 'legitimate', known_at_ms: atMs });
    }
    largest = Math.max(largest, life.largestBytes);
  }
  process.stdout.write(`${kind}: largest ${largest} bytes with labels after the last attempt\n`);
  expect(largest).toBeLessThanOrEqual(1_000);
});
