import fc from 'fast-check';
import { bucketOf, observeAttributes } from '../../../shared/domain/screening/attributes/observe-attributes';
import {
  MAX_OBSERVED_BYTES,
  packObserved,
  unpackObserved,
} from '../../../shared/domain/screening/attributes/observed-codec';
import { roughNumber } from '../../../shared/domain/screening/attributes/rough-number';
import type { Subject } from '../../../shared/domain/screening/subjects/attempt-of';

const NOON = Date.parse('2026-03-02T12:00:00Z');
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
const numbers = (custom: Record<string, string>) =>
  Object.fromEntries(observeAttributes(payment(custom), NOON, undefined).map(({ name, number }) => [name, number]));

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
    expect(observed.at(-2)).toEqual({ name: 'attributes.basket_size', bucket: bucketOf('3'), number: 3 });
    expect(observed.at(-1)?.bucket).toBe(bucketOf('toys'));
  });

  it('takes numbers for numbers and dates for days ago, and nothing else', () => {
    expect(
      numbers({ a: '42', b: '-1.5', c: '+7', d: '0x1f', e: '1e3', f: ' 3', g: '12 eggs', h: '2026-02-20', i: '٣' }),
    ).toMatchObject({
      'attributes.a': 42,
      'attributes.b': -1.5,
      'attributes.c': 7,
      'attributes.d': Number.NaN,
      'attributes.e': Number.NaN,
      'attributes.f': Number.NaN,
      'attributes.g': Number.NaN,
      'attributes.h': 10.5,
      'attributes.i': Number.NaN,
    });
    expect(numbers({ a: '2026-99-99', b: '2026-02-20T06:00:00Z' })).toMatchObject({
      'attributes.a': Number.NaN,
      'attributes.b': 10.25,
    });
  });

  it('keeps of an e-mail its domain, its first letters and its digits, not the address', () => {
    const observed = observeAttributes(payment({ email: 'Mary.jane77@Mail.example' }), NOON, undefined);
    expect(observed.slice(1)).toEqual([
      { name: 'attributes.email.domain', bucket: bucketOf('mail.example'), number: 2 },
      { name: 'attributes.email.word', bucket: bucketOf('mary'), number: 11 },
    ]);
  });

  it('learns nothing from the spelling of a card or a telephone number', () => {
    expect(numbers({ card_fingerprint: 'c1', phone: '5855884205' })).toEqual({ currency: Number.NaN });
  });

  it('keeps of a long number about three and a half digits', () => {
    expect(roughNumber(5_855_884_205)).not.toBe(5_855_884_205);
    fc.assert(
      fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), (value) => {
        expect(Math.abs(roughNumber(value) - value)).toBeLessThanOrEqual(Math.abs(value) / 4096 + 1e-38);
      }),
    );
    expect([roughNumber(Number.NaN), roughNumber(1e60)]).toEqual([Number.NaN, Number.NaN]);
    expect([1984, 4095, 0, -3].map(roughNumber)).toEqual([1984, 4095, 0, -3]);
  });

  it('comes back from its bytes, within the bound, whatever was sent', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 64 });
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }), text), (custom) => {
        const observed = observeAttributes(payment(custom), NOON, { country: 'DE', network: 'other' });
        const packed = packObserved(observed);
        expect(packed.length).toBeLessThanOrEqual(MAX_OBSERVED_BYTES);
        expect(unpackObserved(packed)).toEqual(observed);
      }),
      { numRuns: 500 },
    );
  });
});
