import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import { fitFactor, type StrengthRow } from '../../../../training/strengths/fit-strength';

/** Attempts of which a signal of 2 log-odds fires on some; it is really worth `factor` times that. */
function rowsOf(factor: number, count = 20_000): StrengthRow[] {
  const random = seededRandom(4);
  return Array.from({ length: count }, (_, i) => {
    const others = random() < 0.2 ? 1.5 : 0;
    const own = random() < 0.1 ? 2 : 0;
    const chance = 1 / (1 + Math.exp(4 - 0.8 * others - factor * own));
    return { others, own, label: random() < chance ? 1 : 0, day: Math.floor(i / 250) };
  });
}

it.each([0, 0.5, 1, 2])('finds what a signal is worth: %s times its strength', (truth) => {
  const { factor, error } = fitFactor(rowsOf(truth), 1.5);
  expect(Math.abs(factor - truth)).toBeLessThan(3 * error + 0.02);
  expect(error).toBeLessThan(0.15);
});

it('stays finite where every attempt with the signal is fraud', () => {
  const rows = rowsOf(1, 2_000).map((row) => (row.own > 0 ? { ...row, label: 1 as const } : row));
  const { factor, error } = fitFactor(rows, 1.5);
  expect(factor).toBeGreaterThan(1.5);
  expect(factor).toBeLessThan(8);
  expect(Number.isFinite(error)).toBe(true);
});

it('is not more certain for seeing the same day five times', () => {
  const once = rowsOf(1, 8_000);
  const often = [once, once, once, once, once].flat();
  const [one, five] = [fitFactor(once, 1.5).error, fitFactor(often, 1.5).error];
  expect(Math.abs(five / one - 1)).toBeLessThan(0.05);
});
