import { RULE_ACTIONS, RULE_STATES, SCREENED_KINDS } from '../../shared/domain/rules/rule';
import type { EVENT_TYPES } from '../../shared/domain/webhooks/webhook-endpoint';

type Json = Record<string, unknown>;

type MessageType = (typeof EVENT_TYPES)[number] | 'webhook.test';

const text = (description: string, example: unknown, more: Json = { type: 'string' }): Json => ({
  ...more,
  description,
  examples: [example],
});

const object = (properties: Json): Json => ({ type: 'object', properties, required: Object.keys(properties) });

/** When each message is sent, and the schema of its data. */
const MESSAGES: Readonly<Record<MessageType, readonly [when: string, data: string | Json]>> = {
  'transaction.screened': ['A transaction was screened.', 'Transaction'],
  'transaction.decision.block': ['A transaction was blocked.', 'Transaction'],
  'event.screened': ['An event was screened.', 'ScreenedEvent'],
  'case.created': ['A review case was opened.', 'Case'],
  'case.resolved': ['A review case was approved or rejected.', 'Case'],
  'decision.reviewed': ['A person reviewed a decision.', 'Decision'],
  'list.changed': [
    'A list or its entries changed. No value of it is sent.',
    object({
      name: text('The name of the list.', 'blocked_devices'),
      type: text('What it is a list of.', 'device_fingerprint'),
      effect: text('What a match does.', 'block'),
      change: text('What happened to it.', 'entries', {
        type: 'string',
        enum: ['created', 'updated', 'deleted', 'entries'],
      }),
      added: text('How many entries were added.', 2, { type: 'integer' }),
      updated: text('How many entries were changed.', 0, { type: 'integer' }),
      removed: text('How many entries were removed.', 1, { type: 'integer' }),
      changed_at: text('When it changed.', '2026-11-14T09:30:00.000Z', { type: 'string', format: 'date-time' }),
      changed_by: text('The person, the ID of the key, or `expiry`.', 'ana.silva'),
    }),
  ],
  'rule.changed': [
    'A rule was created, changed or deleted. `data` is the version that this made.',
    object({
      change: text('What happened to it.', 'updated', { type: 'string', enum: ['created', 'updated', 'deleted'] }),
      name: text('The name of the rule.', 'gift-cards'),
      expression: text('The condition.', 'attr.category == "gift_card" && amount > 200'),
      action: text('What follows if it holds.', 'review', { type: 'string', enum: RULE_ACTIONS }),
      points: text('What it adds to the score; null unless the action is `points`.', null, {
        type: ['integer', 'null'],
      }),
      priority: text('Among rules of equal strength the lower one names the decision.', 500, { type: 'integer' }),
      state: text('Whether it acts.', 'active', { type: 'string', enum: RULE_STATES }),
      rollout_percent: text('The share of users that it applies to.', 10, { type: 'integer' }),
      applies_to: text('What it applies to.', ['transaction'], {
        type: 'array',
        items: { type: 'string', enum: SCREENED_KINDS },
      }),
      expires_at: text('When it ends; null: never.', null, { type: ['string', 'null'], format: 'date-time' }),
      note: text('Why the account has it.', 'Gift cards are resold within minutes', { type: ['string', 'null'] }),
      override_labels: text('Whether its `allow` also beats a confirmed fraud.', false, { type: 'boolean' }),
      version: text('1, 2, …: rises with every change.', 3, { type: 'integer' }),
      created_at: text('When it was created.', '2026-11-12T08:00:00.000Z', { type: 'string', format: 'date-time' }),
      updated_at: text('When it changed.', '2026-11-14T09:30:00.000Z', { type: 'string', format: 'date-time' }),
      updated_by: text('The person, or the ID of the key.', 'ana.silva'),
    }),
  ],
  'webhook.test': [
    'You asked for a test.',
    object({
      webhook_id: text('The ID of the webhook endpoint.', 'wh_01K9ZC3V5T8QJ4M2N6P7R8S9TB'),
      text: text('A greeting.', 'This is a test of your webhook endpoint.'),
    }),
  ],
};

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const HEADERS = [
  header('webhook-id', 'The ID of the message: the same on every attempt. Remember the ones you have handled.'),
  header('webhook-timestamp', 'When this attempt was signed, in seconds since 1970.'),
  header('webhook-signature', 'The signature by Standard Webhooks: `v1,` and an HMAC-SHA-256 in Base64.'),
  header('X-Service-Signature', 'The same in Stripe’s form: `t=…,v1=…`.'),
];

/** The `webhooks` of the OpenAPI document: what your endpoint receives. */
export function webhookEvents(apiVersion: string): Json {
  return Object.fromEntries(
    Object.entries(MESSAGES).map(([type, [when, data]]) => {
      const described = typeof data === 'string' ? { $ref: `#/components/schemas/${data}` } : data;
      const properties = {
        id: text('The ID of the message.', 'msg_01K9ZC3V5T3ZB8HQ6M1E5KDW7P'),
        type: text('The type of the event.', type, { const: type }),
        created_at: text('When it happened.', '2026-11-14T09:30:00.000Z', { type: 'string', format: 'date-time' }),
        api_version: text('The version of the API that `data` follows.', apiVersion),
        livemode: text('False in the sandbox, true in production.', false, { type: 'boolean' }),
        data: { ...described, description: 'The object as its GET would have returned it then.' },
      };
      const schema = object(properties);
      const post = {
        operationId: `receive-${type.replaceAll('.', '-')}`,
        tags: ['Webhooks'],
        summary: when,
        description: 'Verify the signature over the raw body, respond with 2xx within 10 seconds, and handle repeats.',
        parameters: HEADERS,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: {
          '2XX': { description: 'Received. Anything else is retried for about four days.' },
          '410': { description: 'Gone: the endpoint is disabled.' },
        },
      };
      return [type, { post }];
    }),
  );
}
