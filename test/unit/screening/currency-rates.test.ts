import { CURRENCY_CODES, currencyOf, isCurrency, toUsd } from '../../../shared/domain/screening/currency-rates';

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

  it.each(['usd', 'XXX', 'DEM', 'HRK', 'BTC', '', 'US'])('does not know %p', (code) => {
    expect(isCurrency(code)).toBe(false);
    expect(toUsd(1, code)).toBeUndefined();
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
