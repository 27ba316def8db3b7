import { seededRandom } from '../../../../shared/domain/models/seeded-random';
import { type LabelledAttempt, measureStrengths } from '../../../../training/strengths/measure-strengths';

/** Attempts on which signals fire independently; each is worth its true log-odds, and says what is set. */
function attemptsOf(count: number, signals: Readonly<Record<string, { share: number; set: number; truth: number }>>) {
  const random = seededRandom(5);
  return Array.from({ length: count }, (): LabelledAttempt => {
    const fired = Object.entries(signals).filter(([, { share }]) => random() < share);
    const logit = fired.reduce((sum, [, { truth }]) => sum + truth, -2);
    const label = random() < 1 / (1 + Math.exp(-logit)) ? 1 : 0;
    return { label, parts: fired.map(([name, { set }]) => ({ name, log_odds: set })) };
  });
}

describe('strengths compared with labels', () => {
  const found = measureStrengths(
    attemptsOf(20_000, {
      right: { share: 0.2, set: 2, truth: 2 },
      strong: { share: 0.2, set: 4, truth: 1 },
      weak: { share: 0.2, set: 0.5, truth: 2 },
      misleading: { share: 0.2, set: 2, truth: -1.5 },
      trusting: { share: 0.3, set: -1, truth: -1 },
      rare: { share: 0.0005, set: 2, truth: 0 },
    }),
  );
  const of = (name: string) => found.find((each) => each.name === name);

  it('say which are right, too strong, too weak and misleading', () => {
    expect(Object.fromEntries(found.map(({ name, verdict }) => [name, verdict]))).toEqual({
      right: 'right',
      strong: 'too strong',
      weak: 'too weak',
      misleading: 'misleads',
      trusting: 'right',
      rare: 'too few',
    });
  });

  it('give the factor that fits the labels, within its error', () => {
    for (const [name, factor] of [
      ['right', 1],
      ['strong', 0.25],
      ['weak', 4],
      ['misleading', -0.75],
    ] as const) {
      const { multiplier = Number.NaN, error = Number.NaN } = of(name) ?? {};
      expect(Math.abs(multiplier - factor)).toBeLessThan(3 * error);
      expect(error).toBeLessThan(0.2);
    }
  });

  it('count where each fired, and what it adds there', () => {
    const { fraud = 0, legitimate = 0, set } = of('right') ?? {};
    expect(fraud + legitimate).toBeGreaterThan(3_800);
    expect(set).toBe(2);
  });
});

it('does not blame a signal for what another one says about the same attempts', () => {
  // Both fire together nine times out of ten; only the first is worth anything.
  const random = seededRandom(9);
  const attempts = Array.from({ length: 20_000 }, (): LabelledAttempt => {
    const isShared = random() < 0.3;
    const isRapid = isShared ? random() < 0.9 : random() < 0.03;
    const label = random() < 1 / (1 + Math.exp(isShared ? 0 : 2)) ? 1 : 0;
    const parts = [
      ...(isShared ? [{ name: 'shared', log_odds: 2 }] : []),
      ...(isRapid ? [{ name: 'rapid', log_odds: 2 }] : []),
    ];
    return { label, parts };
  });
  const [rapid, shared] = measureStrengths(attempts);
  expect(shared).toMatchObject({ name: 'shared', verdict: 'right' });
  expect(rapid).toMatchObject({ name: 'rapid', verdict: 'too strong' });
});

it('stays at what is set where nothing was labelled fraud', () => {
  const attempts = Array.from(
    { length: 50 },
    (): LabelledAttempt => ({ label: 0, parts: [{ name: 'a', log_odds: 1 }] }),
  );
  expect(measureStrengths(attempts)).toMatchObject([{ name: 'a', verdict: 'too few', fraud: 0, legitimate: 50 }]);
});
