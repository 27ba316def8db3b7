import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { ruleCounter } from '../../../shared/domain/overview/overview-counters';
import { countMatches } from '../../../shared/usecases/rules/count-matches';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-14T09:30:00Z');
const caller = { account_id: 'acc_1', key_id: 'key_1', settings: DEFAULT_SETTINGS };

/** Counters of hours, so many hours ago. */
const counted = (...hours: ReadonlyArray<readonly [hoursAgo: number, matches: number]>) =>
  new Map(
    hours.map(([ago, matches]) => [
      Math.floor((NOW - ago * HOUR) / HOUR) * HOUR,
      new Map([[ruleCounter('gift_cards'), matches]]),
    ]),
  );

const reading = (hours: ReturnType<typeof counted>) => {
  const asked: string[] = [];
  const counts = {
    read: async (accountId: string) => {
      asked.push(accountId);
      return hours;
    },
  };
  return { asked, deps: { clock: { now: () => NOW }, counts } };
};

it('adds up the last day and the last week, of its own account', async () => {
  const { deps, asked } = reading(counted([0, 1], [23, 10], [48, 100], [167, 1_000]));
  const matches = await countMatches(deps, caller, ['gift_cards', 'never']);
  expect(matches.get('gift_cards')).toEqual({ last_24h: 11, last_7d: 1_111 });
  expect(matches.get('never')).toEqual({ last_24h: 0, last_7d: 0 });
  expect(asked).toEqual(['acc_1']);
});

it('reads nothing for an account without rules', async () => {
  const { deps, asked } = reading(counted());
  expect((await countMatches(deps, caller, [])).size).toBe(0);
  expect(asked).toEqual([]);
});
