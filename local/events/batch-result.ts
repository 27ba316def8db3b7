import type { InvocationOutcome } from '../lambda/environment';

/** What became of a batch: all done, all failed, or the failed identifiers. */
export type BatchResult = 'succeeded' | 'failed' | { readonly failed: ReadonlySet<string> };

/** Reads a partial batch response as Lambda does: nothing reported is success, anything malformed fails the whole batch. */
export function batchResult(
  outcome: InvocationOutcome,
  identifiers: readonly string[],
  reportsFailures: boolean,
): BatchResult {
  if (!outcome.ok) return 'failed';
  if (!reportsFailures) return 'succeeded';
  const answer = JSON.parse(outcome.payload) as unknown;
  if (answer === null || answer === '') return 'succeeded';
  if (typeof answer !== 'object') return 'failed';
  const failures = (answer as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === undefined || failures === null) return 'succeeded';
  if (!Array.isArray(failures)) return 'failed';
  const known = new Set(identifiers);
  const failed = failures.map((failure: unknown) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  if (failed.some((id) => typeof id !== 'string' || !known.has(id))) return 'failed';
  return failed.length === 0 ? 'succeeded' : { failed: new Set(failed as string[]) };
}
