import type { RequestContext } from './condition';
import type { Statement } from './policy';

/** One permission a call needs. `context` is computed only when a condition asks for it. */
export interface AccessRequest {
  readonly action: string;
  readonly resource: string;
  context?(): RequestContext;
}

export type AccessDecision = 'allowed' | 'explicitly denied' | 'not allowed';

const ALWAYS: RequestContext = {
  'aws:securetransport': ['true'],
};

/** IAM's rule: an explicit deny wins, otherwise some statement must allow. */
export function evaluate(statements: readonly Statement[], request: AccessRequest): AccessDecision {
  let context: RequestContext | undefined;
  let allowed = false;
  for (const statement of statements) {
    if (!statement.matchesAction(request.action) || !statement.matchesResource(request.resource)) continue;
    if (statement.condition) {
      context ??= { ...ALWAYS, ...request.context?.() };
      if (!statement.condition(context)) continue;
    }
    if (statement.effect === 'Deny') return 'explicitly denied';
    allowed = true;
  }
  return allowed ? 'allowed' : 'not allowed';
}

/** Evaluation with a cache: most statements have no condition, so the same call has the same result. */
export function evaluator(statements: readonly Statement[]): (request: AccessRequest) => AccessDecision {
  const remembered = new Map<string, AccessDecision>();
  const unconditional = statements.every(({ condition }) => condition === undefined);
  return (request) => {
    if (!unconditional) return evaluate(statements, request);
    const key = `${request.action} ${request.resource}`;
    const known = remembered.get(key);
    if (known) return known;
    const decision = evaluate(statements, request);
    // Object keys make resources unbounded, so the cache is limited.
    if (remembered.size < 10_000) remembered.set(key, decision);
    return decision;
  };
}
