import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { DomainError, invalidRequest } from '../domain/errors';
import {
  ClaimTaken,
  type IdempotencyClaim,
  type IdempotencyRecord,
  idempotencyClaim,
  MAX_IDEMPOTENCY_KEY_LENGTH,
} from '../domain/idempotency';
import type { Route } from '../routes/define-route';
import type { Clock } from '../runtime/clock';
import { type AnswerFrame, answer } from './answer';
import { canonicalPath, headerOf, isHeaderRepeated } from './parse-input';

/** Reads the response that was recorded for a claim in the last 24 hours. */
export interface AnswerStore {
  find(accountId: string, scope: string, nowMs: number): Promise<IdempotencyRecord | undefined>;
}

/** Makes the record of a response; the use case commits it in one transaction with the effect. */
export type RecordAnswer<Answer> = (answer: Answer) => IdempotencyRecord;

interface Once<Answer> {
  readonly claim: IdempotencyClaim;
  readonly accountId: string;
  readonly frame: AnswerFrame;
  readonly statusOf: (answer: Answer) => number;
  readonly serialise: (answer: Answer) => string;
  readonly run: (record: RecordAnswer<Answer>) => Promise<Answer>;
  readonly answers: AnswerStore;
  readonly clock: Clock;
  readonly mayReplay?: ((body: string) => Promise<void>) | undefined;
}

/**
 * The claim that a request makes by sending an `Idempotency-Key`. It is made on the resource, not on the text of the
 * path: `/v1/events`, `/v1/events/` and `/v1/event%73` are one.
 */
export function claimOf(
  event: APIGatewayProxyEvent,
  route: Pick<Route, 'method' | 'path'>,
  params: Readonly<Record<string, string>> = {},
): IdempotencyClaim | undefined {
  const key = headerOf(event, 'Idempotency-Key');
  if (key === undefined) return undefined;
  if (isHeaderRepeated(event, 'Idempotency-Key')) {
    throw invalidRequest([{ field: 'Idempotency-Key', message: 'must not be repeated' }]);
  }
  if (key.length < 1 || key.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    const message = `must have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`;
    throw invalidRequest([{ field: 'Idempotency-Key', message }]);
  }
  return idempotencyClaim(route.method, canonicalPath(route.path, params), key, event.body);
}

export class Replayed<Answer> {
  constructor(readonly answer: Answer) {}
}

export const REPLAYED_HEADER = { 'Idempotent-Replayed': 'true' } as const;

async function replay<Answer>(once: Once<Answer>, found: IdempotencyRecord): Promise<APIGatewayProxyResult> {
  if (found.body_hash !== once.claim.body_hash) {
    throw new DomainError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with a different body in the last 24 hours. Use a new key for a new request.',
    );
  }
  await once.mayReplay?.(found.body);
  return answer(once.frame, found.status, found.body, REPLAYED_HEADER);
}

/**
 * Runs an effect at most once per `Idempotency-Key`. The record commits in the same transaction as the effect, so
 * neither ever exists without the other: a crash leaves neither, and a rival finds both.
 */
export async function answerOnce<Answer>(once: Once<Answer>): Promise<APIGatewayProxyResult> {
  const { claim, accountId, frame, statusOf, serialise, run, answers, clock } = once;
  const earlier = await answers.find(accountId, claim.scope, clock.now());
  if (earlier) return replay(once, earlier);
  try {
    const record = (result: Answer): IdempotencyRecord => ({
      ...claim,
      status: statusOf(result),
      body: serialise(result),
    });
    const result = await run(record);
    return answer(frame, statusOf(result), serialise(result));
  } catch (error) {
    if (!(error instanceof ClaimTaken)) throw error;
    const winner = await answers.find(accountId, claim.scope, clock.now());
    if (winner) return replay(once, winner);
    const message = 'A request with this Idempotency-Key is still running. Try again in a second.';
    throw new DomainError('idempotency_in_progress', message, [], { retryAfterSeconds: 1 });
  }
}
