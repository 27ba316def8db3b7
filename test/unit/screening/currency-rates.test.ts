import {
  CURRENCY_CODES,
  currencyOf,
  HISTORIC_CODES,
  isCurrency,
  isHistoricCurrency,
  toUsd,
  wasEverCurrency,
} from '../../../shared/domain/screening/currency-rates';
import { screenTransactionRequest } from '../../../shared/schemas/screening';

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
    const { data } = screenTransactionRequest.safeParse({ user_id: 'ann', amount: 5, currency });
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
