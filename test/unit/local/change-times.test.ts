import fc from 'fast-check';
import { changeTimes } from '../../../local/events/stream-poller';
import type { StreamRecord } from '../../../local/events/stream-reader';

const MINUTE = 60_000;
const LIMIT = 3;

const change = (atMs: number): StreamRecord => ({
  eventID: String(atMs),
  eventName: 'INSERT',
  // DynamoDB Local says the minute only.
  dynamodb: { SequenceNumber: String(atMs), ApproximateCreationDateTime: Math.floor(atMs / MINUTE) * 60 },
});

/** Reads at these times what was changed meanwhile, at most `LIMIT` of it at a time; how old each was told to be. */
async function toldAges(changes: readonly number[], reads: readonly number[]) {
  let nowMs = 0;
  const timed = changeTimes(() => nowMs);
  const waiting = [...changes].sort((a, b) => a - b);
  const told: { readonly madeAtMs: number; readonly toldMs: number }[] = [];
  for (nowMs of [...reads].sort((a, b) => a - b)) {
    const due = waiting.filter((atMs) => atMs <= nowMs).slice(0, LIMIT);
    waiting.splice(0, due.length);
    const page = await timed(Promise.resolve({ records: due.map(change), next: 'next' }), LIMIT);
    page.records.forEach(({ dynamodb }, index) => {
      told.push({ madeAtMs: due[index] ?? 0, toldMs: (dynamodb.ApproximateCreationDateTime ?? 0) * 1_000 });
    });
  }
  return told;
}

it('knows the second of what came between two reads to the end', async () => {
  const [first, second] = await toldAges([90_500, 119_800], [90_000, 91_000, 119_000, 120_100]);
  expect([first?.toldMs, second?.toldMs]).toEqual([90_000, 119_000]);
});

it('does not take for new what it had not read to the end', async () => {
  const told = await toldAges([61_000, 62_000, 63_000, 64_000], [60_000, 90_000, 100_000, 110_000]);
  expect(told.map(({ toldMs }) => toldMs)).toEqual([60_000, 60_000, 60_000, 60_000]);
});

it('never tells of a change later than it was made, nor earlier than its minute', async () => {
  const times = fc.array(fc.integer({ min: MINUTE, max: 10 * MINUTE }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(times, times, async (changes, reads) => {
      for (const { madeAtMs, toldMs } of await toldAges(changes, reads)) {
        expect(toldMs).toBeLessThanOrEqual(madeAtMs);
        expect(toldMs).toBeGreaterThanOrEqual(Math.floor(madeAtMs / MINUTE) * MINUTE);
      }
    }),
  );
});
