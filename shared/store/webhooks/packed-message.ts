import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ulidTimeMs } from '../../domain/ulid';
import type { Delivery } from '../../domain/webhooks/delivery';
import { MAX_MESSAGE_BYTES, type StoredMessage } from '../../domain/webhooks/webhook-event';

/**
 * A delivery that succeeds at the first attempt has some 560 bytes besides its message: with this much more, each of its
 * three writes is still one write unit.
 */
export const MAX_PACKED_BYTES = 400;

/**
 * Text that messages share, for deflate to refer to; the most frequent comes last, where references are
 * shortest. Stored messages can only be read with the text that they were packed with: never change it. Another one gets
 * the next number, and this one stays for as long as messages do.
 */
const FIRST_DICTIONARY = [
  '"what_if":[{"change":"known_device","decision":"allow"},{"change":"without_signal","signal":"',
  'case.resolved","case.created","decision.reviewed","event.screened","transaction.decision.block","list.changed',
  '"case_id":"case_01","subject_type":"event","subject_type":"transaction","subject_id":"txn_01","status":"open"',
  '"status":"approved","status":"rejected","expires_at":"2026-12-","resolved_at":null,"resolved_by":null,"notes":null',
  '"reason_code":"","assignee":null,"claimed_until":null,"comments":0,"device":null}}',
  '"automated_decision":"review","shadow_rules":[],"decided_at":"","review":{"reviewed_at":"","reviewed_by":"',
  '"event_id":"evt_01","event_type":"login","decision":"block","decision":"review","risk_level":"elevated"',
  '"risk_level":"critical","risk_level":"high","decided_by":{"kind":"rule","name":"","decided_by":{"kind":"list","name":"',
  'device_switching ip_mismatch anonymous_ip amount_anomaly trusted_history shared_device shared_ip unusual_hour',
  'new_account_burst prior_fraud attribute_risk card_testing_pattern impossible_travel first_use_high_amount',
  ' transactions in 10 minutes with one tracked attribute, as many as in 25 usual days',
  '"detail":"First use of this device (the user\'s 2nd)","detail":" transactions in an hour; usual for this user: 1 per day',
  '{"signal":"new_device","points":15,"detail":"},{"signal":"velocity_spike","points":10,"detail":"},',
  '{"signal":"model_risk","points":2,"detail":"Model: device first seen moments ago; data-centre IP; (device)"}]},',
  '{"id":"msg_01","type":"transaction.screened","created_at":"2026-11-17T08:58:37.857Z","api_version":"2026-11-14",',
  '"livemode":true,"livemode":false,"data":{"transaction_id":"txn_01","decision_id":"dec_01","user_id":"user-',
  '","amount":9.99,"currency":"USD","currency":"EUR","risk_score":5,"risk_level":"low","decision":"allow",',
  '"decided_by":{"kind":"score","name":null},"rules":[],"lists":[],"signals":["new_device","velocity_spike","model_risk"],',
  '"signals":[],"explanation":{"base":5,"contributions":[{"signal":"","points":,"detail":""}]},',
  '"model_version":"base-","case_id":null,"screened_at":"2026-11-17T08:58:37.857Z"}}',
].join('');

/** By the number in the first byte of what is stored. */
const DICTIONARIES: ReadonlyMap<number, Buffer> = new Map([[1, Buffer.from(FIRST_DICTIONARY)]]);
const NEWEST = 1;

const dictionaryOf = (number: number | undefined): Buffer => {
  const dictionary = DICTIONARIES.get(number ?? 0);
  if (!dictionary) throw new Error(`A message was packed with a dictionary that is not known: ${number}`);
  return dictionary;
};

/** Memory for a text of 8 KB: most of what packing takes is to clear it. */
const WINDOW_BYTES = 8_192;
const SMALL = { level: 9, windowBits: 13, memLevel: 5 } as const;

/** A message in few enough bytes to be stored with each of its deliveries; undefined if it needs its own item. */
export function packMessage({ body, trace }: Pick<StoredMessage, 'body' | 'trace'>): Uint8Array | undefined {
  if (body.byteLength > WINDOW_BYTES) return undefined;
  const plain = Buffer.concat([Buffer.from(`${trace ?? ''}\n`), body]);
  const deflated = deflateRawSync(plain, { ...SMALL, dictionary: dictionaryOf(NEWEST) });
  const packed = Buffer.concat([Buffer.of(NEWEST), deflated]);
  return packed.byteLength > MAX_PACKED_BYTES ? undefined : packed;
}

const TRACE_BYTES = 34;

function unpack(packed: Uint8Array): { readonly body: Buffer; readonly trace: string } {
  const plain = inflateRawSync(packed.subarray(1), {
    dictionary: dictionaryOf(packed[0]),
    maxOutputLength: MAX_MESSAGE_BYTES + TRACE_BYTES + 1,
  });
  const end = plain.indexOf('\n');
  return { trace: plain.toString('latin1', 0, end), body: plain.subarray(end + 1) };
}

/** The body that a merchant receives, as text. */
export const unpackBody = (packed: Uint8Array): string => unpack(packed).body.toString();

export function unpackMessage(delivery: Delivery, packed: Uint8Array): StoredMessage {
  const { body, trace } = unpack(packed);
  const { message_id, account_id, event_type } = delivery;
  // A message's ID has the time of its event.
  const created_at = new Date(ulidTimeMs(message_id.slice('msg_'.length))).toISOString();
  const message = { message_id, account_id, event_type, created_at, body };
  return trace === '' ? message : { ...message, trace };
}
