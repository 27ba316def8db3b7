import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import type { EntityHistory } from '../../../shared/domain/entities/entity-history';
import { pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import { stoppedMark } from '../../../shared/domain/entities/stopped-mark';
import { observationOf, observeAttributes } from '../../../shared/domain/screening/attributes/observe-attributes';
import {
  MAX_OBSERVED_BYTES,
  packObserved,
  roughBits,
  roughNumber,
  unpackObserved,
} from '../../../shared/domain/screening/attributes/observed-codec';
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
import { isUnlabelled } from '../../../shared/domain/screening/features/label-features';
import type { ScreeningFacts } from '../../../shared/domain/screening/screening-facts';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';
import { packVector, unpackVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import { readEntity } from '../../../shared/store/entities/read-entity';
import { gatherFacts } from '../../../shared/usecases/screening/gather-facts';
import {
  amounts,
  DAY_MS,
  event,
  HOUR_MS,
  history,
  KNOWN,
  NOW_MS,
  purchase,
} from '../../support/screening/build-history';
import { sized } from '../../support/sized';
import { payment, preparedOf, readingsOfNone } from '../../support/traffic/payment';

describe('features', () => {
  const read = (facts: ScreeningFacts, name: FeatureName) => extractFeatures(facts)[featureSlot(name)];

  const hashOf = (names: readonly string[]) => createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 12);

  describe('the vector', () => {
    it('keeps the slots of every version: append, never move or rename (then add a hash and raise FEATURE_VERSION)', () => {
      expect(FEATURE_VERSION).toBe(14);
      expect(FEATURE_NAMES.length).toBe(381);
      expect(hashOf(FEATURE_NAMES.slice(0, 126))).toBe('0ae4d368538d');
      expect(hashOf(FEATURE_NAMES.slice(0, 255))).toBe('a91bd6977b49');
      expect(hashOf(FEATURE_NAMES.slice(0, 266))).toBe('3583e4c91680');
      expect(hashOf(FEATURE_NAMES.slice(0, 277))).toBe('370af2a8d4b8');
      expect(hashOf(FEATURE_NAMES.slice(0, 294))).toBe('b57bc4ed9860');
      expect(hashOf(FEATURE_NAMES.slice(0, 299))).toBe('d2f875741e65');
      expect(hashOf(FEATURE_NAMES.slice(0, 304))).toBe('12ab97d52724');
      expect(hashOf(FEATURE_NAMES.slice(0, 306))).toBe('9ba311e5d3e2');
      expect(hashOf(FEATURE_NAMES.slice(0, 314))).toBe('8d4e8a28cb78');
      expect(hashOf(FEATURE_NAMES.slice(0, 320))).toBe('7616139c3c94');
      expect(hashOf(FEATURE_NAMES.slice(0, 371))).toBe('12605937e00a');
      expect(hashOf(FEATURE_NAMES.slice(0, 377))).toBe('f7f8c21755e7');
      expect(hashOf(FEATURE_NAMES.slice(0, 379))).toBe('91dbbbf327e8');
      expect(hashOf(FEATURE_NAMES)).toBe('3b3ffeedbe39');
    });

    it('counts what was tried and stopped within a day: a stop does not make the next attempt of a spree look smaller', () => {
      const tried = (amount: number, hoursAgo: number) => {
        const facts = purchase({}, { amount, amount_usd: amount, at_ms: NOW_MS - hoursAgo * HOUR_MS });
        return stoppedMark({ attempt: facts.attempt, refs: [] }, undefined, 90);
      };
      const by = (undecided: readonly string[]) => {
        const user = history(300, { within24h: 2, within30d: 40 }, { stopped_marks: { undecided, rejected: [] } });
        const facts = purchase({ user }, { amount: 20, amount_usd: 20 });
        return { sum: read(facts, 'user_tried_24h_usd'), largest: read(facts, 'user_tried_largest_24h_ln') };
      };
      expect(by([])).toEqual({ sum: 100, largest: Number.NaN });
      const during = by([tried(986, 3), tried(754, 9), tried(5_000, 60)]);
      expect(during.sum).toBeGreaterThan(0.8 * 1_840);
      expect(during.sum).toBeLessThan(1.2 * 1_840);
      expect(Math.abs((during.largest as number) - Math.log(986))).toBeLessThan(0.2);
    });

    it('knows what was stopped within a day and a week, and at home only what was stopped on the same device', () => {
      const stopped = (score: number, hoursAgo: number, device = 'd1') => {
        const facts = purchase({}, { device, at_ms: NOW_MS - hoursAgo * HOUR_MS });
        return stoppedMark({ attempt: facts.attempt, refs: [] }, undefined, score);
      };
      const by = (undecided: readonly string[], rejected: readonly string[], device = 'd1') => {
        const own_device =
          device === 'home' ? { text: undefined, since_ms: NOW_MS - 60 * DAY_MS, crowd: undefined } : undefined;
        const user = history(300, { within30d: 40 }, { stopped_marks: { undecided, rejected }, own_device });
        const facts = purchase({ user }, { device });
        return [read(facts, 'user_stopped_score_24h'), read(facts, 'user_stopped_score_7d')];
      };
      expect(by([], [])).toEqual([0, 0]);
      expect(by([stopped(70, 3), stopped(88, 60), stopped(99, 300)], [])).toEqual([70, 88]);
      // Confirmed, it is what it was.
      expect(by([stopped(70, 3)], [stopped(88, 60)])).toEqual([70, 88]);
      expect(by([stopped(70, 3, 'other')], [], 'home')).toEqual([0, 0]);
      expect(by([stopped(70, 3, 'other')], [], 'third')).toEqual([70, 70]);
      expect(by([stopped(70, 3, 'home')], [], 'home')).toEqual([70, 70]);
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
      expect(read(purchase({ user }, { amount: 100, currency: 'EUR' }), 'user_amount_24h_usd')).toBeCloseTo(
        200 + 116.5,
      );
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
      const user = history(
        50,
        { earlier: 40 },
        { amounts_by_currency: { JPY: amounts(40, 6000), EUR: amounts(1, 1) } },
      );
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
      const user = history(
        9,
        {},
        { ...KNOWN, last_place: { country: 'AU', network: 'other', at_ms: NOW_MS - HOUR_MS } },
      );
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
});

it('a label that was taken back in another bucket is not the same as none', () => {
  const none = { labelled: 0, fraud: 0 };
  const recent = (week: typeof none) => ({ recent_labels: { '1d': none, '7d': week, '30d': none } });
  expect(isUnlabelled(recent(none))).toBe(true);
  expect(isUnlabelled(recent({ labelled: 1, fraud: -1 }))).toBe(false);
});

describe('the packed feature vector', () => {
  it('gives back every value bit for bit, missing ones as missing', () => {
    const value = fc.oneof(fc.constantFrom(Number.NaN, 0, -0, 1), fc.float({ noNaN: true }));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 300 }), (values) => {
        const vector = Float32Array.from(values);
        expect(Array.from(unpackVector(packVector(vector)))).toEqual(Array.from(vector));
      }),
    );
  });

  it('gives back a history of many numbers, however often each comes', () => {
    const few = fc.constantFrom(Number.NaN, 0, 1, 2, 7, 127, 128, 0.01, -0, -3, 1e-9, 86_400);
    const many = fc.integer({ min: 0, max: 400 }).map((at) => at / 8);
    fc.assert(
      fc.property(fc.array(fc.oneof(few, many), { minLength: 250, maxLength: 400 }), (values) => {
        const vector = Float32Array.from(values);
        expect(Array.from(unpackVector(packVector(vector)))).toEqual(Array.from(vector));
      }),
    );
  });

  it('is refused if it is cut short anywhere', () => {
    const few = fc.constantFrom(Number.NaN, 0, 1, 2, 0.5, -3);
    fc.assert(
      fc.property(fc.array(few, { minLength: 1, maxLength: 60 }), fc.nat(), (values, cut) => {
        const packed = packVector(Float32Array.from(values));
        expect(() => unpackVector(packed.subarray(0, cut % packed.length))).toThrow('is cut short');
      }),
    );
  });

  it('costs nothing for a long gap, two bits for 0 or 1, a byte for a small number or one that came before', () => {
    const lengthOf = (value: number) => packVector(new Float32Array(256).fill(value)).length;
    const [head, map, codes] = [2, 8, 64];
    expect(lengthOf(Number.NaN)).toBe(head + map);
    for (const value of [0, 1]) expect(lengthOf(value)).toBe(head + map + codes);
    expect(lengthOf(7)).toBe(head + map + codes + 256);
    expect(lengthOf(0.5)).toBe(head + map + codes + 4 + 256);
  });

  it('still reads what the second version wrote: all codes, and floats', () => {
    const floats = Buffer.concat([2.5, 7, 0.25].map((value) => Buffer.from(Float32Array.of(value).buffer)));
    const packed = Buffer.concat([Buffer.from([6, 0x80, 0b11100100, 0b1111]), floats]);
    expect(Array.from(unpackVector(packed))).toEqual([Number.NaN, 0, 1, 2.5, 7, 0.25]);
  });

  it('still reads what the first version wrote', () => {
    const [missing, ...values] = [Number.NaN, 0, 1, 2.5, -0, 7, 0, 1, 0.25];
    const floats = Buffer.concat(values.map((value) => Buffer.from(Float32Array.of(value).buffer)));
    const packed = Buffer.concat([Buffer.from([9, 0, 0b11111110, 0b1]), floats]);
    expect(Array.from(unpackVector(packed))).toEqual([missing, ...values]);
  });
});

describe('gather facts', () => {
  /** The facts of a payment of which the entities of these names did not respond. */
  function factsWithout(silent: readonly string[], subject: Subject = payment()) {
    const prepared = preparedOf(subject);
    const { attempt, refs } = prepared;
    const historyOf = (kind: Parameters<typeof readEntity>[0]): EntityHistory =>
      readEntity(kind, undefined, attempt).history;
    const recorded = refs
      .filter(({ name }) => !silent.includes(name))
      .map((ref) => ({ ref, history: historyOf(ref.kind), trim: undefined }));
    return gatherFacts(prepared, { ...readingsOfNone(prepared), histories: { recorded, missing: [] } }, []);
  }

  it('has the history of everybody who took part', () => {
    const facts = factsWithout([]);
    expect([facts.user, facts.device, facts.ip_history].every((history) => history !== undefined)).toBe(true);
    expect(facts.attributes).toMatchObject([{ key: 'card_fingerprint', history: { transactions: { total: 0 } } }]);
    expect(facts).toMatchObject({ account_id: 'acc_1', has_billing_address: false, attempt: { amount: 25 } });
  });

  it('leaves out who did not respond, and nobody else', () => {
    const facts = factsWithout(['device', 'card_fingerprint']);
    expect([facts.user === undefined, facts.device, facts.ip_history === undefined]).toEqual([false, undefined, false]);
    expect(facts.attributes).toEqual([{ key: 'card_fingerprint', history: undefined }]);
  });

  it('knows an agent only of a request that names one', () => {
    expect(factsWithout([])).not.toHaveProperty('agent_verified');
    const agent = { operator: 'shopper.example', key_id: 'k1', verified: true };
    expect(factsWithout([], payment({ agent }))).toMatchObject({ agent_verified: true });
  });
});

describe('observe attributes', () => {
  const NOON = Date.parse('2026-03-02T12:00:00Z');
  const STAGE = { pseudonyms: pseudonymsBy([new Uint8Array(32).fill(5)]) };
  const { bucketOf } = STAGE.pseudonyms;
  const payment = (custom_attributes: Record<string, string>, over: Partial<Subject> = {}): Subject => ({
    subject_type: 'transaction',
    action: 'transaction',
    outcome: 'succeeded',
    user_id: 'u',
    amount: 5,
    currency: 'EUR',
    custom_attributes,
    ...over,
  });
  const observe = (custom: Record<string, string>, never_observed?: string[]) =>
    observeAttributes(payment(custom), NOON, undefined, { ...STAGE, never_observed }).slice(1);
  const numbers = (custom: Record<string, string>) =>
    Object.fromEntries(observe(custom).map(({ name, number }) => [name, number]));
  const category = (name: string, value: string) => ({ name, bucket: bucketOf(name, value), number: Number.NaN });
  const counted = (name: string, number: number) => ({ name, bucket: roughBits(number), number });

  describe('what is observed of an attempt', () => {
    it('is every attribute, the address, currency, method, where the IP is, and the local hour', () => {
      const observed = observeAttributes(
        payment(
          { basket_size: '3', merchant_category: 'toys' },
          {
            payment_method: 'card',
            billing_address: { city: 'Ulm', state: 'BW', postal_code: '89073', country: 'DE' },
          },
        ),
        NOON,
        { country: 'JP', asn: 2516, network: 'other' },
        STAGE,
      );
      expect(observed.map(({ name }) => name)).toEqual([
        'currency',
        'payment_method',
        'billing.country',
        'billing.state',
        'billing.city',
        'billing.postal_code',
        'ip.country',
        'ip.network',
        'local_hour',
        'attributes.basket_size',
        'attributes.merchant_category',
      ]);
      expect(observed.find(({ name }) => name === 'local_hour')?.number).toBeCloseTo(12.7, 1);
      expect(observed.at(-2)).toEqual(counted('attributes.basket_size', 3));
      expect(observed.at(-1)).toEqual(category('attributes.merchant_category', 'toys'));
      expect(observed.at(5)).toEqual(category('billing.postal_code', '89073'));
    });

    it('takes short numbers for numbers and recent dates for days ago, and nothing else', () => {
      expect(
        numbers({
          a: '42',
          b: '-1.5',
          c: '+7',
          d: '0x1f',
          e: '1e3',
          f: ' 3',
          g: '12 eggs',
          h: '2026-02-20',
          i: '\u0663',
        }),
      ).toEqual({
        'attributes.a': 42,
        'attributes.b': -1.5,
        'attributes.c': 7,
        'attributes.d': Number.NaN,
        'attributes.e': Number.NaN,
        'attributes.f': 3,
        'attributes.g': Number.NaN,
        'attributes.h': 10.5,
        'attributes.i': Number.NaN,
      });
      expect(numbers({ a: '2026-99-99', b: '2026-02-20T06:00:00Z' })).toEqual({
        'attributes.a': Number.NaN,
        'attributes.b': 10.25,
      });
    });

    it('is a category or a number, never both', () => {
      const texts = fc.oneof(
        fc.string({ maxLength: 12 }),
        fc.double().map(String),
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      );
      fc.assert(
        fc.property(texts, (value) => {
          fc.pre(!value.includes('@'));
          for (const { name, bucket, number } of observe({ a: value })) {
            const isCategory = Number.isNaN(number);
            expect(bucket).toBe(isCategory ? bucketOf(name, value.trim()) : roughBits(number));
          }
        }),
      );
    });

    it('keeps of an e-mail its domain, its first letters, how many digits and how long, not the address', () => {
      expect(observe({ email: 'Mary.jane77@Mail.example' })).toEqual([
        category('attributes.email.domain', 'mail.example'),
        category('attributes.email.word', 'mary'),
        counted('attributes.email.digits', 2),
        counted('attributes.email.length', 11),
      ]);
    });

    it('is nothing of what its key calls personal, or what the account names', () => {
      const personal = [
        'card_fingerprint',
        'phone',
        'ssn',
        'tax_id',
        'date_of_birth',
        'dob',
        'cardNumber',
        'iban',
        'cvv',
      ];
      expect(observe(Object.fromEntries(personal.map((key) => [key, '1'])))).toEqual([]);
      expect(personal.map(observationOf)).toEqual(personal.map(() => 'never'));
      expect(observe({ loyalty: 'gold', basket: '3' }, ['loyalty'])).toEqual([counted('attributes.basket', 3)]);
    });

    it('takes digits under the key of a code for a category', () => {
      expect(observe({ merchant_id: '17', mcc: '5411', card_bin: '400000' })).toEqual([
        category('attributes.merchant_id', '17'),
        category('attributes.mcc', '5411'),
        category('attributes.card_bin', '400000'),
      ]);
    });

    it('keeps of a number about two and a half digits', () => {
      fc.assert(
        fc.property(fc.double({ min: -1e5, max: 1e5, noNaN: true }), (value) => {
          expect(Math.abs(roughNumber(value) - value)).toBeLessThanOrEqual(Math.abs(value) / 256 + 1e-38);
        }),
      );
      expect([roughNumber(Number.NaN), roughNumber(1e60)]).toEqual([Number.NaN, Number.NaN]);
      expect([198, 255, 0, -3, 0.5].map(roughNumber)).toEqual([198, 255, 0, -3, 0.5]);
    });

    it('comes back from its bytes, within the bound, whatever was sent', () => {
      const text = fc.string({ unit: 'grapheme', maxLength: 64 });
      fc.assert(
        fc.property(fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }), text), (custom) => {
          const observed = observeAttributes(payment(custom), NOON, { country: 'DE', network: 'other' }, STAGE);
          const packed = packObserved(observed);
          expect(packed.length).toBeLessThanOrEqual(MAX_OBSERVED_BYTES);
          expect(unpackObserved(packed)).toEqual(observed);
        }),
        { numRuns: sized(500, 125) },
      );
    });

    it('reads as nothing if it was stored before values were keyed', () => {
      // `currency` in a bucket, and an attribute `n` with a bucket and a number.
      expect(unpackObserved(Buffer.from([0, 0, 1, 2, 0x81, 110, 3, 4, 0, 0, 64]))).toEqual([]);
    });
  });

  describe('somebody with the table but without the key', () => {
    /** How many of the candidates fit what was stored, if the attacker tries them with a key of their own. */
    const fitting = (key: string, stored: string, candidates: readonly string[]): number => {
      const [found] = observe({ [key]: stored });
      expect(found?.number).toBeNaN();
      const guess = pseudonymsBy([new Uint8Array(32)]);
      return candidates.filter((each) => guess.bucketOf(`attributes.${key}`, each) === found?.bucket).length;
    };
    const days = Array.from({ length: 36_525 }, (_, n) => new Date(n * 86_400_000 - 2e12).toISOString().slice(0, 10));
    const ssns = Array.from({ length: 20_000 }, (_, n) => `123${String(n * 50).padStart(6, '0')}`);

    it.each([
      ['a date of birth', 'since', '1931-05-17', days],
      ['the same as digits', 'since', '19310517', days.map((day) => day.replaceAll('-', ''))],
      ['a social security number', 'document', '123001550', ssns],
      ['the same with hyphens', 'document', '123-00-1550', ssns.map((n) => n.replace(/^(...)(..)/, '$1-$2-'))],
    ])('does not find %s by trying them all', (_, key, stored, candidates) => {
      expect(candidates).toContain(stored);
      // As many fit as of any other list: one in 65,536. With the right key, the stored value would always fit.
      expect(fitting(key, stored, candidates)).toBeLessThan(8);
      expect(fitting(key, stored, [stored])).toBe(0);
    });
  });
});
