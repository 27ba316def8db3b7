import fc from 'fast-check';
import { eachAtMost } from '../../../shared/usecases/webhooks/each-at-most';

it('runs every item once and never more than allowed at the same time, in whatever order they end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 4 }), fc.nat(9), async (scheduler, limit, count) => {
      const items = Array.from({ length: count }, (_, i) => i);
      const done: number[] = [];
      let [running, most] = [0, 0];
      const all = eachAtMost(limit, items, async (item) => {
        most = Math.max(most, ++running);
        await scheduler.schedule(Promise.resolve());
        running--;
        done.push(item);
      });
      await scheduler.waitFor(all);
      expect(done.sort((a, b) => a - b)).toEqual(items);
      expect(most).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 50 },
  );
});

it('rejects with a failure only after all others have ended', async () => {
  const ended: number[] = [];
  const all = eachAtMost(2, [1, 2, 3, 4], async (item) => {
    await Promise.resolve();
    if (item === 1) throw new Error('the first fails');
    ended.push(item);
  });
  await expect(all).rejects.toThrow('the first fails');
  expect(ended).toEqual([2, 3, 4]);
});
