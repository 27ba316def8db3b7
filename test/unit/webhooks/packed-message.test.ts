import { randomBytes } from 'node:crypto';
import { ordinaryScreening } from '../../../bench/support/ordinary-screening';
import { deliveryOf, eventDeliveryId } from '../../../shared/domain/webhooks/delivery';
import {
  eventsOf,
  messageOf,
  type StoredMessage,
  type WebhookEvent,
} from '../../../shared/domain/webhooks/webhook-event';
import { changeAnswer } from '../../../shared/http/presenters/change-answer';
import {
  MAX_PACKED_BYTES,
  packMessage,
  unpackBody,
  unpackMessage,
} from '../../../shared/store/webhooks/packed-message';
import { openCase, screened } from '../../support/changes';

const NOW = Date.UTC(2026, 2, 20, 10);
const TRACE = 'S_kvNXezTaajzpKdDg5HNgDwZ6oLqQK3AQ';

const CONTRIBUTIONS = [
  { signal: 'new_device', points: 15, detail: "First use of this device (the user's 2nd)" },
  { signal: 'velocity_spike', points: 10, detail: '9 transactions in 10 minutes; usual for this user: 1 per day' },
  { signal: 'model_risk', points: 3, detail: 'Model: 5 transactions in an hour (device)' },
];

const CHANGES = {
  'an ordinary payment': { kind: 'screened', account_id: 'acc', record: ordinaryScreening(NOW) },
  'a suspicious payment': {
    kind: 'screened',
    account_id: 'acc',
    record: screened(NOW, { automated_decision: 'review', risk_score: 71, contributions: CONTRIBUTIONS } as object),
  },
  'a case': { kind: 'case_opened', account_id: 'acc', reviewCase: openCase(NOW) },
} as const;

function messageOn(name: keyof typeof CHANGES): StoredMessage {
  const change = CHANGES[name];
  const [event] = eventsOf(change) as [WebhookEvent];
  return messageOf(event, changeAnswer(change, NOW), 'sandbox');
}

const deliveryOn = (message: StoredMessage) =>
  deliveryOf(message, { webhook_id: 'wh_1', origin: 'event' }, eventDeliveryId(message, 'wh_1'), NOW);

describe.each(Object.keys(CHANGES) as (keyof typeof CHANGES)[])('a message about %s', (name) => {
  it.each([undefined, TRACE])('is small, and comes back byte by byte (trace: %s)', (trace) => {
    const message = trace === undefined ? messageOn(name) : { ...messageOn(name), trace };
    const packed = packMessage(message) as Uint8Array;
    expect(packed.byteLength).toBeLessThan(message.body.byteLength / 2);
    expect(packed.byteLength).toBeLessThanOrEqual(MAX_PACKED_BYTES);
    const found = unpackMessage(deliveryOn(message), packed);
    expect({ ...found, body: Buffer.from(found.body) }).toEqual({ ...message, body: Buffer.from(message.body) });
  });
});

it('any bytes come back as they were', () => {
  for (let length = 0; length < 380; length += 7) {
    const body = randomBytes(length);
    const packed = packMessage({ body, trace: TRACE });
    if (packed) expect(Buffer.from(unpackMessage(deliveryOn(messageOn('a case')), packed).body)).toEqual(body);
    else expect(length).toBeGreaterThan(MAX_PACKED_BYTES - 60);
  }
});

it('what stays large needs an item of its own, however well it could be packed', () => {
  expect(packMessage({ body: randomBytes(MAX_PACKED_BYTES + 1) })).toBeUndefined();
  expect(packMessage({ body: Buffer.alloc(65_536, 'a') })).toBeUndefined();
});

// Fails when the dictionary changes: what is stored could no longer be read. Add another instead.
it('reads what was packed before', () => {
  const stored = Buffer.from('AeNCSWXevqYGIUEGBgRTGywloEWsOdBEAA==', 'base64');
  expect(unpackBody(stored)).toBe('{"id":"msg_01KM50TR00","type":"transaction.screened","data":{"user_id":"user-7"}}');
  expect(() => unpackBody(Buffer.concat([Buffer.of(9), stored.subarray(1)]))).toThrow('dictionary');
});
