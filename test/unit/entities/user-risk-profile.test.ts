import { earningOf } from '../../../shared/domain/entities/earning';
import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { entityNames } from '../../../shared/domain/entities/entity-ref';
import { riskProfileAnswer } from '../../../shared/http/presenters/risk-profile-answer';
import { userRiskProfile } from '../../../shared/usecases/entities/user-risk-profile';
import { screened } from '../../support/changes';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { callerOf } from '../../support/payment';

const NOW = Date.UTC(2026, 2, 1, 12);
const HOUR = 3_600_000;
const caller = callerOf('acc_1');

async function world(lived: readonly Partial<Attempt>[]) {
  const table = memoryTable();
  const ref = entityNames('acc_1').user('ann');
  for (const [i, change] of lived.entries()) {
    const common = {
      attempt_id: `txn_${i}`,
      at_ms: NOW,
      user_id: 'ann',
      device: 'phone',
      country: 'DE',
      network: 'other',
    };
    const payment = { action: 'transaction', outcome: 'succeeded', amount: 10, currency: 'EUR', amount_usd: 11 };
    const attempt = { ...common, ...payment, ip: '91.0.0.1', ...change } as Attempt;
    const { history } = await table.entities.recordAttempt('acc_1', ref, attempt);
    const earning = earningOf(attempt, history, undefined, []);
    if (earning) await table.entities.earn('acc_1', ref, { attempt, earning });
  }
  const stop = (automated_decision: 'review' | 'block') =>
    table.entities.of('acc_1').stop(screened(NOW, { automated_decision, entities: [ref.key], stopped: 'mark' }));
  const deps = { clock: { now: () => NOW }, entities: table.entities };
  return { table, ref, deps, stop };
}

it('tells what the user has done, in one read', async () => {
  const { table, ref, deps, stop } = await world([
    { at_ms: NOW - 3 * HOUR },
    { at_ms: NOW - 2 * HOUR, amount: 15, device: 'laptop', country: 'FR' },
    { at_ms: NOW - HOUR, action: 'password_change', amount: undefined as never },
  ]);
  stop('review');
  const label = { label: 'fraud', known_at_ms: NOW } as const;
  table.entities.of('acc_1').label(ref.key, { record: screened(NOW), label, previousLabel: undefined }, NOW);
  expect(riskProfileAnswer(await userRiskProfile(deps, caller, 'ann'))).toMatchObject({
    user_id: 'ann',
    first_seen_at: new Date(NOW - 3 * HOUR).toISOString(),
    last_seen_at: new Date(NOW - HOUR).toISOString(),
    transactions: { count: 2, allowed: 1, reviewed: 1, blocked: 0, last_24h: 2, amount_by_currency: { EUR: 25 } },
    events: { count: 1, by_type: { password_change: 1 } },
    devices: { count: 2 },
    ip_addresses: { count: 1, countries: ['DE', 'FR'] },
    outcomes: { confirmed_fraud: 1, confirmed_legitimate: 0 },
    recent_activity: {
      transactions: { last_1h: { count: 0 }, last_24h: { count: 2, amount_usd: 22 } },
      last_changes: [{ event_type: 'password_change', at: new Date(NOW - HOUR).toISOString() }],
    },
  });
});

it('never shows less than nothing, although compensation may come before what it takes back', async () => {
  const { deps, stop } = await world([{}]);
  stop('block');
  stop('block');
  expect(riskProfileAnswer(await userRiskProfile(deps, caller, 'ann'))).toMatchObject({
    transactions: { count: 1, allowed: 0, blocked: 2 },
  });
});

it('knows no user that was never seen, nor one of another account', async () => {
  const { deps } = await world([{}]);
  await expect(userRiskProfile(deps, caller, 'bob')).rejects.toMatchObject({ code: 'not_found' });
  await expect(userRiskProfile(deps, callerOf('acc_2'), 'ann')).rejects.toMatchObject({ code: 'not_found' });
});

it('does not take a user for seen because a decision was counted first', async () => {
  const { deps, stop } = await world([]);
  stop('block');
  await expect(userRiskProfile(deps, caller, 'ann')).rejects.toMatchObject({ code: 'not_found' });
});

it('does not take a table that is out of reach for an unknown user', async () => {
  const { table, deps } = await world([{}]);
  const down = {
    ...deps,
    entities: interpose(
      table.entities,
      failing(() => 'before'),
    ),
  };
  await expect(userRiskProfile(down, caller, 'ann')).rejects.toMatchObject({ code: 'unavailable' });
});
