import type { CaseClass } from '../../domain/cases/case-tally';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { dayTallyPk, dayTallySk, hourTallyKey, tallyStepKey } from '../keys';
import type { Key } from '../sdk/key';
import type { TransactItem } from '../sdk/transact';
import { counterName, dayName, hourName, tallyPosition } from './case-index';

export const TALLY_STEP = 'tally-step';

export const FOLDS = 'folds';

/** How much a change adds to each class, or takes from it. */
export type ClassSteps = ReadonlyArray<readonly [CaseClass, number]>;

/** Additions to a tally item, by counter name. */
type CounterSteps = ReadonlyArray<readonly [string, number]>;

/** A day longer than its cases live: by then nobody needs it. */
export const tallyTtl = (dayMs: number): number => Math.ceil((dayMs + RETENTION_MS) / 1000) + 2 * 86_400;

export const tallyUpdate = (key: Key, dayMs: number, steps: CounterSteps): TransactItem => ({
  Update: {
    Key: { ...key },
    UpdateExpression: `ADD ${steps.map((_, i) => `#${i} :${i}`).join(', ')} SET entity = :entity, #ttl = :ttl`,
    ExpressionAttributeNames: { '#ttl': 'ttl', ...Object.fromEntries(steps.map(([name], i) => [`#${i}`, name])) },
    ExpressionAttributeValues: {
      ':entity': 'case-tally',
      ':ttl': tallyTtl(dayMs),
      ...Object.fromEntries(steps.map(([, step], i) => [`:${i}`, step])),
    },
  },
});

/** The two counters of a case, with the items that they are in: its day's by hour, its hour's by minute. */
export function tallyTargets(accountId: string, shard: number, ulid: string) {
  const { dayMs, hour, hourMs, minute } = tallyPosition(ulid);
  const day = dayName(dayMs);
  return [
    { dayMs, key: { pk: dayTallyPk(accountId, shard), sk: dayTallySk(day) }, part: hour },
    { dayMs, key: hourTallyKey(accountId, shard, day, hourName(hourMs)), part: minute },
  ];
}

/** Counts a change of a case in the tallies themselves: exact at once, but two such changes may conflict. */
export const countedSteps = (
  accountId: string,
  { ulid, shard }: { readonly ulid: string; readonly shard: number },
  steps: ClassSteps,
): TransactItem[] =>
  tallyTargets(accountId, shard, ulid).map(({ dayMs, key, part }) =>
    tallyUpdate(
      key,
      dayMs,
      steps.map(([caseClass, step]) => [counterName(caseClass, part), step]),
    ),
  );

/** Notes a change of a case outside the tallies, in an item that nobody else writes: it conflicts with nothing. */
export function notedSteps(
  accountId: string,
  { ulid, shard }: { readonly ulid: string; readonly shard: number },
  steps: ClassSteps,
): TransactItem {
  const name = steps.map(([caseClass, step]) => `${caseClass}${step}`).join();
  return {
    Update: {
      Key: tallyStepKey(accountId, shard, ulid, name),
      UpdateExpression: 'SET entity = :entity, steps = :steps, #ttl = :ttl',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':entity': TALLY_STEP,
        ':steps': Object.fromEntries(steps),
        ':ttl': tallyTtl(tallyPosition(ulid).dayMs),
      },
    },
  };
}
