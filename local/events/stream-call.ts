import type { InvocationOutcome } from '../lambda/environment';
import type { Mapping } from './mapping';
import type { StreamRecord } from './stream-batch';

interface Window {
  readonly startMs: number;
  readonly state: unknown;
}

const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

/** The state that a function returned; undefined if it returned none, which Lambda treats as a failure. */
function stateIn(payload: string): unknown {
  const answer = JSON.parse(payload) as { state?: unknown } | null;
  return answer?.state ?? undefined;
}

/**
 * Calls the function of a stream with a batch of a shard. With a tumbling window it receives the shard and the window,
 * and the state that it returns is passed to the next call of the same window.
 */
export function streamCall(
  { target, sourceArn, tumblingWindowMs }: Pick<Mapping, 'target' | 'sourceArn' | 'tumblingWindowMs'>,
  shardId: string,
): (records: readonly StreamRecord[]) => Promise<InvocationOutcome> {
  if (tumblingWindowMs === 0) return (records) => target.invoke({ Records: records });
  let window: Window | undefined;
  return async (records) => {
    const atMs = (records[0]?.dynamodb.ApproximateCreationDateTime ?? 0) * 1_000;
    const startMs = Math.floor(atMs / tumblingWindowMs) * tumblingWindowMs;
    const state = window?.startMs === startMs ? window.state : {};
    const outcome = await target.invoke({
      Records: records,
      window: { start: iso(startMs), end: iso(startMs + tumblingWindowMs) },
      state,
      shardId,
      eventSourceARN: sourceArn,
      isFinalInvokeForWindow: false,
      isWindowTerminatedEarly: false,
    });
    if (!outcome.ok) return outcome;
    const next = stateIn(outcome.payload);
    if (next === undefined) {
      return {
        ok: false,
        error: { errorType: 'NoState', errorMessage: 'A function with a tumbling window must answer a state.' },
      };
    }
    window = { startMs, state: next };
    return outcome;
  };
}
