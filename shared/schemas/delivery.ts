import * as z from 'zod/mini';
import { EVENT_TYPES } from '../domain/webhooks/webhook-endpoint';
import { boundedOffset, limit, warnings } from './conventions';
import { id, timestamp } from './text';

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

/** Reading past more entries than this costs too much; a narrower `status` finds older ones sooner. */
const MAX_OFFSET = 10_000;

export const listDeliveriesQuery = z.object({
  status: z.optional(z.enum(DELIVERY_STATUSES)),
  limit: limit(),
  offset: boundedOffset(MAX_OFFSET),
});

const attempt = () =>
  z.object({
    attempt: z.int(),
    started_at: timestamp(),
    duration_ms: z.int(),
    outcome: z.enum(['delivered', 'refused', 'timeout', 'blocked', 'tls', 'network']),
    status_code: z.nullable(z.int()),
    error: z.nullable(z.string()),
    answer: z.nullable(z.string()),
  });

const deliveryMembers = () => ({
  delivery_id: id('dlv'),
  webhook_id: id('wh'),
  message_id: id('msg'),
  event_type: z.enum([...EVENT_TYPES, 'webhook.test']),
  status: z.enum(DELIVERY_STATUSES),
  reason: z.nullable(z.enum(['attempts_exhausted', 'endpoint_gone', 'endpoint_deleted', 'endpoint_disabled'])),
  attempt: z.int(),
  next_attempt_at: z.nullable(timestamp()),
  completed_at: z.nullable(timestamp()),
  created_at: timestamp(),
  redelivery_of: z.nullable(id('dlv')),
  attempts: z.array(attempt()),
});

export const delivery = () => z.object({ ...deliveryMembers(), warnings: warnings() });

export const deliveryList = () =>
  z.object({
    deliveries: z.array(z.object(deliveryMembers())),
    limit: z.int(),
    offset: z.int(),
    has_more: z.boolean(),
    warnings: warnings(),
  });
