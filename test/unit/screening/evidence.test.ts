import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { type WireItem, wireBytes, writeUnits } from '../../../bench/support/wire-size';
import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import type { DeskEntry } from '../../../shared/domain/cases/desk-change';
import { pseudonymsBy } from '../../../shared/domain/entities/pseudonyms';
import { transactionSubject } from '../../../shared/domain/screening/subjects/attempt-of';
import { openEvidence, sentEvidence } from '../../../shared/domain/screening/subjects/evidence';
import { masked } from '../../../shared/domain/screening/subjects/record-members';
import { newUlid } from '../../../shared/runtime/ids';
import { toScreening } from '../../../shared/store/screening/screening-reader';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import { lookAtEvidence } from '../../../shared/usecases/screening/look-at-evidence';
import { screened } from '../../support/webhooks/changes';

const NOW = Date.parse('2026-11-17T09:00:00.000Z');
const FIRST = new Uint8Array(32).fill(1);
const pseudonyms = pseudonymsBy([FIRST]);
const accountId = 'acc_1';
const IP = { country: 'US', asn: 16509, network: 'hosting' } as const;
const PAYMENT = transactionSubject({
  user_id: 'ann',
  amount: 90,
  currency: 'EUR',
  ip_address: '52.94.76.1',
  device_fingerprint: 'dv_7Qm2x',
  payment_method: 'card',
  billing_address: { country: 'DE' },
  references: ['order-1001'],
  custom_attributes: { colour: 'red', email: 'ann@example.com', cvc: '123', card_fingerprint: '4242 4242 4242 4242' },
});

const ulid = newUlid(NOW);
const kept = (settings = DEFAULT_SETTINGS, subject = PAYMENT) =>
  sentEvidence({ accountId, ulid, pseudonyms }, settings, subject, IP);
const opened = (sent: Uint8Array | undefined, by = pseudonyms, of = ulid) =>
  openEvidence({ accountId, pseudonyms: by }, sent === undefined ? { ulid: of } : { ulid: of, sent });

