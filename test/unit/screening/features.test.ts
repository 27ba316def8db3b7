import { createHash } from 'node:crypto';
import {
  amounts,
  DAY_MS,
  event,
  HOUR_MS,
  history,
  KNOWN,
  NOW_MS,
  purchase,
} from '../../../bench/support/build-history';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import {
  extractFeatures,
  FEATURE_NAMES,
  FEATURE_VERSION,
  FEATURES,
  type FeatureName,
  featureSlot,
} from '../../../shared/domain/screening/features';
import { amountSurprise } from '../../../shared/domain/screening/features/amount-features';
import { ATTRIBUTE_SLOTS } from '../../../shared/domain/screening/features/counterpart-features';
import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';

const read = (facts: ScreeningFacts, name: FeatureName) => extractFeatures(facts)[featureSlot(name)];

const hashOf = (names: readonly string[]) => createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 12);

describe('the vector', () => {
  it('keeps the slots of every version: append, never move or rename (then add a hash and raise FEATURE_VERSION)', () => {
    expect(FEATURE_VERSION).toBe(8);
    expect(FEATURE_NAMES.length).toBe(306);
    expect(hashOf(FEATURE_NAMES.slice(0, 126))).toBe('0ae4d368538d');
    expect(hashOf(FEATURE_NAMES.slice(0, 255))).toBe('a91bd6977b49');
    expect(hashOf(FEATURE_NAMES.slice(0, 266))).toBe('3583e4c91680');
    expect(hashOf(FEATURE_NAMES.slice(0, 277))).toBe('370af2a8d4b8');
    expect(hashOf(FEATURE_NAMES.slice(0, 294))).toBe('b57bc4ed9860');
    expect(hashOf(FEATURE_NAMES.slice(0, 299))).toBe('d2f875741e65');
    expect(hashOf(FEATURE_NAMES.slice(0, 304))).toBe('12ab97d52724');
    expect(hashOf(FEATURE_NAMES)).toBe('9ba311e5d3e2');
  });

  it('names every slot once and says what it is', () => {
    expect(new Set(FEATURE_NAMES).size).toBe(FEATURE_NAMES.length);
    for (const { name, description } of FEATURES) {
      expect(name).toMatch(/^[a-z0-9_]+$/);
      expect(description.length).toBeGreaterThan(10);
    }
  });

  it('has slots of their own for the default tracked attributes', () => {
    expect(ATTRIBUTE_SLOTS).toEqual(DEFAULT_SETTINGS.tracked_attributes);
  });
});

