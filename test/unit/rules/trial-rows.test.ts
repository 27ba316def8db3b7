import { lowestUlid } from '../../../shared/domain/ulid';
import { newUlid } from '../../../shared/runtime/ids';
import { trialRows } from '../../../shared/usecases/rules/trial-rows';
import { screened } from '../../support/changes';
import { memoryTraffic } from '../../support/memory/memory-traffic';

const NOW = Date.parse('2026-11-14T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (ageMs: number, change: Parameters<typeof screened>[1] = {}) =>
  screened(NOW - ageMs, { currency: 'USD', entities: ['user#someone'], ...change });
const sampled = (ageMs: number) => at(ageMs, { ulid: `${newUlid(NOW - ageMs).slice(0, 24)}00` });

it('covers a shorter time rather than reading more than a call may', async () => {
  const { deps, add } = memoryTraffic(NOW);
  for (let i = 1; i <= 10; i += 1) {
    await add('acc_1', at(i * HOUR, { automated_decision: 'block', risk_score: 90 }));
    await add('acc_1', sampled(i * HOUR + 1));
  }
  const span = { from: lowestUlid(NOW - DAY), before: lowestUlid(NOW) };
  const most = { labels: 100, block: 4, challenge: 4, review: 4 };
  const { rows, sinceMs } = await trialRows(deps, 'acc_1', span, most);
  expect(sinceMs).toBe(NOW - 4 * HOUR);
  expect(rows).toHaveLength(7);
});
