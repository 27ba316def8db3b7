import * as z from 'zod/mini';
import { EVENT_TYPES } from '../domain/webhooks/webhook-endpoint';
import { warnings } from './conventions';
import { id, text, timestamp } from './text';

export const createWebhookRequest = z.object({
  url: text(1, 100_000),
  events: z.array(z.enum(EVENT_TYPES)).check(z.minLength(1), z.maxLength(100)),
  label: z.optional(text(1, 200)),
});

export type CreateWebhookRequest = z.infer<typeof createWebhookRequest>;

export const webhook = () =>
  z.object({
    webhook_id: id('wh'),
    url: z.string(),
    events: z.array(z.enum(EVENT_TYPES)),
    label: z.nullable(z.string()),
    status: z.enum(['enabled', 'disabled']),
    created_at: timestamp(),
    disabled_at: z.optional(timestamp()),
    disabled_reason: z.optional(z.enum(['gone', 'failing'])),
  });

export const createdWebhook = () => z.extend(webhook(), { signing_secret: z.string(), warnings: warnings() });

export const webhookList = () => z.object({ webhooks: z.array(webhook()), warnings: warnings() });