describe('features', () => {
  it('count this attempt when it is a transaction', () => {
    const user = history(10, { within10m: 2, within24h: 3 });
    expect(read(purchase({ user }), 'user_tx_10m')).toBe(3);
    expect(read(purchase({ user }), 'user_tx_24h')).toBe(6);
    expect(read(event('login', { user }), 'user_tx_10m')).toBe(2);
    expect(read(purchase({ user }, { amount: 100, currency: 'EUR' }), 'user_amount_24h_usd')).toBeCloseTo(200 + 116.5);
  });

  it('compare with the usual, which leaves the last day out', () => {
    const user = history(31, { within10m: 6, within30d: 29 });
    expect(read(purchase({ user }), 'user_burst_10m')).toBeCloseTo(7);
    expect(read(purchase(), 'user_burst_10m')).toBe(1);
  });

  it('compare an amount with the usual one of user, merchant and category, and keep it in its own currency', () => {
    const user = history(40, {}, { amounts_by_currency: { JPY: amounts(10, 5_000) }, amounts_usd: amounts(10, 33) });
    const usual = history(400, {}, { amounts_usd: amounts(200, 100) });
    const attributes = [
      { key: 'merchant_id', history: usual },
      { key: 'category', history: history(1) },
    ];
    const facts = purchase({ user, attributes }, { amount: 50_000, currency: 'JPY', amount_usd: 330 });
    expect(read(facts, 'amount_ln')).toBeCloseTo(Math.log(50_000), 4);
    expect(read(facts, 'user_amount_ratio')).toBeCloseTo(Math.log(10), 4);
    expect(read(facts, 'merchant_id_amount_ratio')).toBeCloseTo(Math.log(3.3), 4);
    expect(read(facts, 'category_amount_ratio')).toBeNaN();
    expect(read(facts, 'terminal_id_amount_ratio')).toBeNaN();
    expect(read(event('login', { user }), 'amount_ln')).toBeNaN();
  });

  it('count counterparts with this one', () => {
    const device = history(3, {}, { distinct: { users: 4 }, seen: { users: false } });
    expect(read(purchase({ device }), 'device_users')).toBe(5);
    expect(read(purchase({ device: { ...device, seen: { users: true } } }), 'device_users')).toBe(4);
    expect(read(purchase({ device: { ...device, distinct: {}, seen: {} } }), 'device_users')).toBeNaN();
  });

  it('are missing when the history is, whether not sent or not read', () => {
    const vector = extractFeatures(purchase({ user: undefined, attributes: [{ key: 'email' }] }));
    FEATURE_NAMES.forEach((name, slot) => {
      if (/^(user|email|since)_/.test(name)) expect(vector[slot]).toBeNaN();
    });
    expect(vector[featureSlot('attribute_fraud_share')]).toBeNaN();
  });

  it('take the worst of the tracked attributes, of any key', () => {
    const attributes = [
      { key: 'merchant_id', history: history(50, {}, { labels: { fraud: 0, legitimate: 20 } }) },
      { key: 'channel', history: history(5, {}, { labels: { fraud: 4, legitimate: 1 } }) },
    ];
    const facts = purchase({ attributes });
    expect(read(facts, 'attribute_fraud_share')).toBeCloseTo(4.05 / 10);
    expect(read(facts, 'merchant_id_fraud_share')).toBeCloseTo(0.05 / 25);
    expect(read(facts, 'attribute_age_days_min')).toBe(5);
    expect(read(facts, 'attribute_personal_fraud_labels')).toBeNaN();
  });

  it('know what was learned of an entity lately, and nothing where nothing was', () => {
    const recent_labels = {
      '1d': { fraud: 1, labelled: 1 },
      '7d': { fraud: 3, labelled: 5 },
      '30d': { fraud: 3, labelled: 9 },
    };
    const terminal = history(60, { within24h: 10, within7d: 35 }, { recent_labels, last_label: 'fraud' });
    const other = history(60, {}, { recent_labels: { ...recent_labels, '7d': { fraud: 4, labelled: 4 } } });
    const attributes = [
      { key: 'terminal_id', history: terminal },
      { key: 'till', history: other },
      { key: 'email', history: history(60, { within7d: 9 }) },
    ];
    const facts = purchase({ attributes });
    expect(read(facts, 'terminal_id_fraud_labels_7d')).toBe(3);
    expect(read(facts, 'terminal_id_fraud_last')).toBe(1);
    expect(read(facts, 'user_fraud_last')).toBeNaN();
    expect(read(facts, 'terminal_id_labels_7d')).toBe(5);
    expect(read(facts, 'terminal_id_fraud_share_7d')).toBeCloseTo(3.05 / 10);
    expect(read(facts, 'terminal_id_fraud_rate_1d')).toBeCloseTo(1.05 / 15);
    expect(read(facts, 'terminal_id_fraud_rate_7d')).toBeCloseTo(3.05 / 50);
    expect(read(facts, 'attribute_fraud_share_7d')).toBeCloseTo(4.05 / 9);
    expect(read(facts, 'email_labels_30d')).toBe(0);
    expect(read(facts, 'email_fraud_share_30d')).toBeNaN();
    expect(read(facts, 'email_fraud_rate_30d')).toBeNaN();
    expect(read(facts, 'phone_labels_30d')).toBeNaN();
    expect(read(purchase({ user: other }), 'user_fraud_labels_7d')).toBe(4);
  });

  it("compare an amount with the user's own in its currency, else with all in dollars", () => {
    const user = history(50, { earlier: 40 }, { amounts_by_currency: { JPY: amounts(40, 6000), EUR: amounts(1, 1) } });
    expect(read(purchase({ user }, { amount: 6000, currency: 'JPY' }), 'user_amount_surprise')).toBeCloseTo(0);
    expect(read(purchase({ user }, { amount: 40, currency: 'USD' }), 'user_amount_surprise')).toBeCloseTo(0);
    expect(
      Math.abs(read(purchase({ user }, { amount: 40, currency: 'EUR' }), 'user_amount_surprise') ?? 9),
    ).toBeLessThan(0.5);
  });

  it('know the hours of a user, an hour off is no surprise', () => {
    const at = (hours: readonly number[]) => read(purchase({ user: history(9, {}, { hours }) }), 'user_hour_share');
    expect(at([0, 0, 0, 0, 30, 0, 0, 0])).toBe(1);
    expect(at([0, 0, 0, 30, 0, 0, 0, 0])).toBe(1);
    expect(at([30, 0, 0, 0, 0, 0, 0, 0])).toBe(0);
    expect(at([5, 0, 0, 0, 0, 0, 0, 0])).toBeNaN();
  });

  it('measure time since events of the user, the latest of several', () => {
    const user = history(9, {}, { last_event_ms: { email_change: NOW_MS - DAY_MS, phone_change: NOW_MS - HOUR_MS } });
    expect(read(purchase({ user }), 'since_contact_change_s')).toBe(3600);
    expect(read(purchase({ user }), 'since_signup_s')).toBeNaN();
    expect(read(purchase(), 'weekday')).toBe(0);
    expect(read(purchase(), 'hour_utc')).toBe(14.5);
  });

  it('see the journey from the last place', () => {
    const user = history(9, {}, { ...KNOWN, last_place: { country: 'AU', network: 'other', at_ms: NOW_MS - HOUR_MS } });
    expect(read(purchase({ user }), 'travel_evidence')).toBe(2);
    expect(read(purchase({ user }), 'travel_kmh')).toBeGreaterThan(5000);
    expect(read(purchase({ user, ip: undefined }), 'travel_kmh')).toBeNaN();
  });
});

describe('the surprise of an amount', () => {
  it('is missing without amounts, cautious with one, sharp with many', () => {
    const ten = Math.log(400);
    expect(amountSurprise(ten, undefined)).toBeNaN();
    expect(amountSurprise(ten, amounts(0, 40))).toBeNaN();
    expect(amountSurprise(ten, amounts(1, 40))).toBeLessThan(2);
    expect(amountSurprise(ten, amounts(200, 40))).toBeGreaterThan(4);
  });
});
