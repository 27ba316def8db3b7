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
export const getTypesRequest = z.object({
  name: z.optional(name),
  nextToken: z.optional(text(1, 8192)),
  maxResults: z.optional(z.int().check(z.gte(1), z.lte(1000))),
});
export const getOutcomesRequest = z.object({ name: z.optional(name) });
export const getRulesRequest = z.object({
  detectorId: name,
  ruleId: z.optional(name),
  ruleVersion: z.optional(text(1, 5)),
});

export type AfdEventRequest = z.infer<typeof sendEventRequest>;

const identifier = name.check(z.regex(/^[0-9a-zA-Z_-]+$/, 'must have letters, digits, _ and - only'));
const described = { name: identifier, description: z.optional(text(0, 128)) };
const changeable = { defaultValue: text(0, 256), variableType: z.optional(text(1, 64)) };
const names = z.array(name).check(z.maxLength(500));

export const namedRequest = z.object({ name: identifier });
export const putNamedRequest = z.object(described);
export const createVariableRequest = z.object({
  ...described,
  ...changeable,
  dataType: z.enum(['STRING', 'INTEGER', 'FLOAT', 'BOOLEAN', 'DATETIME']),
  dataSource: z.enum(['EVENT', 'MODEL_SCORE', 'EXTERNAL_MODEL_SCORE']),
});
/** Its entries are checked one by one: each has its own answer. */
export const batchCreateVariableRequest = z.object({
  variableEntries: z.array(z.looseObject({ name: z.optional(z.string()) })).check(z.minLength(1), z.maxLength(25)),
});
export const updateVariableRequest = z.object({
  ...described,
  ...changeable,
  defaultValue: z.optional(changeable.defaultValue),
});
export const putEventTypeRequest = z.object({
  ...described,
  eventVariables: names.check(z.minLength(1)),
  entityTypes: names.check(z.minLength(1)),
  labels: z.optional(names),
  eventIngestion: z.optional(z.enum(['ENABLED', 'DISABLED'])),
  eventOrchestration: z.optional(z.object({ eventBridgeEnabled: z.boolean() })),
});
