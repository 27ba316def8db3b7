import { EMPTY_TALLY } from '../../../shared/domain/models/registry-state';
import { holdOut, shadowReadiness, whyNotYet } from '../../../shared/domain/models/training-rule';

const DAY = 86_400_000;
const isoOf = (ms: number) => new Date(ms).toISOString();

/** A row per hour, every tenth of them fraud; labels come a week later. */
const rowsOf = (count: number, isFraud = (i: number) => i % 10 === 0) =>
  Array.from({ length: count }, (_, i) => ({
    label: isFraud(i) ? (1 as const) : (0 as const),
    screened_at_ms: i * 3_600_000,
    labeled_at_ms: i * 3_600_000 + 7 * DAY,
  }));
const learntAt = (ms: number) => ({ card: { trained_at: isoOf(ms) } as never });

describe('the rows that a challenger is evaluated on', () => {
  it('are the newest fifth, where fraud is frequent', () => {
    const split = holdOut(rowsOf(1_000));
    expect([split?.older.length, split?.newest.length, split?.unseen.length]).toEqual([800, 200, 200]);
  });

  it('are as many more as it takes to hold 20 frauds, up to half of all', () => {
    const rare = rowsOf(1_000, (i) => i % 20 === 0);
    expect(holdOut(rare)?.newest).toHaveLength(400);
    expect(holdOut(rowsOf(1_000, (i) => i % 30 === 0))).toBeUndefined();
    // All of the fraud is new: nothing to learn from.
    expect(holdOut(rowsOf(1_000, (i) => i > 900))).toBeUndefined();
  });

  it('hold 20 frauds that the champion has not seen: it would win on what it knows by heart', () => {
    const rows = rowsOf(1_000);
    const split = holdOut(rows, learntAt(600 * 3_600_000 + 7 * DAY));
    expect(split?.unseen).toHaveLength(200);
    expect(holdOut(rows, learntAt(900 * 3_600_000 + 7 * DAY))).toBeUndefined();
  });

  it('hold nothing that the champion has learned from, where enough is new: both compete with the same knowledge', () => {
    const rows = rowsOf(1_000, (i) => i % 5 === 0);
    const split = holdOut(rows, learntAt(879 * 3_600_000 + 7 * DAY));
    expect([split?.older.length, split?.unseen.length]).toEqual([880, 120]);
  });

  it('are new by their labels, however old their screenings: the challenger knows what the champion knew', () => {
    const rows = rowsOf(1_000).map((row, i) => (i < 300 && i % 10 === 0 ? { ...row, labeled_at_ms: 60 * DAY } : row));
    const split = holdOut(rows, learntAt(49 * DAY - 100 * 3_600_000));
    expect(split?.newest.filter(({ screened_at_ms }) => screened_at_ms < 300 * 3_600_000)).toHaveLength(30);
    expect(split?.older.filter(({ labeled_at_ms }) => labeled_at_ms > 49 * DAY - 100 * 3_600_000)).toEqual([]);
    expect([split?.older.length, split?.unseen]).toEqual([1_000 - (split?.newest.length ?? 0), split?.newest]);
    for (const part of [split?.older ?? [], split?.newest ?? []]) {
      expect(part.map(({ screened_at_ms }) => screened_at_ms)).toEqual(
        part.map(({ screened_at_ms }) => screened_at_ms).sort((a, b) => a - b),
      );
    }
  });
});

it('trains again from a tenth more labels on, with 20 more frauds', () => {
  const state = { last_training: { at: isoOf(0), labels: 1_000 } };
  const counts = (since_training: number, fraud_since_training = 20) => ({
    ...{ fraud: 100, legitimate: 1_200, presumed: 0, since_training, fraud_since_training },
  });
  expect(whyNotYet(counts(99), state)).toMatch(/100 are needed/);
  expect(whyNotYet(counts(100), state)).toBeUndefined();
  // The same evaluation would end the same way.
  expect(whyNotYet(counts(900, 19), state)).toMatch(/19 frauds since the last training; 20 are needed/);
});

it.each([
  ['waiting', 20, 0.9, 500],
  ['labels', 20, 1, 500],
  ['waiting', 19, 2.9, 500],
  ['traffic', 19, 3, 500],
  ['waiting', 20, 13, 99],
  ['overdue', 20, 14, 99],
] as const)('is %s in shadow with %i frauds after %d days and %i screenings', (wanted, fraud, days, screened) => {
  const fresh = { fraud, legitimate: 100, presumed: 0 };
  expect(shadowReadiness(days * DAY, fresh, { ...EMPTY_TALLY, screened }, 20)).toBe(wanted);
});
