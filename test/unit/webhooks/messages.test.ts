import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { ordinaryScreening } from '../../../bench/support/ordinary-screening';
import {
  deliveryOf,
  eventDeliveryId,
  isKeptDeliveryId,
  storedStatuses,
} from '../../../shared/domain/webhooks/delivery';
import { EVENT_TYPES, type WebhookEndpoint } from '../../../shared/domain/webhooks/webhook-endpoint';
import {
  type Change,
  eventsOf,
  listensTo,
  MAX_MESSAGE_BYTES,
  messageOf,
  type StoredMessage,
  serialiseMessage,
  type WebhookEvent,
  type WebhookMessage,
} from '../../../shared/domain/webhooks/webhook-event';
import { changeAnswer } from '../../../shared/http/presenters/desk-answer';
import { deliveryAnswer } from '../../../shared/http/presenters/webhook-answer';
import {
  MAX_PACKED_BYTES,
  packMessage,
  unpackBody,
  unpackMessage,
} from '../../../shared/store/webhooks/packed-message';
import { sized } from '../../support/sized';
import { listChange, openCase, ruleVersion, screened } from '../../support/webhooks/changes';

describe('packed message', () => {
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
    expect(unpackBody(stored)).toBe(
      '{"id":"msg_01KM50TR00","type":"transaction.screened","data":{"user_id":"user-7"}}',
    );
    expect(() => unpackBody(Buffer.concat([Buffer.of(9), stored.subarray(1)]))).toThrow('dictionary');
  });
});

