import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { history, KNOWN, purchase } from '../../../bench/support/build-history';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { type ScoringModel, screen } from '../../../shared/domain/screening/screen';

const bought = (amount: number, currency = 'USD', change: Parameters<typeof purchase>[0] = {}, model?: ScoringModel) =>
  screen(purchase(change, { amount, currency }), DEFAULT_SETTINGS, model);

/** A model that finds everything harmless. */
const mild: ScoringModel = {
  opinion: () => ({ version: 'm1', log_odds: -4, parts: [], detail: 'harmless' }),
};

describe('an amount that nothing makes usual', () => {
  it.each([
    [9_000, 'USD', 'allow'],
    [25_000, 'EUR', 'review'],
    [1e6, 'EUR', 'review'],
    [1e12, 'EUR', 'review'],
    [1e12, 'JPY', 'review'],
  ] as const)('%d %s from a new user: %s at once', (amount, currency, decision) => {
    expect(bought(amount, currency)).toMatchObject({ decision });
  });

  it('is documented with its scores', () => {
    const page = readFileSync(join(__dirname, '../../../docs/score.md'), 'utf8');
    const [, row = ''] = /^\| Score by signals alone \|(.*)\|$/m.exec(page) ?? [];
    const scores = [bought(5_000), bought(10_000), bought(25_000, 'EUR'), bought(100_000), bought(1e12)];
    expect(row.split('|').map(Number)).toEqual(scores.slice(0, 4).map(({ risk_score }) => risk_score));
    expect(scores[4]?.risk_score).toBe(scores[3]?.risk_score);
  });

  it('never falls as the amount rises', () => {
    const scores = [100, 1_000, 9_999, 10_001, 30_000, 99_999, 100_001, 1e7, 1e12].map(
      (amount) => bought(amount).risk_score,
    );
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
  });

  it('goes to a person from 100,000 dollars on, even if a model finds it harmless', () => {
    expect(bought(99_000, 'USD', {}, mild).decision).toBe('allow');
    expect(bought(101_000, 'USD', {}, mild).decision).toBe('review');
  });

  it('is judged by purchases older than a day: trying it again does not make it usual', () => {
    const tried = (times: number) => bought(1e6, 'USD', { user: history(0.1, { within24h: times, eachUsd: 1e6 }) });
    expect(tried(10).decision).not.toBe('allow');
    expect(tried(10).signals).toContain('extreme_amount');
  });

  it('is usual for a customer who has long bought for as much', () => {
    const user = history(400, { within30d: 6, earlier: 80, eachUsd: 250_000 }, KNOWN);
    const { signals, decision } = bought(400_000, 'USD', { user });
    expect(decision).toBe('allow');
    expect(signals).not.toContain('extreme_amount');
  });
});
