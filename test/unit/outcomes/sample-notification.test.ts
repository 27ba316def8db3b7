import { sampleNotification } from '../../../bin/notify/sample-notification';
import { isFromAdyen, readAdyen } from '../../../shared/domain/outcomes/processors/adyen';
import { isFromStripe, readStripe } from '../../../shared/domain/outcomes/processors/stripe';

const nowMs = Date.UTC(2026, 2, 1);
const KINDS = [
  ['dispute', 'chargeback'],
  ['won', 'dispute_won'],
  ['warning', 'early_fraud_warning'],
] as const;

it.each(KINDS)('a sample %s of Stripe is signed and reads as %s', (kind, type) => {
  const secret = 'whsec_0123456789abcdef';
  const { body, headers } = sampleNotification({ provider: 'stripe', kind, reference: 'pi_1', secret, nowMs });
  expect(isFromStripe(body, headers['Stripe-Signature'], secret, nowMs)).toBe(true);
  expect(readStripe(body)).toMatchObject([{ type, references: ['pi_1'] }]);
});

it.each(KINDS)('a sample %s of Adyen is signed and reads as %s', (kind, type) => {
  const secret = 'ab'.repeat(32);
  const { body } = sampleNotification({ provider: 'adyen', kind, reference: 'PAYMENT1', secret, nowMs });
  expect(isFromAdyen(body, secret)).toBe(true);
  expect(readAdyen(body)).toMatchObject([{ type, references: expect.arrayContaining(['PAYMENT1']) }]);
});

it('knows no other events', () => {
  const unknown = { provider: 'stripe', kind: 'constructor', reference: 'r', secret: 's', nowMs } as const;
  expect(() => sampleNotification(unknown)).toThrow('Unknown event');
});

it('gives two events of one second ids of their own, since a repeated id is a repeated delivery', () => {
  const idOf = (kind: string, reference: string): string => {
    const { body } = sampleNotification({ provider: 'stripe', kind, reference, secret: 'whsec', nowMs: 1_000 });
    return JSON.parse(body).id;
  };
  const ids = [idOf('dispute', 'pi_1'), idOf('dispute', 'pi_2'), idOf('won', 'pi_1'), idOf('warning', 'pi_1')];
  expect(new Set(ids).size).toBe(4);
  expect(idOf('dispute', 'pi_1')).toBe(ids[0]);
});
