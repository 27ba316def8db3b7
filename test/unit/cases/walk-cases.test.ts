import { CASE_CLASSES } from '../../../shared/domain/cases/case-tally';
import { walkCases } from '../../../shared/usecases/cases/walk-cases';
import { openCase } from '../../support/changes';
import { interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 20, 10);

it('reads only days that have cases, and stops when nobody asks for more', async () => {
  const { cases } = memoryTable();
  const [young, old] = [openCase(NOW), openCase(NOW - 60 * DAY)];
  cases.put('acc', young);
  cases.put('acc', old);
  const calls: string[] = [];
  const watched = interpose(cases, (call, apply) => {
    calls.push(call);
    return apply();
  });
  const selection = { fromMs: NOW - 90 * DAY, toMs: NOW + 1, classes: CASE_CLASSES };
  const walk = walkCases(watched, 'acc', selection);
  expect((await walk.next()).value).toEqual([young]);
  expect(calls).toEqual(['hours', 'ofDay']);
  expect((await walk.next()).value).toEqual([old]);
  expect(calls).toEqual(['hours', 'ofDay', 'ofDay']);
  expect((await walk.next()).done).toBe(true);
});

it('asks nothing for an empty span', async () => {
  const { cases } = memoryTable();
  const walk = walkCases(cases, 'acc', { fromMs: NOW, toMs: NOW, classes: CASE_CLASSES });
  expect(await walk.next()).toEqual({ value: undefined, done: true });
});
