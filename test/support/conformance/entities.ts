import fc from 'fast-check';
import type { Attempt } from '../../../shared/domain/entities/entity-history';
import { type EntityRef, entityNames } from '../../../shared/domain/entities/entity-ref';
import { requestMark } from '../../../shared/domain/entities/request-mark';
import type { EntitiesPort } from '../memory/memory-entities';
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

/** What every store of entities' histories must do. */
export function describeEntitiesConformance(name: string, makePort: MakePort<EntitiesPort>, runs = 50): void {
  describe(`entities in ${name}`, () => {
    let entities: EntitiesPort;
    let account: string;
    let user: EntityRef;
    beforeEach(async () => {
      entities = await makePort();
      account = freshAccount();
      user = entityNames(account).user('ann');
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
        seen: { devices: true },
        last_place: { country: 'DE' },
      });
      expect(await profile()).toMatchObject({
        last_seen_ms: START_MS + SECOND,
        transactions: { total: 2 },
        amounts_by_currency: { EUR: { count: 2 } },
        recent_devices: [{ last_seen_ms: START_MS + SECOND }],
        countries: ['DE'],
      });
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
      expect(again.counted_by).toBe(requestMark(attempt));
      expect(again.history.transactions).toEqual(first.history.transactions);
      expect(await total()).toBe(2);
    });

    it('counts requests with one repeat key once, and says which of them it counted', async () => {
      const repeat_key = `key-${freshAccount()}`;
      const requests = [0, 1, 2].map((after) => payment(START_MS + after * SECOND, { repeat_key }));
      const recorded = await Promise.all(requests.map(recordAttempt));
      const [mark] = recorded.map(({ counted_by }) => counted_by);
      expect(requests.map(requestMark)).toContain(mark);
      expect(recorded.map(({ counted_by }) => counted_by)).toEqual([mark, mark, mark]);
      expect(recorded.map(({ history }) => history.transactions.total)).toEqual([0, 0, 0]);
      expect(await total()).toBe(1);
    });

    it('takes an attempt back once, however often it is asked to', async () => {
      const attempt = payment(START_MS);
      await recordAttempt(payment(START_MS - SECOND));
      await recordAttempt(attempt);
      await Promise.all([1, 2, 3].map(() => entities.removeAttempt(account, user, attempt, certain)));
      expect(await total()).toBe(1);
      expect((await profile())?.amounts_by_currency.EUR).toMatchObject({ count: 1 });
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

    it('counts decisions against a user, and takes them back', async () => {
      await recordAttempt(payment(START_MS));
      const count = (decision: 'review' | 'block', step: 1 | -1) =>
        entities.countDecision(account, user.key, { decision, step, atMs: START_MS }, PATIENT_MS);
      await Promise.all([count('review', 1), count('review', 1), count('block', 1)]);
      await count('review', -1);
      expect((await profile())?.decisions).toEqual({ review: 1, block: 1 });
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
          const ref = entityNames(own).exact('attribute', 'x');
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
