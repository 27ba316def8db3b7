import { itemSize } from '../../../shared/domain/entities/item-size';
import { live, newLife } from '../../unit/entities/live-through';
import { DAY_MS, generator, hostileAttempt, KINDS, START_MS } from '../../unit/entities/random-attempts';

jest.setTimeout(300_000);

/** From one attempt in a quarter of an hour to one a second: each rate keeps other buckets alive. */
const RATES_PER_DAY = [100, 1_500, 14_000, 86_400];

test.each(KINDS)('an item stays within 1,000 bytes through 100,000 hostile attempts: %s', (kind) => {
  const random = generator(9);
  const life = newLife();
  let atMs = START_MS;
  for (let number = 0; number < 100_000; number++) {
    const perDay = RATES_PER_DAY[Math.floor(number / 25_000)] ?? 100;
    atMs += Math.round((-Math.log(1 - random()) * DAY_MS) / perDay);
    live(life, kind, hostileAttempt(random, number, atMs));
  }
  process.stdout.write(
    `${kind}: largest ${life.largestBytes} bytes, last ${itemSize(life.item)}, trims ${life.trims}\n`,
  );
  expect(life.largestBytes).toBeLessThanOrEqual(1_000);
});
