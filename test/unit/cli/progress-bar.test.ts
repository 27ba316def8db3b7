import { progressBar } from '../../../shared/cli/progress-bar';

it('tells the rate of the steps alone, and what was done between them', () => {
  let nowMs = 0;
  const bar = progressBar('lines', 200, () => nowMs);
  for (let i = 0; i < 200; i++) {
    nowMs += 1;
    bar.step();
    if (i % 100 !== 0) continue;
    expect(
      bar.aside(() => {
        nowMs += 30_000;
        return 'learnt';
      }),
    ).toBe('learnt');
  }
  expect(bar.stop()).toBe('200 lines in 1:00, 1000 per second between 2 trainings, which took 1:00');
  expect(progressBar('rows', 0, () => 0).stop()).toBe('0 rows in 0:00, 0 per second');
});
