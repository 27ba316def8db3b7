import fc from 'fast-check';
import {
  DAY_MS,
  generator,
  learn,
  live,
  newLife,
  ordinaryAttempt,
  START_MS,
} from '../../../../bench/support/live-through';
import { readHistory } from '../../../../shared/store/entities/read-history';

const since = (life: ReturnType<typeof newLife>, atMs: number) =>
  readHistory('attribute', life.item, atMs).fraud_since_ms;

const terminal = () => {
  const life = newLife('attribute');
  live(life, ordinaryAttempt(generator(1), 0, START_MS));
  return life;
};

describe('when the trouble of an entity began', () => {
  it('is told by its first fraud and not by later ones, until it is 30 to 60 days ago', () => {
    const life = terminal();
    const first = START_MS + 5 * DAY_MS;
    for (let day = 5; day < 20; day++) learn(life, { label: 'fraud', known_at_ms: START_MS + day * DAY_MS });
    expect(since(life, START_MS + 20 * DAY_MS)).toBe(first);
    expect(since(life, first + 29 * DAY_MS)).toBe(first);
    expect(since(life, first + 61 * DAY_MS)).toBeUndefined();
  });

  it('is not told by honest labels', () => {
    const life = terminal();
    learn(life, { label: 'legitimate', known_at_ms: START_MS + DAY_MS });
    expect(since(life, START_MS + 2 * DAY_MS)).toBeUndefined();
  });

  it('stays where it was when another fraud is confirmed', () => {
    const times = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(times, fc.nat(220), (days, lookDay) => {
        const life = terminal();
        const look = START_MS + lookDay * DAY_MS;
        let before: number | undefined;
        for (const day of days.sort((a, b) => a - b).filter((d) => d <= lookDay)) {
          learn(life, { label: 'fraud', known_at_ms: START_MS + day * DAY_MS });
          const now = since(life, look);
          if (before !== undefined) expect(now).toBe(before);
          before = now;
        }
      }),
      { numRuns: 200 },
    );
  });
});

it('the last label is what came last, whatever came before', () => {
  const life = terminal();
  const last = () => readHistory('attribute', life.item, START_MS + 9 * DAY_MS).last_label;
  expect(last()).toBeUndefined();
  learn(life, { label: 'fraud', known_at_ms: START_MS + DAY_MS });
  expect(last()).toBe('fraud');
  learn(life, { label: 'legitimate', known_at_ms: START_MS + 2 * DAY_MS });
  expect(last()).toBe('legitimate');
});
