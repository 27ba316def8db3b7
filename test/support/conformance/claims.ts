import fc from 'fast-check';
import { type ClaimHolder, IDEMPOTENCY_WINDOW_MS } from '../../../shared/domain/idempotency';
import type { ClaimsPort } from '../memory/memory-claims';
import { freshAccount, type MakePort, PATIENT_MS, START_MS } from './fresh-account';

const claimOf = (scope: string, body_hash = 'body') => ({ scope, body_hash });
const at = (nowMs: number) => ({ nowMs, limitMs: PATIENT_MS });

interface Step {
  readonly do: 'claim' | 'release' | 'takeOver';
  readonly by: string;
  /** Take-overs only: whether it saw the holder as it is, or as it was before. */
  readonly seen?: 'now' | 'before';
}

const by = fc.constantFrom('A', 'B', 'C');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: by.map<Step>((each) => ({ do: 'claim', by: each })) },
  { weight: 1, arbitrary: by.map<Step>((each) => ({ do: 'release', by: each })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(by, fc.constantFrom<'now' | 'before'>('now', 'before'))
      .map<Step>(([each, seen]) => ({ do: 'takeOver', by: each, seen })),
  },
);

/** Tests that every store of claims must pass. */
export function describeClaimsConformance(name: string, makePort: MakePort<ClaimsPort>, runs = 100): void {
  describe(`claims of an Idempotency-Key in ${name}`, () => {
    let claims: ClaimsPort;
    let account: string;
    beforeEach(async () => {
      claims = await makePort();
      account = freshAccount();
    });
    const claim = (ulid: string, nowMs = START_MS, scope = 'scope') =>
      claims.claim(account, claimOf(scope), { ulid, ...at(nowMs) });

    it('has one holder, whom all others learn of', async () => {
      const holders = await Promise.all(['A', 'B', 'C', 'D'].map((ulid) => claim(ulid)));
      const winner = ['A', 'B', 'C', 'D'][holders.indexOf(undefined)];
      expect(holders.filter((holder) => holder === undefined)).toHaveLength(1);
      const losers = holders.filter((holder) => holder !== undefined);
      expect(losers.map(({ ulid }) => ulid)).toEqual([winner, winner, winner]);
      const late = await claims.claim(account, claimOf('scope', 'other'), { ulid: 'E', ...at(START_MS + 5) });
      expect(late).toMatchObject({ ulid: winner, body_hash: 'body', claimed_at_ms: START_MS });
    });

    it('takes a holder that claims again for itself: its own first call may have landed unseen', async () => {
      await claim('A');
      expect(await claim('A', START_MS + 300)).toBeUndefined();
      expect(await claim('B', START_MS + 400)).toMatchObject({ ulid: 'A', claimed_at_ms: START_MS });
    });

    it('keeps accounts and scopes apart', async () => {
      await claim('A');
      expect(await claim('B', START_MS, 'another')).toBeUndefined();
      expect(await claims.claim(freshAccount(), claimOf('scope'), { ulid: 'B', ...at(START_MS) })).toBeUndefined();
    });

    it('is free again after 24 hours to the millisecond', async () => {
      await claim('A');
      expect(await claim('B', START_MS + IDEMPOTENCY_WINDOW_MS - 1)).toMatchObject({ ulid: 'A' });
      expect(await claim('B', START_MS + IDEMPOTENCY_WINDOW_MS)).toBeUndefined();
    });

    it('is taken over by one of those who saw the same dead holder, under the same id', async () => {
      await claim('A');
      const holder = (await claim('B')) as ClaimHolder;
      const takeOver = () => claims.takeOver(account, claimOf('scope'), holder, at(START_MS + 10_000));
      const taken = await Promise.all([takeOver(), takeOver(), takeOver()]);
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await claim('C', START_MS + 10_001)).toMatchObject({ ulid: 'A', claimed_at_ms: START_MS + 10_000 });
    });

    it('is not taken over once it was given back, and that is an answer, not an error', async () => {
      await claim('A');
      const holder = (await claim('B')) as ClaimHolder;
      await claims.release(account, claimOf('scope'), 'A', PATIENT_MS);
      expect(await claims.takeOver(account, claimOf('scope'), holder, at(START_MS + 10_000))).toBe(false);
      expect(await claim('B')).toBeUndefined();
    });

    it('is given back by its holder only', async () => {
      await claim('A');
      await claims.release(account, claimOf('scope'), 'B', PATIENT_MS);
      expect(await claim('B')).toMatchObject({ ulid: 'A' });
      await claims.release(account, claimOf('scope'), 'A', PATIENT_MS);
      await claims.release(account, claimOf('scope'), 'A', PATIENT_MS);
      expect(await claim('B')).toBeUndefined();
    });

    it('follows the rules in whatever order it is claimed, taken over and released', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
          const own = freshAccount();
          let model: ClaimHolder | undefined;
          for (const [index, each] of steps.entries()) {
            const nowMs = START_MS + index;
            if (each.do === 'claim') {
              const holder = await claims.claim(own, claimOf('scope'), { ulid: each.by, ...at(nowMs) });
              expect(holder?.ulid).toBe(model?.ulid === each.by ? undefined : model?.ulid);
              model ??= { ulid: each.by, body_hash: 'body', claimed_at_ms: nowMs };
            } else if (each.do === 'release') {
              await claims.release(own, claimOf('scope'), each.by, PATIENT_MS);
              if (model?.ulid === each.by) model = undefined;
            } else {
              const claimed_at_ms = (model?.claimed_at_ms ?? START_MS) - (each.seen === 'now' ? 0 : 1);
              const from = { ulid: each.by, body_hash: 'body', claimed_at_ms };
              const isHeld: boolean = model?.ulid === each.by && each.seen === 'now';
              expect(await claims.takeOver(own, claimOf('scope'), from, at(nowMs))).toBe(isHeld);
              if (isHeld) model = { ...from, claimed_at_ms: nowMs };
            }
          }
        }),
        { numRuns: runs },
      );
    });
  });
}
