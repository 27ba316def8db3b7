import { FEATURE_NAMES, featurePhrase } from '../../../shared/domain/screening/features';
import { ordinal, percent, perDay, price } from '../../../shared/domain/screening/sentence';

const USD_1200 = Math.log(1_200);

describe('amounts', () => {
  it.each([
    [{ amount: 990, currency: 'EUR' }, '€990 (about $1,200)'],
    [{ amount: 1_200.5, currency: 'USD' }, '$1,200.50'],
    [{ amount: 1_100, currency: 'CHF' }, '1,100 CHF (about $1,200)'],
    [{}, 'about $1,200'],
  ])('%j', (attempt, words) => {
    expect(price(attempt, USD_1200)).toBe(words);
  });

  it('without a rate are not compared in dollars', () => {
    expect(price({ amount: 990, currency: 'DEM' }, Number.NaN)).toBe('990 DEM');
  });
});

it('counts as people do', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 22, 103, 111].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
    '22nd',
    '103rd',
    '111th',
  ]);
  expect([4, 3 / 7, 1 / 30].map(perDay)).toEqual(['4 per day', '3 per week', '1 per month']);
  expect([0.034, 0.62].map(percent)).toEqual(['3.4%', '62%']);
});

describe('a feature in words', () => {
  it.each([
    ['device_age_days', 0.00000339, 'device first seen moments ago'],
    ['device_age_days', 3 / 1440, 'device first seen 3 minutes ago'],
    ['ip_hosting', 1, 'data-centre IP'],
    ['ip_amount_24h_usd', 1_234, 'about $1,200 in 24 hours (IP address)'],
    ['card_fingerprint_users', 3, '3 users (card)'],
    ['attribute_tx_10m', 4, '4 transactions in 10 minutes (tracked attribute)'],
    ['user_tx_10m', 7, '7 transactions in 10 minutes (user)'],
    ['merchant_id_fraud_rate_7d', 0.12, 'about 12% fraud in 7 days (merchant)'],
    ['ip_fraud_freshness', 0.5, 'fraud first confirmed 24 hours ago (IP address)'],
    ['user_device_seen', 0, 'new device for this user'],
    ['device_cards', Number.NaN, 'no data on cards (device)'],
    ['device_age_days', Number.NaN, 'no device sent'],
    ['asn_age_days', Number.NaN, 'unknown internet provider'],
    ['user_card_seen', Number.NaN, 'no card sent'],
    ['user_country_seen', Number.NaN, 'unknown country'],
    ['paid_by_card', Number.NaN, 'unknown payment method'],
    ['since_signup_s', 4, 'signed up moments ago'],
    ['product_category_rate', 0.02, 'about 2% fraud for this product category'],
    ['attr_basket_size_number', 12, 'basket size 12'],
    ['attr_basket_size_number_2', 12, 'basket size 12'],
  ])('%s %d', (name, value, words) => {
    expect(featurePhrase(name, value)).toBe(words);
  });

  it('is there for every feature and any value', () => {
    const said = FEATURE_NAMES.flatMap((name) =>
      [0, 0.5, 1, 3, 40, Number.NaN].map((value) => [name, value, featurePhrase(name, value)] as const),
    );
    expect(said.filter(([, , words]) => /_|NaN|undefined|Infinity|\bin \(| {2}/.test(words))).toEqual([]);
  });
});
