import { requestMark } from '../../../shared/domain/entities/attempt-counts';
import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { type EntityRef, entityNames } from '../../../shared/domain/entities/entity-ref';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import {
  type HistoryPorts,
  historySource,
  type RecordedEntity,
  type RemoveAttemptOptions,
} from '../../../shared/usecases/screening/sources/histories';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryTable } from '../../support/memory/memory-table';
import { payment, preparedOf } from '../../support/payment';

const NOW = Date.UTC(2026, 2, 1, 12);
const attempt = {
  ...{ attempt_id: 'txn_1', at_ms: NOW, action: 'transaction', outcome: 'succeeded', user_id: 'ann' },
  ...{ amount: 10, currency: 'EUR', amount_usd: 11, device: 'phone' },
} as Attempt;
const user = entityNames('acc_1').user('ann');
const device = entityNames('acc_1').exact('device', 'phone');
const refs = [user, device];
const prepared = preparedOf(payment(), { attempt, refs });
const undo = (deps: HistoryPorts, recorded: readonly RecordedEntity[], stored?: Pick<ScreeningRecord, 'counted_by'>) =>
  historySource.undo?.(deps, prepared, { recorded, missing: [] }, stored as ScreeningRecord | undefined);

/** An attempt that user and device have counted, each after an earlier one, and what is removed of it. */
async function world() {
  const { entities } = memoryTable();
  const recorded: RecordedEntity[] = [];
  for (const ref of refs) {
    await entities.recordAttempt('acc_1', ref, { ...attempt, attempt_id: 'txn_0', at_ms: NOW - 1_000 });
    recorded.push(await entities.recordAttempt('acc_1', ref, attempt));
  }
  const removed: [EntityRef['kind'], boolean][] = [];
  const watched = {
    ...entities,
    removeAttempt: (account: string, ref: EntityRef, each: Attempt, how: RemoveAttemptOptions) => {
      removed.push([ref.kind, how.isCertain]);
      return entities.removeAttempt(account, ref, each, how);
    },
  };
  /** Payments that user and device count. */
  const counted = async (): Promise<(number | undefined)[]> => {
    const profiles = await Promise.all(refs.map((ref) => entities.profile('acc_1', ref.kind, ref.key, NOW)));
    return profiles.map((profile) => profile?.transactions.total);
  };
  return { deps: { entities: watched }, entities, recorded, removed, counted };
}

it('takes an attempt back from every entity that counted it, and leaves the earlier one', async () => {
  const { deps, recorded, removed, counted } = await world();
  expect(await counted()).toEqual([2, 2]);
  await undo(deps, recorded);
  expect(removed).toEqual([
    ['user', true],
    ['device', true],
  ]);
  expect(await counted()).toEqual([1, 1]);
});

it('is not certain of an entity that never responded', async () => {
  const { deps, recorded, removed } = await world();
  await undo(deps, recorded.slice(0, 1));
  expect(removed).toEqual([
    ['user', true],
    ['device', false],
  ]);
});

it('leaves what another request with the same key counted', async () => {
  const { deps, recorded, removed, counted } = await world();
  const theirs = recorded.map((each) => (each.ref === user ? { ...each, counted_by: 'another' } : each));
  await undo(deps, theirs);
  expect(removed).toEqual([['device', true]]);
  expect(await counted()).toEqual([2, 1]);
});

it('takes back from the others what one entity fails to remove, and does not fail itself', async () => {
  const { entities, recorded, counted } = await world();
  const broken = interpose(
    entities,
    failing((_call, nth) => (nth === 0 ? 'before' : undefined)),
  );
  await undo({ entities: broken }, recorded);
  expect(await counted()).toEqual([2, 1]);
});

it('leaves the count of a repeat that the stored screening relies on, and takes back the rest', async () => {
  const { deps, recorded, counted } = await world();
  const stored = { counted_by: { [user.key]: requestMark(attempt), [device.key]: 'another' } };
  await undo(deps, recorded, stored);
  expect(await counted()).toEqual([2, 1]);
  const later = await world();
  await undo(later.deps, later.recorded, {});
  expect(await later.counted()).toEqual([1, 1]);
});
