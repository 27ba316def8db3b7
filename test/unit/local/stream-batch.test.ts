import {
  batchResult,
  type Discarded,
  processBatch,
  type StreamRecord,
  withEmptyMaps,
} from '../../../local/events/stream-reader';
import type { InvocationOutcome } from '../../../local/lambda/lambda-function';

const record = (number: number, createdAt = 1_000): StreamRecord => ({
  eventID: String(number),
  eventName: 'INSERT',
  dynamodb: { SequenceNumber: String(number), ApproximateCreationDateTime: createdAt },
});
const records = (count: number) => Array.from({ length: count }, (_none, index) => record(index + 1));
const ok = (value: unknown): InvocationOutcome => ({ ok: true, payload: JSON.stringify(value) });
const failure: InvocationOutcome = { ok: false, error: { errorType: 'Error', errorMessage: 'no' } };
const numbers = (batch: readonly StreamRecord[]) => batch.map(({ eventID }) => Number(eventID));
const policy = { reportsFailures: true, bisects: false, maxRetries: 2, maxAgeSeconds: -1 };

/** Runs a batch against a function, keeping what it was invoked with and what was given up. */
async function run(
  batch: readonly StreamRecord[],
  own: Partial<typeof policy>,
  invoke: (numbers: number[]) => InvocationOutcome,
  nowMs = 0,
) {
  const invoked: number[][] = [];
  const discarded: { numbers: number[]; condition: Discarded['condition']; invokeCount: number }[] = [];
  const deps = {
    invoke: async (part: readonly StreamRecord[]) => {
      invoked.push(numbers(part));
      return invoke(numbers(part));
    },
    discard: async ({ records: given, condition, invokeCount }: Discarded) => {
      discarded.push({ numbers: numbers(given), condition, invokeCount });
    },
    backOff: async () => true,
    now: () => nowMs,
    stopping: () => false,
  };
  const completed = await processBatch(deps, { ...policy, ...own }, batch);
  return { invoked, discarded, completed };
}

it('reads an empty map as the table sends it, at any depth, although the emulator leaves out its type', () => {
  expect(withEmptyMaps({ a: {}, b: { S: '' }, c: { M: { d: {} } }, e: { L: [{}, { N: '1' }] }, f: { L: [] } })).toEqual(
    {
      ...{ a: { M: {} }, b: { S: '' }, c: { M: { d: { M: {} } } } },
      ...{ e: { L: [{ M: {} }, { N: '1' }] }, f: { L: [] } },
    },
  );
});

describe('a stream batch', () => {
  it('is done when the function reports no failure', async () => {
    const { invoked, discarded, completed } = await run(records(3), {}, () => ok({ batchItemFailures: [] }));
    expect({ invoked, discarded, completed }).toEqual({ invoked: [[1, 2, 3]], discarded: [], completed: true });
  });

  it('comes again from the first reported record, with everything after it', async () => {
    let failed = false;
    const { invoked } = await run(records(4), {}, () => {
      if (failed) return ok(null);
      failed = true;
      return ok({ batchItemFailures: [{ itemIdentifier: '4' }, { itemIdentifier: '3' }] });
    });
    expect(invoked).toEqual([
      [1, 2, 3, 4],
      [3, 4],
    ]);
  });

  it('goes to the failure destination as a whole when its retries are used up', async () => {
    const { invoked, discarded, completed } = await run(records(2), {}, () => failure);
    expect(invoked).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(discarded).toEqual([{ numbers: [1, 2], condition: 'RetryAttemptsExhausted', invokeCount: 3 }]);
    expect(completed).toBe(true);
  });

  it('is halved until a poisoned record stands alone, in order and with all others done', async () => {
    const done: number[] = [];
    const { discarded } = await run(records(8), { bisects: true, maxRetries: 1 }, (part) => {
      const poison = part.indexOf(5);
      done.push(...(poison === -1 ? part : part.slice(0, poison)));
      return poison === -1 ? ok({}) : ok({ batchItemFailures: [{ itemIdentifier: '5' }] });
    });
    expect(done).toEqual([1, 2, 3, 4, 6, 7, 8]);
    expect(discarded).toMatchObject([{ numbers: [5], condition: 'RetryAttemptsExhausted' }]);
  });

  it('drops records past their age without invoking', async () => {
    const batch = [record(1, 1_000), record(2, 1_100)];
    const { invoked, discarded } = await run(batch, { maxAgeSeconds: 60 }, () => ok(null), 1_090_000);
    expect(invoked).toEqual([[2]]);
    expect(discarded).toEqual([{ numbers: [1], condition: 'RecordAgeExceeded', invokeCount: 0 }]);
  });
});

describe('a partial batch response', () => {
  const ids = ['a', 'b'];
  it.each([
    ['nothing', null, 'succeeded'],
    ['an empty object', {}, 'succeeded'],
    ['no list', { batchItemFailures: null }, 'succeeded'],
    ['an empty list', { batchItemFailures: [] }, 'succeeded'],
    ['a failure', { batchItemFailures: [{ itemIdentifier: 'b' }] }, { failed: new Set(['b']) }],
    ['an unknown identifier', { batchItemFailures: [{ itemIdentifier: 'c' }] }, 'failed'],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }, 'failed'],
    ['a misspelt member', { batchItemFailures: [{ id: 'a' }] }, 'failed'],
    ['a list of nothing', { batchItemFailures: [null] }, 'failed'],
    ['text', 'done', 'failed'],
  ])('%s', (_name, answer, expected) => {
    expect(batchResult(ok(answer), ids, true)).toEqual(expected);
  });

  it('means nothing unless the mapping asks for it', () => {
    expect(batchResult(ok({ batchItemFailures: [{ itemIdentifier: 'b' }] }), ids, false)).toBe('succeeded');
    expect(batchResult(failure, ids, false)).toBe('failed');
  });
});
