import * as z from 'zod/mini';
import {
  AMOUNT_USES,
  ATTRIBUTE_TYPES,
  COUNTER_WINDOWS,
  COUNTS,
  isAttributeKey,
  isDeclaredName,
  MAX_REQUIRED,
} from '../domain/declarations/declaration';
import { warnings } from './conventions';
import { chosenId, text, timestamp } from './text';

/** A key that no PUT accepts cannot be found either. */
export const attributeParams = z.object({ key: z.string().check(z.refine(isAttributeKey, 'attribute')) });
export const eventTypeParams = z.object({ name: z.string().check(z.refine(isDeclaredName, 'event type')) });
export const counterParams = z.object({ name: z.string().check(z.refine(isDeclaredName, 'counter')) });

/** Names that are to be created: what is wrong with one is reported. */
export const newAttributeParams = z.object({ key: chosenId('attribute') });
export const newEventTypeParams = z.object({ name: chosenId('event type') });
export const newCounterParams = z.object({ name: chosenId('counter') });

const note = z.nullish(text(0, 500));

export const putAttributeRequest = z.object({
  type: z.enum(ATTRIBUTE_TYPES),
  entity: z.optional(z.boolean()),
  note,
});

const threshold = z.nullish(z.int().check(z.gte(0), z.lte(100)));

export const putEventTypeRequest = z.object({
  amount: z.nullish(z.enum(AMOUNT_USES)),
  required: z.nullish(z.array(text(1, 64)).check(z.maxLength(MAX_REQUIRED))),
  review_threshold: threshold,
  block_threshold: threshold,
  note,
});

const WINDOWS = Object.keys(COUNTER_WINDOWS) as [keyof typeof COUNTER_WINDOWS];
const ATTRIBUTE = 'attr\\..{1,64}';
const oneOf = (names: string, message: string) =>
  z.string().check(z.regex(new RegExp(`^(?:${names}|${ATTRIBUTE})$`, 'su'), message));

export const putCounterRequest = z.object({
  of: z.array(z.string()).check(z.minLength(1), z.maxLength(10)),
  count: z.enum(COUNTS),
  value: z.nullish(
    oneOf(
      'user_id|device_fingerprint|ip_address|amount',
      'must be user_id, device_fingerprint, ip_address or attr.<key> for distinct, amount or attr.<key> for sum',
    ),
  ),
  by: z
    .array(
      oneOf(
        'user_id|device_fingerprint|ip_address|ip_network',
        'must be user_id, device_fingerprint, ip_address, ip_network or attr.<key>',
      ),
    )
    .check(z.minLength(1), z.maxLength(3)),
  window: z.enum(WINDOWS),
  where: z.nullish(text(1, 2_000)),
  note,
});

const stamps = () => ({ created_at: timestamp(), updated_at: timestamp(), updated_by: z.string() });

const attributeMembers = () => ({
  key: z.string(),
  type: z.enum(ATTRIBUTE_TYPES),
  entity: z.boolean(),
  note: z.nullable(z.string()),
  ...stamps(),
});

export const attribute = () => z.object({ ...attributeMembers(), warnings: warnings() });
export const attributeList = () =>
  z.object({ attributes: z.array(z.object(attributeMembers())), warnings: warnings() });

const eventTypeMembers = () => ({
  name: z.string(),
  built_in: z.boolean(),
  amount: z.enum(AMOUNT_USES),
  required: z.array(z.string()),
  review_threshold: z.nullable(z.int()),
  block_threshold: z.nullable(z.int()),
  note: z.nullable(z.string()),
  created_at: z.nullable(timestamp()),
  updated_at: z.nullable(timestamp()),
  updated_by: z.nullable(z.string()),
});

export const eventType = () => z.object({ ...eventTypeMembers(), warnings: warnings() });
export const eventTypeList = () =>
  z.object({ event_types: z.array(z.object(eventTypeMembers())), warnings: warnings() });

const counterMembers = () => ({
  name: z.string(),
  of: z.array(z.string()),
  count: z.enum(COUNTS),
  value: z.nullable(z.string()),
  by: z.array(z.string()),
  window: z.enum(WINDOWS),
  where: z.nullable(z.string()),
  note: z.nullable(z.string()),
  version: z.int().check(z.gte(1)),
  since: timestamp(),
  write_units: z.int().check(z.gte(1)),
  ...stamps(),
});

export const counter = () => z.object({ ...counterMembers(), warnings: warnings() });
export const counterList = () => z.object({ counters: z.array(z.object(counterMembers())), warnings: warnings() });
