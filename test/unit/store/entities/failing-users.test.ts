import fc from 'fast-check';
import { live, newLife, START_MS } from '../../../../bench/support/live-through';
import type { Attempt } from '../../../../shared/domain/entities/entity-history';
import { surplusMembers } from '../../../../shared/store/entities/failing-users';
import { readHistory } from '../../../../shared/store/entities/read-history';
import { bucketName, LEVELS, staleAgeMs } from '../../../../shared/store/entities/time-buckets';
import { itemSize } from '../../../../shared/store/sdk/attribute-value';

const MINUTE_MS = 60_000;

let attempts = 0;
const login = (user_id: string, at_ms: number, outcome: Attempt['outcome'] = 'failed'): Attempt => ({
  attempt_id: `evt_${++attempts}`,
  at_ms,
  action: 'login',
  outcome,
  user_id,
  device: 'device',
  ip: 'ip',
});

/** An IP address after these failed logins: user and seconds since the start. */
function lifeWith(logins: ReadonlyArray<readonly [string, number]>) {
  const life = newLife('ip');
  for (const [user, seconds] of logins) live(life, login(user, START_MS + seconds * 1000));
  return life;
}

const failingAt = (life: ReturnType<typeof newLife>, seconds: number) =>
  readHistory('ip', life.item, START_MS + seconds * 1000).failing_users;

describe('the users whose logins failed', () => {
  it('are counted once each, however often they fail', () => {
    const life = lifeWith(Array.from({ length: 60 }, (_, n) => [`user-${n % 7}`, n] as const));
    expect(failingAt(life, 60)?.count).toBe(7);
  });

  it('are not those whose logins succeeded, nor of payments', () => {
    const life = newLife('ip');
    live(life, login('ann', START_MS, 'succeeded'));
    live(life, { ...login('ben', START_MS), action: 'transaction' });
    expect(failingAt(life, 1)).toEqual({ count: 0, includes_user: false, last_spray_ms: undefined });
  });

  it('tell whether the user of the attempt is among them', () => {
    const life = lifeWith([['ann', 0]]);
    const readBy = (user: string) => readHistory('ip', life.item, login(user, START_MS + 1000)).failing_users;
    expect([readBy('ann')?.includes_user, readBy('ben')?.includes_user]).toEqual([true, false]);
  });

  it('are those of the last five minutes, and of at most half a minute more', () => {
    const plan = fc.array(fc.tuple(fc.nat(30), fc.nat(1_200)), { maxLength: 60 });
    fc.assert(
      fc.property(plan, fc.integer({ min: 0, max: 1_300 }), (logins, now) => {
        const past = logins.filter(([, seconds]) => seconds <= now).sort((a, b) => a[1] - b[1]);
        const within = (seconds: number) =>
          new Set(past.filter(([, at]) => at > now - seconds).map(([user]) => user)).size;
        const found = failingAt(lifeWith(past.map(([user, at]) => [`user-${user}`, at])), now)?.count ?? -1;
        expect(found).toBeGreaterThanOrEqual(within(300));
        expect(found).toBeLessThanOrEqual(within(331));
      }),
      { numRuns: 200 },
    );
  });

  it('make a spray from the 15th on, which is remembered', () => {
    const spray = (users: number) => lifeWith(Array.from({ length: users }, (_, n) => [`user-${n}`, n * 10] as const));
    expect(failingAt(spray(14), 200)).toMatchObject({ count: 14, last_spray_ms: undefined });
    expect(failingAt(spray(15), 200)).toMatchObject({ count: 15, last_spray_ms: START_MS + 140_000 });
    expect(failingAt(spray(15), 3_000)).toMatchObject({ count: 0, last_spray_ms: START_MS + 140_000 });
  });

  it('take a bounded part of the item, and a thousand of them still read as a spray', () => {
    const life = lifeWith(Array.from({ length: 1_000 }, (_, n) => [`user-${n}`, n / 4] as const));
    expect(life.largestBytes).toBeLessThanOrEqual(1_000);
    expect(failingAt(life, 250)?.count).toBeGreaterThanOrEqual(20);
  });

  it('leave nothing behind but the time once they are over', () => {
    const life = lifeWith(Array.from({ length: 20 }, (_, n) => [`user-${n}`, n] as const));
    const before = itemSize(life.item);
    live(life, login('late', START_MS + 16 * MINUTE_MS));
    expect(itemSize(life.item)).toBeLessThan(before - 60);
  });

  it('are in sets whose names go stale, at any time of the year, and are never those of anything else', () => {
    const names = new Set<string>();
    for (let day = 0; day < 265; day++) {
      for (const level of LEVELS) {
        const index = Math.floor((START_MS + day * 86_400_000) / level.bucketMs);
        const name = bucketName(level, index);
        const isOurs = staleAgeMs(name, START_MS + day * 86_400_000);
        const isGone = staleAgeMs(name, START_MS + (day + 100) * 86_400_000) ?? 0;
        expect([level.window, isOurs, isGone > 0]).toEqual([level.window, 0, true]);
        names.add(`${name} ${LEVELS.indexOf(level)}`);
      }
    }
    expect(new Set([...names].map((each) => each.split(' ')[0])).size).toBe(names.size);
  });

  it('lose the earliest first when there are too many', () => {
    const members = Array.from(
      { length: 30 },
      (_, n) => `u${String.fromCharCode(65 + (n >> 4), 65 + (n & 15))}${'ABCDEFGHIJ'[n % 10]}`,
    );
    const surplus = surplusMembers(members);
    expect(surplus).toHaveLength(10);
    expect(new Set(surplus.map((member) => member.charAt(3)))).toEqual(new Set(['A', 'B', 'C', 'D']));
  });
});
