import * as z from 'zod/mini';
import type { IdempotencyClaim, IdempotencyRecord } from '../../shared/domain/idempotency';
import { type AnswerOnceDeps, type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { Replayed } from '../../shared/http/idempotency';
import { defineRoute } from '../../shared/routes/define-route';
import { listWebhooksRoute } from '../../shared/routes/webhooks';
import type { AnswerOf } from '../../shared/schemas/answer-of';

/*
 * Errors that must not compile between a route and its handler. `npm run types` checks this file: each `@ts-expect-error` is
 * an error when the line below it compiles.
 */
declare const deps: EndpointDeps;
declare const onceDeps: AnswerOnceDeps;

const thing = () => z.object({ thing_id: z.string(), tags: z.array(z.string()), note: z.optional(z.string()) });
const THING: AnswerOf<typeof thing> = { thing_id: 't', tags: [] };

const at = 'POST /v1/things/{id}';
const common = {
  permission: 'read',
  tag: 'Things',
} as const;
const success = { schema: thing } as const;
const params = z.object({ id: z.string() });
const plain = defineRoute(at, { ...common, operation: 'get-thing', params, success, errors: [] });
const answering = defineRoute(at, { ...common, operation: 'make-thing', idempotency: 'answer', success, errors: [] });
const claiming = defineRoute(at, { ...common, operation: 'claim-thing', idempotency: 'claim', success, errors: [] });
const empty = defineRoute(at, {
  ...common,
  operation: 'delete-thing',
  success: { status: 204 },
  errors: [],
});

/** A presenter names the schema of what it makes: a member more does not go out unnoticed. */
// @ts-expect-error: a member more than the schema has
export const more: AnswerOf<typeof thing> = { thing_id: 't', tags: [], nonsense: true };

/** An answer is what the success schema describes: no member missing, none of another type. */
export const answers = [
  endpoint(plain, deps, async ({ params: { id } }) => ({ thing_id: id, tags: ['a'] as readonly string[] })),
  endpoint(plain, deps, async () => ({ ...THING, note: 'seen' })),
  // @ts-expect-error: not what the schema describes
  endpoint(plain, deps, async () => ({ nonsense: true })),
  // @ts-expect-error: `tags` is missing
  endpoint(plain, deps, async () => ({ thing_id: 't' })),
  // @ts-expect-error: a tag is a string
  endpoint(plain, deps, async () => ({ thing_id: 't', tags: [1] })),
  // @ts-expect-error: an answer is promised
  endpoint(plain, deps, async () => undefined),
  endpoint(empty, deps, async () => undefined),
  // @ts-expect-error: a route without a success schema answers nothing
  endpoint(empty, deps, async () => THING),
  // @ts-expect-error: of a real route
  endpoint(listWebhooksRoute, deps, async () => ({ nonsense: true })),
];

/** The route's mode decides what a handler gets of an `Idempotency-Key`. */
export const modes = [
  endpoint(answering, onceDeps, async ({ record }) => {
    record?.(THING) satisfies IdempotencyRecord | undefined;
    // @ts-expect-error: a record is made of the route's own answer
    record?.({ nonsense: true });
    return THING;
  }),
  // @ts-expect-error: recorded answers are kept somewhere
  endpoint(answering, deps, async () => THING),
  // @ts-expect-error: the mode `answer` has no claim to give
  endpoint(answering, onceDeps, async ({ claim }) => claim ?? THING),
  // @ts-expect-error: the chain replays recorded answers itself
  endpoint(answering, onceDeps, async () => new Replayed(THING)),
  endpoint(claiming, deps, async ({ claim }) => {
    claim satisfies IdempotencyClaim | undefined;
    return claim ? new Replayed(THING) : THING;
  }),
  // @ts-expect-error: a replayed answer is of the route's schema, too
  endpoint(claiming, deps, async () => new Replayed({ nonsense: true })),
  // @ts-expect-error: the mode `claim` records nothing
  endpoint(claiming, deps, async ({ record }) => record ?? THING),
  // @ts-expect-error: without a mode a key means nothing
  endpoint(plain, deps, async ({ claim }) => claim ?? THING),
];

/** A route is checked where it is written. */
export const routes = [
  // @ts-expect-error: no such mode
  defineRoute(at, { ...common, operation: 'make-thing', idempotency: 'sometimes', success, errors: [] }),
  // @ts-expect-error: no such member
  defineRoute(at, { ...common, operation: 'make-thing', idempotent: true, success, errors: [] }),
];
