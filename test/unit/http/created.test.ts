import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { Created } from '../../../shared/http/answer';
import { endpoint } from '../../../shared/http/endpoint';
import { defineRoute } from '../../../shared/routes/define-route';
import { eventOf } from '../../support/proxy-event';

const putThing = defineRoute({
  operation: 'put-thing',
  method: 'PUT',
  path: '/v1/things/{name}',
  tag: 'Things',
  summary: 'Create or change a thing',
  description: 'For this test.',
  permission: 'lists',
  body: z.object({}),
  success: {
    status: 200,
    description: 'Changed.',
    created: 'Created.',
    schema: () => z.object({ name: z.string() }),
  },
  errors: [],
});

it.each([
  [true, 201],
  [false, 200],
])('a PUT that created its resource (%s) answers %i with the same body', async (isNew, status) => {
  const deps = { clock: { now: () => 0 }, log: { info: () => undefined, error: () => undefined } as never };
  const answer = { name: 'one' };
  const handler = endpoint(putThing, deps, async () => (isNew ? new Created(answer) : answer));
  const sent = { headers: [['Content-Type', 'application/json']] as const, body: '{}' };
  const { statusCode, body } = await handler(eventOf('PUT', '/v1/things/one', sent), {} as Context);
  expect([statusCode, JSON.parse(body)]).toEqual([status, answer]);
});
