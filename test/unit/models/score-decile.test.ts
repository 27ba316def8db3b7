import fc from 'fast-check';
import { ulidFraction } from '../../../shared/domain/ulid';
import { scoreDecile } from '../../../shared/metrics/screening-metrics';
import { newUlid } from '../../../shared/runtime/ids';

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 10, maxLength: 10 });

/** How scores that are spread like `live` fall into the tenths of a model that learnt `trained`. */
function tenths(trained: readonly number[], live: readonly number[], perBand = 2_000): number[] {
  const counts = Array<number>(10).fill(0);
  const all = live.reduce((sum, share) => sum + share, 0);
  live.forEach((share, band) => {
    for (let at = 0; at < perBand; at++) {
      const decile = scoreDecile(trained, band * 10 + (at % 10), (at + 0.5) / perBand) as number;
      counts[decile - 1]! += share / all / perBand;
    }
  });
  return counts;
}

describe('the decile of a score', () => {
  it('is even over all tenths for traffic like that of the training, however uneven its scores', () => {
    fc.assert(
      fc.property(
        shares.filter((all) => all.some((share) => share > 0)),
        (trained) => {
          for (const share of tenths(trained, trained)) expect(share).toBeCloseTo(0.1, 2);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('piles up at the top when scores rise', () => {
    const trained = [0.9, 0.04, 0.02, 0.01, 0.01, 0.01, 0.005, 0.003, 0.001, 0.001];
    const live = [0.5, 0.1, 0.1, 0.1, 0.05, 0.05, 0.04, 0.03, 0.02, 0.01];
    expect(tenths(trained, live)[9]).toBeGreaterThan(0.4);
  });

  it('is always one of ten', () => {
    fc.assert(
      fc.property(
        shares,
        fc.integer({ min: 0, max: 100 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, score, fraction) => {
          const decile = scoreDecile(all, score, fraction);
          if (decile !== undefined) expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).toContain(decile);
          else expect(all.every((share) => share === 0)).toBe(true);
        },
      ),
    );
  });

  it.each([[undefined], [[]], [[1, 2, 3]]])('is not known without the shares of training: %j', (known) => {
    expect(scoreDecile(known, 50, 0.5)).toBeUndefined();
  });

  it('is drawn evenly by the ids of screenings', () => {
    const fractions = Array.from({ length: 20_000 }, () => ulidFraction(newUlid(0)));
    const counts = Array<number>(10).fill(0);
    for (const fraction of fractions) counts[Math.floor(fraction * 10)]! += 1;
    // Five standard deviations of a fair draw.
    for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(5 * Math.sqrt(20_000 * 0.1 * 0.9));
  });
});