describe('what was sent', () => {
  it('comes back as far as it is kept, without secrets and whole card numbers', () => {
    expect(opened(kept().sent)).toEqual({
      ...{ ip_country: 'US', ip_asn: 16509, ip_network: 'hosting', payment_method: 'card', billing_country: 'DE' },
      ...{ ip_address: '52.94.76.1', device_fingerprint: 'dv_7Qm2x', references: ['order-1001'] },
      attributes: { card_fingerprint: '•••• 4242', email: 'ann@example.com', colour: 'red' },
    });
  });

  it('card numbers are masked in any text, however they are grouped, and no text with fewer digits changes', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 15, maxLength: 15 });
    const withCheckDigit = (first: string): string => {
      const doubled = [...first].map((digit, at) => Number(digit) * (at % 2 === 0 ? 2 : 1));
      const sum = doubled.reduce((total, each) => total + (each > 9 ? each - 9 : each), 0);
      return `${first}${(10 - (sum % 10)) % 10}`;
    };
    fc.assert(
      fc.property(digits, fc.constantFrom('', ' ', '-'), (first, between) => {
        const card = withCheckDigit(first);
        expect(masked(`card ${card.match(/.{4}/g)?.join(between)}, Visa`)).toBe(`card •••• ${card.slice(-4)}, Visa`);
      }),
    );
    const text = fc.string({ unit: fc.constantFrom(...'0123456789 -+', ...' -+xyz'.repeat(6)), maxLength: 140 });
    fc.assert(
      fc.property(text, (each) => {
        fc.pre(each.replace(/\D/g, '').length < 13);
        expect(masked(each)).toBe(each.slice(0, 128));
      }),
    );
    expect(masked('order 4242-4242-4-4242')).toBe('order •••• 4242');
    expect(masked('order 4242-4242-4242')).toBe('order 4242-4242-4242');
  });

  it.each([
    ...['+4915112345678', '+2348012345678', '+49 151 1234 56789', '20261118000123', 'order 4242424242424241'].map(
      (other) => [other, other],
    ),
    ...['4242424242424242', '4242-4242-4242-4242', 'card 4242424242424242, Visa', '+4242424242424242'].map((card) => [
      card,
      card.replace(/\+?[\d-]{16,}/, '•••• 4242'),
    ]),
    ['4242 4242 4242 4242 12', '•••• 4242 12'],
  ])('keeps the numbers of orders and phones, which are searched for: %s', (number, shown) => {
    const { attributes } = opened(kept(DEFAULT_SETTINGS, { ...PAYMENT, custom_attributes: { number } }).sent) ?? {};
    expect(attributes).toEqual({ number: shown });
  });

  it('is not kept where the account does not want it, nor what it must not observe', () => {
    expect(kept({ ...DEFAULT_SETTINGS, keep_evidence: false })).toEqual({});
    const { attributes } = opened(kept({ ...DEFAULT_SETTINGS, never_observed: ['email'] }).sent) ?? {};
    expect(Object.keys(attributes ?? {})).toEqual(['card_fingerprint', 'colour']);
  });

  it('names nobody at rest, and opens neither for another screening nor without the key', () => {
    const sent = kept().sent as Uint8Array;
    expect(Buffer.from(sent).toString('latin1')).not.toMatch(/ann|52\.94|order/);
    expect(opened(sent, pseudonyms, newUlid(NOW))?.ip_address).toBeUndefined();
    expect(opened(sent, pseudonymsBy([new Uint8Array(32).fill(2)]))?.ip_address).toBeUndefined();
    expect(opened(sent, pseudonymsBy([FIRST, new Uint8Array(32).fill(2)]))).toEqual(opened(sent));
  });

  it('cut off anywhere, is a beginning of itself', () => {
    const sent = kept().sent as Uint8Array;
    const whole = JSON.stringify(opened(sent));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: sent.length }), (length) => {
        const part = opened(sent.subarray(0, length)) ?? {};
        for (const value of Object.values(part)) if (typeof value !== 'object') expect(whole).toContain(String(value));
      }),
    );
  });

  it('never costs an allowed payment a write unit more, and is whole where somebody will look', () => {
    const units = (item: object) =>
      writeUnits(wireBytes(marshall(item, { removeUndefinedValues: true }) as unknown as WireItem));
    const long = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`key_${at}`, 'x'.repeat(40)]));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_200 }), fc.boolean(), (filler, isLong) => {
        const subject = isLong ? { ...PAYMENT, custom_attributes: long } : PAYMENT;
        const plain = screened(NOW, { ulid, automated_decision: 'allow', observed: new Uint8Array(filler) });
        const evidence = kept(DEFAULT_SETTINGS, subject);
        const item = screeningItem(accountId, { ...plain, ...evidence });
        expect(units(item)).toBe(units(screeningItem(accountId, plain)));
        const held = screeningItem(accountId, { ...plain, automated_decision: 'review', ...evidence });
        expect(held.sent).toEqual(evidence.sent);
        expect(units(held)).toBeLessThanOrEqual(units(item) + 1);
      }),
    );
    const usual = screeningItem(accountId, { ...screened(NOW, { ulid }), ...kept() });
    expect(opened(toScreening(usual).sent)?.references).toEqual(['order-1001']);
  });
});

describe('a look at it', () => {
  const record = { ...screened(NOW, { ulid }), ...kept() };
  const looks: DeskEntry[] = [];
  const deps = {
    clock: { now: () => NOW },
    newUlid,
    pseudonyms: () => pseudonyms,
    screenings: { find: async () => record },
    desk: { note: async (_account: string, _ulid: string, entry: DeskEntry) => void looks.push(entry) },
  };
  const look = (role: 'analyst' | 'readonly' | 'server') =>
    lookAtEvidence(
      deps,
      { account_id: accountId, key_id: 'key_1', settings: DEFAULT_SETTINGS, role },
      `dec_${ulid}`,
      'ana',
    );

  it('shows an analyst everything, and is on record', async () => {
    expect((await look('analyst')).evidence).toMatchObject({ ip_address: '52.94.76.1', references: ['order-1001'] });
    expect(looks).toMatchObject([{ kind: 'viewed', actor: 'ana', key_id: 'key_1', proven: false }]);
  });

  it.each(['readonly', 'server'] as const)('shows a %s key only what names nobody', async (role) => {
    looks.length = 0;
    const anonymous = { ip_country: 'US', ip_asn: 16509, ip_network: 'hosting', payment_method: 'card' };
    const seen = await look(role);
    expect(seen).toEqual({ evidence: { ...anonymous, billing_country: 'DE' }, isWithheld: true });
    expect(looks).toEqual([]);
  });
});
