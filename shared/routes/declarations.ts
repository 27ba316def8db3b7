import {
  attribute,
  attributeList,
  attributeParams,
  counter,
  counterList,
  counterParams,
  eventType,
  eventTypeList,
  eventTypeParams,
  newAttributeParams,
  newCounterParams,
  newEventTypeParams,
  putAttributeRequest,
  putCounterRequest,
  putEventTypeRequest,
} from '../schemas/declaration';
import { defineRoute } from './define-route';

/* An account's own words: attributes, event types and counters. One function serves all of them. */

const ATTRIBUTES = { family: 'declarations', tag: 'Attributes' } as const;

export const listAttributesRoute = defineRoute('GET /v1/attributes', {
  operation: 'list-attributes',
  ...ATTRIBUTES,
  permission: 'read',
  success: { schema: attributeList },
});

export const putAttributeRoute = defineRoute('PUT /v1/attributes/{key}', {
  operation: 'put-attribute',
  ...ATTRIBUTES,
  permission: 'rules',
  params: newAttributeParams,
  body: putAttributeRequest,
  success: { schema: attribute },
  errors: ['in_use'],
});

export const deleteAttributeRoute = defineRoute('DELETE /v1/attributes/{key}', {
  operation: 'delete-attribute',
  ...ATTRIBUTES,
  permission: 'rules',
  params: attributeParams,
  success: { status: 204 },
  errors: ['not_found', 'in_use'],
});

const EVENT_TYPES = { family: 'declarations', tag: 'Event types' } as const;

export const listEventTypesRoute = defineRoute('GET /v1/event-types', {
  operation: 'list-event-types',
  ...EVENT_TYPES,
  permission: 'read',
  success: { schema: eventTypeList },
});

export const putEventTypeRoute = defineRoute('PUT /v1/event-types/{name}', {
  operation: 'put-event-type',
  ...EVENT_TYPES,
  permission: 'rules',
  params: newEventTypeParams,
  body: putEventTypeRequest,
  success: { schema: eventType },
  errors: ['built_in'],
});

export const deleteEventTypeRoute = defineRoute('DELETE /v1/event-types/{name}', {
  operation: 'delete-event-type',
  ...EVENT_TYPES,
  permission: 'rules',
  params: eventTypeParams,
  success: { status: 204 },
  errors: ['not_found', 'built_in', 'in_use'],
});

const COUNTERS = { family: 'declarations', tag: 'Counters' } as const;

export const listCountersRoute = defineRoute('GET /v1/counters', {
  operation: 'list-counters',
  ...COUNTERS,
  permission: 'read',
  success: { schema: counterList },
});

export const getCounterRoute = defineRoute('GET /v1/counters/{name}', {
  operation: 'get-counter',
  ...COUNTERS,
  permission: 'read',
  params: counterParams,
  success: { schema: counter },
  errors: ['not_found'],
});

export const putCounterRoute = defineRoute('PUT /v1/counters/{name}', {
  operation: 'put-counter',
  ...COUNTERS,
  permission: 'rules',
  params: newCounterParams,
  body: putCounterRequest,
  success: { schema: counter },
});

export const deleteCounterRoute = defineRoute('DELETE /v1/counters/{name}', {
  operation: 'delete-counter',
  ...COUNTERS,
  permission: 'rules',
  params: counterParams,
  success: { status: 204 },
  errors: ['not_found', 'in_use'],
});
