import { streamCall } from '../../../local/events/stream-poller';
import type { StreamRecord } from '../../../local/events/stream-reader';
import type { LambdaFunction } from '../../../local/lambda/lambda-function';

const record = (second: number): StreamRecord => ({
  eventID: String(second),
  eventName: 'INSERT',
  dynamodb: { SequenceNumber: String(second), ApproximateCreationDateTime: second },
});

function called(answers: unknown[]) {
  const events: Record<string, unknown>[] = [];
  const invoke = async (event: unknown) => {
    events.push(event as Record<string, unknown>);
    return { ok: true as const, payload: JSON.stringify(answers.shift() ?? null) };
  };
  return { events, target: { invoke } as unknown as LambdaFunction };
}

describe('the call of a stream’s function', () => {
  it('hands over records and nothing else without a tumbling window', async () => {
    const { events, target } = called([{}]);
    await streamCall({ target, sourceArn: 'arn', tumblingWindowMs: 0 }, 'shard-1')([record(1)]);
    expect(events).toEqual([{ Records: [record(1)] }]);
  });

  it('names shard and window, and carries the state through a window and no further', async () => {
    const { events, target } = called([{ state: { seen: 1 } }, { state: { seen: 2 } }, { state: {} }]);
    const call = streamCall({ target, sourceArn: 'arn', tumblingWindowMs: 60_000 }, 'shard-1');
    for (const second of [61, 90, 121]) await call([record(second)]);
    expect(events.map(({ state }) => state)).toEqual([{}, { seen: 1 }, {}]);
    expect(events[0]).toMatchObject({
      shardId: 'shard-1',
      eventSourceARN: 'arn',
      window: { start: '1970-01-01T00:01:00Z', end: '1970-01-01T00:02:00Z' },
      isFinalInvokeForWindow: false,
    });
  });

  it('takes an answer without a state for a failure, as Lambda does', async () => {
    const { target } = called([{ batchItemFailures: [] }]);
    const call = streamCall({ target, sourceArn: 'arn', tumblingWindowMs: 60_000 }, 'shard-1');
    expect(await call([record(1)])).toMatchObject({ ok: false, error: { errorType: 'NoState' } });
  });
});
