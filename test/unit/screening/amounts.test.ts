import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import {
  CURRENCY_CODES,
  currencyOf,
  HISTORIC_CODES,
  isCurrency,
  isHistoricCurrency,
  toUsd,
  wasEverCurrency,
} from '../../../shared/domain/screening/currency-rates';
import { type ScoringModel, screen } from '../../../shared/domain/screening/screen';
import { screenTransactionRequest } from '../../../shared/schemas/screening';
import { history, KNOWN, purchase } from '../../support/screening/build-history';
import { DAY, HOUR, IP, namesOf, regularCustomer, shopInMemory, VICTIM } from '../../support/shop-in-memory';

describe('extreme amount', () => {
  const bought = (
    amount: number,
    currency = 'USD',
    change: Parameters<typeof purchase>[0] = {},
    model?: ScoringModel,
  ) => screen(purchase(change, { amount, currency }), DEFAULT_SETTINGS, model);

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
});

describe('unheard of amount', () => {
  /*
   * Anyone who replays a session has the victim's device, and behind a proxy the victim's address. All that is left to see is
   * an amount far beyond anything the victim ever paid.
   */
  async function customer() {
    const shop = shopInMemory();
    await regularCustomer(shop);
    return shop;
  }

  it.each([4_000, 2_000])('a stolen session does not pay %i, 80 times the usual amount and more', async (amount) => {
    const shop = await customer();
    const paid = await shop.pay('victim', amount, VICTIM);
    expect(paid.automated_decision).toBe('review');
    expect(namesOf(paid)).toContain('amount_anomaly');
  });

  it('a large amount that was stopped is not paid from another address, or in halves, on the same device', async () => {
    const shop = await customer();
    expect((await shop.pay('victim', 4_000, { ...VICTIM, ip_address: IP.abroad })).automated_decision).not.toBe(
      'allow',
    );
    for (const amount of [600, 300]) {
      shop.pass(HOUR);
      await shop.pay('victim', amount, VICTIM);
    }
    shop.pass(DAY);
    expect((await shop.pay('victim', 2_400, VICTIM)).automated_decision).not.toBe('allow');
    // The victim's usual purchases are not held up by it.
    expect((await shop.pay('victim', 40, VICTIM)).automated_decision).toBe('allow');
  });

  it('a new phone, or what is usual for the merchant, is paid', async () => {
    const shop = await customer();
    expect((await shop.pay('victim', 900, VICTIM)).automated_decision).toBe('allow');
    const atTravelAgency = { custom_attributes: { merchant_id: 'travel' } };
    for (let i = 0; i < 60; i++) {
      await shop.pay(`tourist-${i}`, 1_500 + 40 * i, { device_fingerprint: `d${i}`, ...atTravelAgency });
      shop.pass(2 * HOUR);
    }
    expect((await shop.pay('victim', 3_000, { ...VICTIM, ...atTravelAgency })).automated_decision).toBe('allow');
  });
});

describe('currencies', () => {
  it('lists each once, in order, with a rate above 0', () => {
    expect([...new Set(CURRENCY_CODES)].sort()).toEqual([...CURRENCY_CODES].sort());
    for (const code of CURRENCY_CODES) {
      expect(code).toMatch(/^[A-Z]{3}$/);
      expect(toUsd(1, code)).toBeGreaterThan(0);
    }
    expect(CURRENCY_CODES.length).toBeGreaterThan(160);
  });

  it.each(['USD', 'EUR', 'JPY', 'KWD', 'XCG', 'ZWG', 'SLE', 'VED'])('knows %s', (code) => {
    expect(isCurrency(code)).toBe(true);
  });

  it.each(['usd', 'XXX', 'BTC', '', 'US'])('does not know %p', (code) => {
    expect(isCurrency(code)).toBe(false);
    expect(toUsd(1, code)).toBeUndefined();
  });

  it.each([
    ['DEM', 1.95583],
    ['HRK', 7.5345],
    ['BGN', 1.95583],
  ])('%s is worth what the euro replaced it by', (code, perEuro) => {
    expect(isCurrency(code)).toBe(false);
    expect(toUsd(perEuro, code)).toBeCloseTo(toUsd(1, 'EUR') ?? 0);
  });

  it('a withdrawn currency hides no amount, with a rate or without', async () => {
    const shop = shopInMemory();
    for (const [number, currency] of ['BGN', 'HRK', 'DEM', 'ZWD', 'AFA'].entries()) {
      const { automated_decision } = await shop.pay(`new-${number}`, 1e12, { currency });
      expect(automated_decision).not.toBe('allow');
    }
    expect((await shop.pay('old', 40, { currency: 'DEM' })).automated_decision).toBe('allow');
  });

  it('knows codes that were withdrawn, each once, in order, and none that is in use', () => {
    expect([...new Set(HISTORIC_CODES)].sort()).toEqual(HISTORIC_CODES);
    expect(HISTORIC_CODES.filter((code) => isCurrency(code) || !/^[A-Z]{3}$/.test(code))).toEqual([]);
    expect(['DEM', 'ITL', 'FRF', 'ESP', 'HRK', 'ZWD', 'CSK', 'YUM'].every(isHistoricCurrency)).toBe(true);
    expect(['EUR', 'XXX', 'XTS', 'BTC', 'dem', 'ABC', ''].some(isHistoricCurrency)).toBe(false);
  });

  it.each([
    ['EUR', 'EUR'],
    ['dem', 'DEM'],
    ['ITL', 'ITL'],
    ['ABC', undefined],
    ['XXX', undefined],
    ['BTC', undefined],
  ])('a request in %s is one in %s', (currency, accepted) => {
    const { data } = screenTransactionRequest().safeParse({ user_id: 'ann', amount: 5, currency });
    expect(data?.currency).toBe(accepted);
    if (accepted) expect(wasEverCurrency(accepted)).toBe(true);
  });

  it('has the minor units that most code gets wrong', () => {
    const digits = (code: string) => currencyOf(code)?.minor_unit_digits;
    expect(['JPY', 'KRW', 'ISK', 'XOF', 'KWD', 'TND', 'CLF', 'USD'].map(digits)).toEqual([0, 0, 0, 0, 3, 3, 4, 2]);
  });

  it('is right to the order of magnitude', () => {
    expect(toUsd(10_000, 'JPY')).toBeGreaterThan(40);
    expect(toUsd(10_000, 'JPY')).toBeLessThan(120);
    expect(toUsd(100, 'EUR')).toBeGreaterThan(90);
  });
});
