import fc from 'fast-check';
import { requestMark } from '../../../shared/domain/entities/attempt-counts';
import { type Earning, earningOf, earningText } from '../../../shared/domain/entities/earning';
import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { type EntityRef, entityNames } from '../../../shared/domain/entities/entity-ref';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import type { EntitiesPort } from '../memory/memory-entities';
import { screened } from '../webhooks/changes';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';

let attempts = 0;
const payment = (atMs: number, change: Partial<Attempt> = {}): Attempt => ({
  attempt_id: `txn_${String(++attempts).padStart(26, '0')}`,
  at_ms: atMs,
  action: 'transaction',
  outcome: 'succeeded',
  amount: 25,
  currency: 'EUR',
  amount_usd: 27,
  user_id: 'ann',
  device: 'phone',
  ip: '91.0.0.1',
  country: 'DE',
  network: 'other',
  card: 'card-1',
  ...change,
});

const SECOND = 1_000;
const certain = { isCertain: true, limitMs: PATIENT_MS };
const uncertain = { isCertain: false, limitMs: PATIENT_MS };

/** Tests that every store of entities' histories must pass. */
export function describeEntitiesConformance(name: string, makePort: MakePort<EntitiesPort>, runs = 50): void {
  describe(`entities in ${name}`, () => {
    let entities: EntitiesPort;
    let account: string;
    let user: EntityRef;
    beforeEach(async () => {
      entities = await makePort();
      account = freshAccount();
      user = entityNames(account, PUBLIC_PSEUDONYMS).user('ann');
    });
    const recordAttempt = (attempt: Attempt) => entities.recordAttempt(account, user, attempt, PATIENT_MS);
    const profile = (nowMs = START_MS + 60 * SECOND) => entities.profile(account, 'user', user.key, nowMs);
    const total = async () => (await profile())?.transactions.total;

    it('tells what an entity had lived through before the attempt, and counts the attempt', async () => {
      expect(await profile()).toBeUndefined();
      const first = await recordAttempt(payment(START_MS));
      expect(first.history).toMatchObject({ first_seen_ms: undefined, transactions: { total: 0 } });
      const second = await recordAttempt(payment(START_MS + SECOND));
      expect(second.history).toMatchObject({
        first_seen_ms: START_MS,
        transactions: { total: 1, windows: { '10m': { count: 1 } } },
        tried: { devices: true },
      });
      expect(await profile()).toMatchObject({
        last_seen_ms: START_MS + SECOND,
        transactions: { total: 2 },
        distinct: { devices: 1, cards: 1 },
      });
    });

    it('makes nothing familiar by an attempt alone, only by earning it, and takes that back', async () => {
      const attempt = payment(START_MS);
      const { history } = await recordAttempt(attempt);
      const earning = earningOf(attempt, history, undefined, [0]) as Earning;
      const again = (await recordAttempt(payment(START_MS + SECOND))).history;
      expect(again.seen).toMatchObject({ devices: false, ips: false, cards: false, countries: false });
      expect(again).toMatchObject({ trusted_since_ms: undefined, last_place: undefined, amounts_usd: { count: 0 } });
      expect(again.distinct).toMatchObject({ devices: 1, cards: 1 });

      await entities.earn(account, user, { attempt, earning }, PATIENT_MS);
      const earned = (await recordAttempt(payment(START_MS + 2 * SECOND))).history;
      expect(earned.seen).toMatchObject({ devices: true, ips: true, cards: true, countries: true });
      expect(earned).toMatchObject({
        trusted_since_ms: START_MS,
        amounts_usd: { count: 1 },
        last_place: { country: 'DE' },
      });

      const record = screened(START_MS, { entities: [user.key], earning: earningText(earning) });
      await entities.unearn(account, user, record, PATIENT_MS);
      const after = (await recordAttempt(payment(START_MS + 3 * SECOND))).history;
      expect(after.seen).toMatchObject({ devices: false, ips: false, cards: false, countries: false });
      expect(after.amounts_by_currency).toEqual({});
    });

    it('trusts an entity from the first time on, and does not count what was stopped as established', async () => {
      const card = entityNames(account, PUBLIC_PSEUDONYMS).exact('attribute', 'x', 'card');
      const attempt = payment(START_MS);
      const record = (at: Attempt) => entities.recordAttempt(account, card, at, PATIENT_MS);
      await record(attempt);
      await entities.trust(account, card, START_MS, PATIENT_MS);
      await entities.trust(account, card, START_MS + 5, PATIENT_MS);
      const second = payment(START_MS + SECOND);
      await record(second);
      await entities.countStopped(account, card, second, PATIENT_MS);
      const { history } = await record(payment(START_MS + 5 * 86_400 * SECOND));
      expect(history).toMatchObject({
        trusted_since_ms: START_MS,
        transactions: { total: 2, stopped: 1, established: 1 },
        amounts_usd: { count: 1 },
      });
      const gone = entityNames(account, PUBLIC_PSEUDONYMS).exact('attribute', 'gone', 'card');
      await entities.trust(account, gone, START_MS, PATIENT_MS);
      expect(await entities.profile(account, 'attribute', gone.key, START_MS)).toBeUndefined();
    });

    it('keeps accounts and entities apart', async () => {
      await recordAttempt(payment(START_MS));
      const other = freshAccount();
      expect(await entities.profile(other, 'user', user.key, START_MS)).toBeUndefined();
      const elsewhere = await entities.recordAttempt(other, user, payment(START_MS), PATIENT_MS);
      expect(elsewhere.history.transactions.total).toBe(0);
      expect(await total()).toBe(1);
    });

    it('counts an attempt once, and answers its repeat as it answered the first', async () => {
      await recordAttempt(payment(START_MS));
      const attempt = payment(START_MS + SECOND);
      const first = await recordAttempt(attempt);
      const again = await recordAttempt(attempt);
      expect(again.counted_by).toBeUndefined();
      expect(again.history.transactions).toEqual(first.history.transactions);
      expect(await total()).toBe(2);
    });

    it('counts requests with one repeat key once, and says which of them it counted', async () => {
      const repeat_key = `key-${freshAccount()}`;
      const requests = [0, 1, 2].map((after) => payment(START_MS + after * SECOND, { repeat_key }));
      const recorded = await Promise.all(requests.map(recordAttempt));
      const marks = recorded.map(({ counted_by }) => counted_by);
      const winner = marks.indexOf(undefined);
      const mark = requestMark(requests[winner] as Attempt);
      expect(marks).toEqual(requests.map((_request, index) => (index === winner ? undefined : mark)));
      expect(recorded.map(({ history }) => history.transactions.total)).toEqual([0, 0, 0]);
      expect(await total()).toBe(1);
    });

    it('takes an attempt back once, however often it is asked to', async () => {
      const attempt = payment(START_MS);
      await recordAttempt(payment(START_MS - SECOND));
      await recordAttempt(attempt);
      await Promise.all([1, 2, 3].map(() => entities.removeAttempt(account, user, attempt, certain)));
      expect(await total()).toBe(1);
      expect((await profile())?.transactions.windows['10m']).toEqual({ count: 1, amount_usd: 27 });
    });

    it('takes back what is not certain only where the attempt left its mark', async () => {
      const [seen, unseen] = [payment(START_MS), payment(START_MS + SECOND)];
      await recordAttempt(seen);
      await entities.removeAttempt(account, user, unseen, uncertain);
      expect(await total()).toBe(1);
      await entities.removeAttempt(account, user, seen, uncertain);
      expect(await total()).toBe(0);
    });

    it('makes no entity by taking back', async () => {
      await entities.removeAttempt(account, user, payment(START_MS), certain);
      await entities.removeAttempt(account, user, payment(START_MS), uncertain);
      expect(await profile()).toBeUndefined();
    });

    it('refuses an attempt that comes after it was taken back', async () => {
      const repeat_key = `key-${freshAccount()}`;
      const attempt = payment(START_MS, { repeat_key });
      await recordAttempt(attempt);
      await entities.removeAttempt(account, user, attempt, certain);
      await recordAttempt(payment(START_MS + SECOND, { repeat_key }));
      expect(await total()).toBe(0);
    });

    it('comes to the same sums in whatever order attempts are made, repeated and taken back', async () => {
      const plan = fc.array(
        fc.record({
          at: fc.integer({ min: 0, max: 50 }),
          amount: fc.integer({ min: 1, max: 900 }),
          repeats: fc.nat(2),
          isUndone: fc.boolean(),
        }),
        { minLength: 1, maxLength: 5 },
      );
      await fc.assert(
        fc.asyncProperty(plan, async (made) => {
          const own = freshAccount();
          const ref = entityNames(own, PUBLIC_PSEUDONYMS).exact('attribute', 'x');
          const all = made.map(({ at, amount, ...rest }) => ({
            ...rest,
            attempt: payment(START_MS + at * SECOND, { amount, amount_usd: amount }),
          }));
          for (const { attempt, repeats, isUndone } of all) {
            // A repeat comes while the mark of the attempt is still there.
            for (let time = 0; time <= repeats; time++) await entities.recordAttempt(own, ref, attempt, PATIENT_MS);
            if (isUndone) await entities.removeAttempt(own, ref, attempt, certain);
          }
          const kept = all.filter(({ isUndone }) => !isUndone);
          const found = await entities.profile(own, 'attribute', ref.key, START_MS + 60 * SECOND);
          expect(found?.transactions.total).toBe(kept.length);
          expect(found?.transactions.windows['10m']).toEqual({
            count: kept.length,
            amount_usd: kept.reduce((sum, { attempt }) => sum + (attempt.amount_usd ?? 0), 0),
          });
        }),
        { numRuns: runs },
      );
    });
  });
}
