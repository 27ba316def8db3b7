import fc from 'fast-check';
import { pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import { observationOf, observeAttributes } from '../../../shared/domain/screening/attributes/observe-attributes';
import {
  MAX_OBSERVED_BYTES,
  packObserved,
  roughBits,
  roughNumber,
  unpackObserved,
} from '../../../shared/domain/screening/attributes/observed-codec';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';

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
      { numRuns: 500 },
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
