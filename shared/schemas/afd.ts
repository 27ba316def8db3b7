import * as z from 'zod/mini';
import { text } from './text';

/* Requests of Amazon Fraud Detector's client, by its own names; what we have no use for is ignored. */

const name = text(1, 64);
const time = text(1, 64).check(
  z.refine((value) => !Number.isNaN(Date.parse(value)), 'must be an ISO 8601 time such as 2026-11-14T00:00:00Z'),
);
const event = { eventId: name, eventTypeName: name };

const entities = z.array(z.object({ entityType: name, entityId: text(1, 256) })).check(z.minLength(1), z.maxLength(10));

const facts = {
  ...event,
  entities,
  eventTimestamp: time,
  eventVariables: z.record(text(1, 256), z.string()),
};

export const getEventPredictionRequest = z.object({
  ...facts,
  detectorId: name,
  detectorVersionId: z.optional(text(1, 5)),
});

export const sendEventRequest = z.object({
  ...facts,
  assignedLabel: z.optional(name),
  labelTimestamp: z.optional(time),
});

export const updateEventLabelRequest = z.object({ ...event, assignedLabel: name, labelTimestamp: time });
export const getEventRequest = z.object(event);

export const getEventPredictionMetadataRequest = z.object({
  ...event,
  detectorId: name,
  detectorVersionId: text(1, 5),
  predictionTimestamp: time,
});

export const getDetectorsRequest = z.object({ detectorId: z.optional(name) });
export const getEventTypesRequest = z.object({ name: z.optional(name) });
export const getOutcomesRequest = z.object({ name: z.optional(name) });
export const getRulesRequest = z.object({
  detectorId: name,
  ruleId: z.optional(name),
  ruleVersion: z.optional(text(1, 5)),
});

/** An event as its client sent it. */
export type AfdEventRequest = z.infer<typeof sendEventRequest>;
