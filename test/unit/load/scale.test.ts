import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulate } from '../../../bench/scale/simulate';
import { scaleTables } from '../../../bench/scale/table';
import { markdownTable, withSections } from '../../../shared/cli/text-table';
import { patient } from '../../support/patience';

const page = readFileSync(join(__dirname, '../../../docs/scale.md'), 'utf8');

describe('docs/scale.md', () => {
  it(
    'has the tables that npm run scale prints now',
    () => {
      const sections = Object.entries(scaleTables()).map(([name, rows]) => [name, markdownTable(rows)]);
      expect(withSections(page, Object.fromEntries(sections))).toBe(page);
    },
    patient(90_000),
  );
});

describe('a simulated second', () => {
  const shop = { name: '', perSecond: 1_000, accounts: 1, usersPerAccount: 100_000 };

  it(
    'writes what a screening writes, and is the same again',
    () => {
      const once = simulate(shop);
      expect(once).toEqual(simulate(shop));
      // Result, claim, user (twice), device, IP and three attributes, and 2 % that open a case, which is resolved later.
      expect(once.writeUnitsPerSecond / shop.perSecond).toBeCloseTo(9 + 0.02 * 26, 1);
      expect(once.hot).toEqual([]);
      expect(once.degraded).toBe(0);
    },
    patient(30_000),
  );

  it(
    'refuses no case of an account that opens two thousand per second',
    () => {
      const { hottestByKind, refusedCases } = simulate({ ...shop, perSecond: 100_000, usersPerAccount: 500_000_000 });
      expect(refusedCases).toBe(0);
      for (const kind of ['cases', 'tally']) expect(hottestByKind.get(kind)).toBeLessThan(1_000);
    },
    patient(30_000),
  );

  it(
    'spreads the histories that one item cannot keep up with, so that no screening goes without',
    () => {
      const { hot, hottestByKind, spread, degraded, folding, writeUnitsPerSecond } = simulate({
        ...shop,
        perSecond: 10_000,
      });
      expect(hot).toEqual([]);
      expect(degraded).toBe(0);
      // The first of 20 categories has ln 2 / ln 21 of the payments: 2,277 per second, over 16 shards.
      expect(spread.entities).toBeGreaterThan(20);
      expect(hottestByKind.get('category')).toBeLessThan(400);
      expect(folding.writeUnits / writeUnitsPerSecond).toBeLessThan(0.001);
    },
    patient(30_000),
  );
});