describe('webhook event', () => {
  const NOW = Date.parse('2026-11-14T12:00:00.000Z');
  const account_id = 'acc_1';
  const review = {
    decision: 'allow',
    analyst_id: 'ana',
    notes: null,
    reviewed_at: '2026-11-14T13:00:00.000Z',
  } as const;
  const typesOf = (change: Change): string[] => eventsOf(change).map(({ type }) => type);

  describe('what a change fires', () => {
    it.each<[string, Change, string[]]>([
      ['a payment', { kind: 'screened', account_id, record: screened(NOW) }, ['transaction.screened']],
      [
        'a payment blocked',
        { kind: 'screened', account_id, record: screened(NOW, { automated_decision: 'block' }) },
        ['transaction.screened', 'transaction.decision.block'],
      ],
      [
        'a login, even a blocked one',
        { kind: 'screened', account_id, record: screened(NOW, { subject_type: 'event', automated_decision: 'block' }) },
        ['event.screened'],
      ],
      [
        'a review',
        { kind: 'reviewed', account_id, record: screened(NOW, { review, review_count: 1 }) },
        ['decision.reviewed'],
      ],
      ['a list changed', { kind: 'list_changed', account_id, listChange: listChange(NOW) }, ['list.changed']],
      ['a rule changed', { kind: 'rule_changed', account_id, version: ruleVersion(NOW) }, ['rule.changed']],
      ['a case opened', { kind: 'case_opened', account_id, reviewCase: openCase(NOW) }, ['case.created']],
      [
        'a case resolved',
        {
          kind: 'case_resolved',
          account_id,
          reviewCase: openCase(NOW, { status: 'approved', resolved_at: review.reviewed_at }),
        },
        ['case.resolved'],
      ],
    ])('%s', (_what, change, types) => {
      expect(typesOf(change)).toEqual(types);
    });

    it('a case is told as it was when it was opened, however late it is relayed', () => {
      const reviewCase = openCase(NOW - 30 * 86_400_000);
      const change = { kind: 'case_opened', account_id, reviewCase } as const;
      const [event] = eventsOf(change);
      expect(event?.occurredAtMs).toBe(reviewCase.created_at_ms);
      expect(changeAnswer(change, reviewCase.created_at_ms)).toMatchObject({ status: 'open', resolved_at: null });
    });

    it('happens when it happened, not when it is relayed', () => {
      const [event] = eventsOf({ kind: 'reviewed', account_id, record: screened(NOW, { review, review_count: 1 }) });
      expect(event?.occurredAtMs).toBe(Date.parse(review.reviewed_at));
    });
  });

  describe('a change of a rule', () => {
    const told = (change: Parameters<typeof ruleVersion>[1]) =>
      changeAnswer({ kind: 'rule_changed', account_id, version: ruleVersion(NOW, change) }, NOW);

    it('says what happened, and shows the version that it made', () => {
      const later = new Date(NOW + 5).toISOString();
      expect(told({})).toMatchObject({ change: 'created', name: 'gift-cards', expression: 'amount > 200', version: 1 });
      expect(told({ updated_at: later, version: 2, state: 'active' })).toMatchObject({
        change: 'updated',
        state: 'active',
      });
      expect(told({ updated_at: later, version: 3, deleted: true })).toMatchObject({ change: 'deleted', version: 3 });
      expect(told({})).not.toHaveProperty('tree');
    });

    it('is an event of its own per version', () => {
      const idOf = (version: number) => {
        const change = { kind: 'rule_changed', account_id, version: ruleVersion(NOW, { version }) } as const;
        const [event] = eventsOf(change);
        return event && messageOf(event, changeAnswer(change, NOW), 'sandbox').message_id;
      };
      expect(idOf(2)).toBe(idOf(2));
      expect(idOf(2)).not.toBe(idOf(3));
    });
  });

  describe('ids', () => {
    const event = (change: Partial<Parameters<typeof screened>[1]> = {}, account = account_id) =>
      eventsOf({
        kind: 'screened',
        account_id: account,
        record: screened(NOW, { ulid: '01J9Z3K8Q4V7W2X5Y6Z7A8B9C0', ...change }),
      })[0]!;

    it('of a message follow from the event, and differ with everything that tells events apart', () => {
      const id = (each: ReturnType<typeof event>): string => messageOf(each, {}, 'sandbox').message_id;
      expect(id(event())).toBe(id(event({ risk_score: 99 })));
      expect(id(event())).toMatch(/^msg_[0-9A-HJKMNP-TV-Z]{26}$/);
      const others = [
        event({}, 'acc_2'),
        event({ ulid: '01J9Z3K8Q4V7W2X5Y6Z7A8B9C1' }),
        { ...event(), type: 'transaction.decision.block' as const },
        { ...event(), number: 1 },
      ].map(id);
      expect(new Set([id(event()), ...others]).size).toBe(5);
    });

    it('of a delivery follow from message and endpoint, and sort by the time of the event', () => {
      const message = messageOf(event(), {}, 'sandbox');
      expect(eventDeliveryId(message, 'wh_1')).toBe(eventDeliveryId(message, 'wh_1'));
      expect(eventDeliveryId(message, 'wh_1')).not.toBe(eventDeliveryId(message, 'wh_2'));
      expect(eventDeliveryId(message, 'wh_1').slice(4, 14)).toBe(message.message_id.slice(4, 14));
    });

    it('of deliveries are good for 30 days', () => {
      const id = eventDeliveryId(messageOf(event(), {}, 'sandbox'), 'wh_1');
      expect(isKeptDeliveryId(id, NOW)).toBe(true);
      expect(isKeptDeliveryId(id, NOW + 30 * 86_400_000)).toBe(false);
      expect(isKeptDeliveryId(id.toLowerCase(), NOW)).toBe(false);
    });

    it('a message says which stage it comes from', () => {
      const livemode = (stage: 'sandbox' | 'production') =>
        JSON.parse(Buffer.from(messageOf(event(), {}, stage).body).toString()).livemode;
      expect([livemode('sandbox'), livemode('production')]).toEqual([false, true]);
    });
  });

  it('an endpoint hears of what it is subscribed to, while it is enabled, from its registration on', () => {
    const endpoint: WebhookEndpoint = {
      webhook_id: 'wh_1',
      url: 'https://example.com',
      events: ['transaction.screened'],
      label: null,
      status: 'enabled',
      created_at: new Date(NOW).toISOString(),
    };
    const [event] = eventsOf({ kind: 'screened', account_id, record: screened(NOW) }) as [
      ReturnType<typeof eventsOf>[0],
    ];
    expect(listensTo(endpoint, event)).toBe(true);
    expect(
      listensTo({ ...endpoint, events: EVENT_TYPES.filter((type) => type !== 'transaction.screened') }, event),
    ).toBe(false);
    expect(listensTo({ ...endpoint, status: 'disabled' }, event)).toBe(false);
    // A clock that is seconds behind must not cost an event; an hour is no clock's fault.
    expect(listensTo(endpoint, { ...event, occurredAtMs: NOW - 5_000 })).toBe(true);
    expect(listensTo(endpoint, { ...event, occurredAtMs: NOW - 3_600_000 })).toBe(false);
    expect(listensTo(endpoint, { ...event, type: 'webhook.test' })).toBe(false);
  });

  describe('a delivery as it is shown', () => {
    const [event] = eventsOf({ kind: 'screened', account_id, record: screened(NOW) }) as [
      ReturnType<typeof eventsOf>[0],
    ];
    const message = messageOf(event, {}, 'sandbox');
    const pending = deliveryOf(message, { webhook_id: 'wh_1', origin: 'event' }, eventDeliveryId(message, 'wh_1'), NOW);
    const disabledAt = '2026-11-15T00:00:00.000Z';

    it('is over from the instant its endpoint was disabled', () => {
      expect(deliveryAnswer(pending, undefined)).toMatchObject({ status: 'pending', reason: null, completed_at: null });
      expect(deliveryAnswer(pending, disabledAt)).toMatchObject({
        status: 'cancelled',
        reason: 'endpoint_disabled',
        completed_at: disabledAt,
        next_attempt_at: null,
      });
      const state = { status: 'delivered', attempt: 1, completed_at: '2026-11-14T12:00:01.000Z' } as const;
      expect(deliveryAnswer({ ...pending, state }, disabledAt)).toMatchObject({ status: 'delivered' });
    });

    it('is found under the status it is shown with', () => {
      expect(storedStatuses('pending', false)).toEqual(['pending']);
      expect(storedStatuses('pending', true)).toEqual([]);
      expect(storedStatuses('cancelled', true)).toEqual(['cancelled', 'pending']);
      expect(storedStatuses('failed', true)).toEqual(['failed']);
      expect(storedStatuses(undefined, true)).toHaveLength(4);
    });
  });
});

describe('webhook message', () => {
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
      { numRuns: sized(500, 125) },
    );
  });
});
