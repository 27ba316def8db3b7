import fc from 'fast-check';
import {
  accountShares,
  cappedWeights,
  mostShare,
  type OwnedRow,
  shareLevel,
  splitNewest,
  TEACHING_RULE,
  teachingAccounts,
  waterLevel,
} from '../../../shared/domain/models/account-shares';

const amounts = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 });
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const cut = (values: readonly number[], level: number) => values.map((value) => Math.min(value, level));

describe('levels', () => {
  it('shares out a total: nobody has more than the level, and nothing is left over', () => {
    fc.assert(
      fc.property(amounts, fc.double({ min: 0.001, max: 1, noNaN: true }), (values, part) => {
        const total = part * sum(values);
        const level = waterLevel(values, total);
        expect(sum(cut(values, level)) / total).toBeCloseTo(1, 6);
      }),
    );
    expect(waterLevel([1, 2, 3], 6)).toBe(Number.POSITIVE_INFINITY);
    expect(waterLevel([1, 2, 9], 6)).toBe(3);
  });

  it('keeps the bound after cutting, and cuts no more than it must', () => {
    fc.assert(
      fc.property(amounts, (values) => {
        const share = mostShare(values.length);
        const level = shareLevel(values, share);
        const left = cut(values, level);
        expect(Math.max(...left)).toBeLessThanOrEqual(share * sum(left) * (1 + 1e-9));
        if (Number.isFinite(level)) expect(Math.max(...left)).toBeGreaterThanOrEqual(share * sum(left) * (1 - 1e-9));
      }),
    );
  });
});

/** Rows of some accounts, of both kinds, with the weights of labels and of samples. */
const someRows = fc
  .array(
    fc.record({
      account: fc.integer({ min: 0, max: 9 }),
      label: fc.constantFrom<0 | 1>(0, 1),
      screened_at_ms: fc.integer({ min: 0, max: 1_000 }),
      weight: fc.constantFrom(1, 64),
    }),
    { minLength: 1, maxLength: 300 },
  )
  .map((rows) => rows.map(({ account, ...row }): OwnedRow => ({ ...row, account_id: `acc_${account}` })));

describe('the weight of an account', () => {
  it('is at most its share of each kind, whoever labels how much', () => {
    fc.assert(
      fc.property(someRows, fc.integer({ min: 0, max: 2_000 }), (rows, flood) => {
        const flooded = [
          ...rows,
          ...Array.from({ length: flood }, (): OwnedRow => ({ account_id: 'acc_0', label: 1, screened_at_ms: 1 })),
        ];
        const weights = cappedWeights(flooded);
        for (const label of [0, 1]) {
          const byAccount = new Map<string, number>();
          flooded.forEach((row, i) => {
            if (row.label !== label) return;
            const id = row.account_id as string;
            byAccount.set(id, (byAccount.get(id) ?? 0) + (weights[i] as number));
          });
          const total = sum([...byAccount.values()]);
          for (const own of byAccount.values()) {
            expect(own).toBeLessThanOrEqual(mostShare(byAccount.size) * total * (1 + 1e-9));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is a fifth where five or more label, and everything where one labels alone', () => {
    expect([1, 2, 3, 5, 50].map(mostShare)).toEqual([1, 1 / 2, 1 / 3, 0.2, 0.2]);
    const alone = Array.from({ length: 9 }, (_, i): OwnedRow => ({ account_id: 'a', label: 1, screened_at_ms: i }));
    expect([...cappedWeights(alone)]).toEqual(alone.map(() => 1));
    expect(accountShares(alone)).toEqual([{ account_id: 'a', fraud: 1, legitimate: 0, is_at_cap: true }]);
  });

  it('does not depend on the order of rows, and is never raised', () => {
    fc.assert(
      fc.property(someRows, (rows) => {
        const weights = cappedWeights(rows);
        const backwards = cappedWeights([...rows].reverse()).reverse();
        rows.forEach(({ weight = 1 }, i) => {
          expect(weights[i]).toBeLessThanOrEqual(weight);
          expect(weights[i]).toBeCloseTo(backwards[i] as number, 6);
        });
      }),
      { numRuns: 40 },
    );
  });
});

it('holds out the newest of each account, in the order of screening, and loses nothing', () => {
  fc.assert(
    fc.property(someRows, (rows) => {
      const { older, newest } = splitNewest(rows, 0.2);
      expect(older.length + newest.length).toBe(rows.length);
      for (const part of [older, newest]) {
        part.forEach((row, i) => {
          expect(row.screened_at_ms).toBeGreaterThanOrEqual(part[i - 1]?.screened_at_ms ?? 0);
        });
      }
      for (const id of new Set(rows.map(({ account_id }) => account_id))) {
        const own = (part: readonly OwnedRow[]) => part.filter(({ account_id }) => account_id === id);
        expect(own(newest)).toHaveLength(Math.floor(0.2 * own(rows).length));
        const last = own(older).at(-1)?.screened_at_ms ?? 0;
        expect(own(newest).every(({ screened_at_ms }) => screened_at_ms >= last)).toBe(true);
      }
    }),
    { numRuns: 40 },
  );
});

it('lets an account teach that has enough of each kind', () => {
  const rowsOf = (account_id: string, fraud: number, honest: number): OwnedRow[] =>
    Array.from({ length: fraud + honest }, (_, i) => ({ account_id, label: i < fraud ? 1 : 0, screened_at_ms: i }));
  const least = TEACHING_RULE.least_of_each;
  const rows = [...rowsOf('a', least, least), ...rowsOf('b', 5_000, least - 1), ...rowsOf('c', least - 1, 5_000)];
  expect([...teachingAccounts(rows)]).toEqual(['a']);
});
