import fc from 'fast-check';
import {
  MAX_MESSAGE_BYTES,
  serialiseMessage,
  type WebhookMessage,
} from '../../../shared/domain/webhooks/webhook-message';

const MESSAGE: WebhookMessage = {
  id: 'msg_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0',
  type: 'transaction.screened',
  created_at: '2026-11-14T12:00:00.000Z',
  api_version: '2026-11-14',
  livemode: false,
  data: { transaction_id: 'txn_1', name: 'Zoë' },
};

const text = (message: WebhookMessage): string => {
  const result = serialiseMessage(message);
  return result.kind === 'message' ? Buffer.from(result.bytes).toString() : result.kind;
};

it('has exactly these members in this order', () => {
  const { data, ...rest } = MESSAGE;
  const wider = { data, ...rest, account_id: 'acc_secret' };
  expect(text(wider)).toBe(
    '{"id":"msg_01J9Z3K8Q4V7W2X5Y6Z7A8B9C0","type":"transaction.screened","created_at":"2026-11-14T12:00:00.000Z",' +
      '"api_version":"2026-11-14","livemode":false,"data":{"transaction_id":"txn_1","name":"Zoë"}}',
  );
});

it('allows 64 KB and not one byte more, in bytes and not in characters', () => {
  const padded = (padding: string) => serialiseMessage({ ...MESSAGE, data: { padding } });
  const empty = padded('');
  const room = MAX_MESSAGE_BYTES - (empty.kind === 'message' ? empty.bytes.byteLength : 0);
  expect(padded('x'.repeat(room)).kind).toBe('message');
  expect(padded('x'.repeat(room + 1))).toEqual({ kind: 'too_large', byteLength: MAX_MESSAGE_BYTES + 1 });
  expect(padded('€'.repeat(Math.floor(room / 3))).kind).toBe('message');
  expect(padded('€'.repeat(Math.floor(room / 3) + 1)).kind).toBe('too_large');
});

it('is valid UTF-8 that survives being kept as text, for any data', () => {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud800', '\udfff', '\uffff', '\ufeff', '🦊'),
  );
  fc.assert(
    fc.property(fc.dictionary(anyText, anyText, { maxKeys: 8 }), (data) => {
      const result = serialiseMessage({ ...MESSAGE, data });
      if (result.kind !== 'message') throw new Error(result.kind);
      const kept = strict.decode(result.bytes);
      expect(Buffer.from(kept).equals(result.bytes)).toBe(true);
      expect(JSON.parse(kept)).toEqual({ ...MESSAGE, data: JSON.parse(JSON.stringify(data)) });
    }),
    { numRuns: 500 },
  );
});
