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

const stamps = {
  created_at: '2026-11-02T08:00:00.000Z',
  updated_at: '2026-11-14T09:30:00.000Z',
  updated_by: 'ana.silva',
};

const attributeExample = { key: 'items', type: 'number', entity: false, note: 'Items in the basket', ...stamps };

const eventTypeExample = {
  ...{ name: 'gift_card_redeemed', built_in: false, amount: 'required', required: ['card_number_hash'] },
  ...{ review_threshold: 50, block_threshold: null, note: null, ...stamps },
};

const counterRequestExample = {
  of: ['transaction'],
  count: 'distinct',
  value: 'attr.card_fingerprint',
  by: ['attr.email'],
  window: '24h',
  where: 'amount < 5',
  note: 'Cards tried with one email address',
} as const;

const counterExample = {
  name: 'cards_per_email',
  ...counterRequestExample,
  version: 1,
  since: '2026-11-02T08:00:00.000Z',
  write_units: 1,
  ...stamps,
};

const ATTRIBUTES = { family: 'declarations', tag: 'Attributes' } as const;

export const listAttributesRoute = defineRoute('GET /v1/attributes', {
  operation: 'list-attributes',
  ...ATTRIBUTES,
  permission: 'read',
  summary: 'List the attributes',
  description:
    'Every custom attribute that is declared, or whose values are entities (the setting `tracked_attributes`), by key.',
  success: { description: 'The attributes.', schema: attributeList, example: { attributes: [attributeExample] } },
});

export const putAttributeRoute = defineRoute('PUT /v1/attributes/{key}', {
  operation: 'put-attribute',
  ...ATTRIBUTES,
  permission: 'rules',
  summary: 'Declare an attribute',
  description:
    'How the values of a custom attribute are read. On the wire they stay strings. `number` is a decimal such as `12.5`, `boolean` is `true` or `false`, and the others are compared in their canonical form. A value that cannot be read is named in `warnings`, is missing to rules and counters, and refuses nothing. `entity` gives each value its own history, reputation, links and lists; it is the setting `tracked_attributes`, by another door. The type cannot change while a rule or counter needs it. An account can declare 100 attributes.',
  params: newAttributeParams,
  body: putAttributeRequest,
  success: {
    description: 'The attribute, changed.',
    created: 'The attribute, declared.',
    schema: attribute,
    example: attributeExample,
  },
  errors: ['in_use'],
  requestExample: { type: 'number', note: 'Items in the basket' },
});

export const deleteAttributeRoute = defineRoute('DELETE /v1/attributes/{key}', {
  operation: 'delete-attribute',
  ...ATTRIBUTES,
  permission: 'rules',
  summary: 'Delete an attribute',
  description: 'Its values are plain texts again, and no entities any more; histories that exist end by themselves.',
  params: attributeParams,
  success: { status: 204, description: 'Deleted.' },
  errors: ['not_found', 'in_use'],
});

const EVENT_TYPES = { family: 'declarations', tag: 'Event types' } as const;

export const listEventTypesRoute = defineRoute('GET /v1/event-types', {
  operation: 'list-event-types',
  ...EVENT_TYPES,
  permission: 'read',
  summary: 'List the event types',
  description: 'The built-in types, then your own by name.',
  success: { description: 'The event types.', schema: eventTypeList, example: { event_types: [eventTypeExample] } },
});

export const putEventTypeRoute = defineRoute('PUT /v1/event-types/{name}', {
  operation: 'put-event-type',
  ...EVENT_TYPES,
  permission: 'rules',
  summary: 'Declare an event type',
  description:
    'A type that `POST /v1/events` takes like a built-in one, from then on. It is scored by everything that is not about one built-in type, and never counts as a signup, login or purchase. `amount` says whether its events have an `amount` and a `currency`, `required` which attributes they must have, and the thresholds apply in place of the account’s. A name starts with a lower-case letter and has up to 63 lower-case letters, digits and `_`. An account can declare 50 types.',
  params: newEventTypeParams,
  body: putEventTypeRequest,
  success: {
    description: 'The event type, changed.',
    created: 'The event type, declared.',
    schema: eventType,
    example: eventTypeExample,
  },
  errors: ['built_in'],
  requestExample: { amount: 'required', required: ['card_number_hash'], review_threshold: 50 },
});

export const deleteEventTypeRoute = defineRoute('DELETE /v1/event-types/{name}', {
  operation: 'delete-event-type',
  ...EVENT_TYPES,
  permission: 'rules',
  summary: 'Delete an event type',
  description: 'Events of the type are refused within 60 seconds. What was screened stays.',
  params: eventTypeParams,
  success: { status: 204, description: 'Deleted.' },
  errors: ['not_found', 'built_in', 'in_use'],
});

const COUNTERS = { family: 'declarations', tag: 'Counters' } as const;

export const listCountersRoute = defineRoute('GET /v1/counters', {
  operation: 'list-counters',
  ...COUNTERS,
  permission: 'read',
  summary: 'List the counters',
  description: 'All counters of the account, by name.',
  success: { description: 'The counters.', schema: counterList, example: { counters: [counterExample] } },
});

export const getCounterRoute = defineRoute('GET /v1/counters/{name}', {
  operation: 'get-counter',
  ...COUNTERS,
  permission: 'read',
  summary: 'Get a counter',
  description: 'What a counter counts, and since when.',
  params: counterParams,
  success: { description: 'The counter.', schema: counter, example: counterExample },
  errors: ['not_found'],
});

export const putCounterRoute = defineRoute('PUT /v1/counters/{name}', {
  operation: 'put-counter',
  ...COUNTERS,
  permission: 'rules',
  summary: 'Declare a counter',
  description:
    'Counts attempts, the different values of something, or a sum, by one to three values, in a window. Rules read it as `counters.<name>`: what was counted in the window, this attempt included if it matches `of` and `where`; missing if a value of `by` is missing. Attempts that were stopped count. It is exact under concurrency; `distinct` is exact up to 50, then within 10%. The end of a window is at most a sixtieth of it late. `where` is an expression over the request alone. A change of what is counted starts from zero: `since` says so. It counts within 60 seconds, for one write unit per attempt that it counts. An account can have 20 counters.',
  params: newCounterParams,
  body: putCounterRequest,
  success: {
    description: 'The counter, changed.',
    created: 'The counter, declared.',
    schema: counter,
    example: counterExample,
  },
  requestExample: counterRequestExample,
});

export const deleteCounterRoute = defineRoute('DELETE /v1/counters/{name}', {
  operation: 'delete-counter',
  ...COUNTERS,
  permission: 'rules',
  summary: 'Delete a counter',
  description: 'It no longer counts within 60 seconds; what it has counted is gone after its window.',
  params: counterParams,
  success: { status: 204, description: 'Deleted.' },
  errors: ['not_found', 'in_use'],
});
