import { randomUUID } from 'node:crypto';
import { entityNames } from '../../shared/domain/entities/entity-ref';
import { idempotencyClaim } from '../../shared/domain/idempotency';
import { ulidTimeMs } from '../../shared/domain/ulid';
import type { entityStore } from '../../shared/store/entities/entity-store';
import { type ScreenSubjectDeps, screenSubject } from '../../shared/usecases/screening/screen-subject';
import { callerOf, payment, screeningDeps } from '../support/stores/screening-deps';

type Moment = 'before' | 'after';

class Fault extends Error {
  override readonly name = 'TimeoutError';
}

/** Makes the n-th call of any port fail: before it was carried out, or after, when only its answer is lost. */
function withFault(deps: ScreenSubjectDeps, at: number, moment: Moment) {
  const calls: string[] = [];
  const wrap = <Port extends object>(name: string, port: Port): Port =>
    Object.fromEntries(
      Object.entries(port).map(([method, run]) => [
        method,
        async (...args: unknown[]) => {
          const isHit = calls.push(`${name}.${method}`) - 1 === at;
          if (isHit && moment === 'before') throw new Fault(`${name}.${method} was not carried out`);
          const result = await (run as (...given: unknown[]) => Promise<unknown>)(...args);
          if (isHit) throw new Fault(`the answer of ${name}.${method} was lost`);
          return result;
        },
      ]),
    ) as Port;
  return {
    calls,
    deps: {
      ...deps,
      entities: wrap('entities', deps.entities),
      claims: wrap('claims', deps.claims),
      screenings: wrap('screenings', deps.screenings),
    },
  };
}

async function countOf(deps: ScreenSubjectDeps, accountId: string, user: string): Promise<number> {
  const store = deps.entities as ReturnType<typeof entityStore>;
  const { key } = entityNames(accountId, await deps.pseudonyms()).user(user);
  return (await store.profile(accountId, 'user', key, Date.now()))?.transactions.total ?? 0;
}

const MOMENTS: readonly Moment[] = ['before', 'after'];
/** Calls of an ordinary screening with a key: claim, four entities, the write. */
const CALLS = 6;
const sweep = MOMENTS.flatMap((moment) => Array.from({ length: CALLS }, (_, at) => [moment, at] as const));

describe('a fault at every await of a screening', () => {
  it.each(sweep)('%s call %i: all of it or nothing, and a retry mends it', async (moment, at) => {
    const real = screeningDeps();
    const accountId = `acc_${randomUUID()}`;
    const claim = idempotencyClaim('POST', '/v1/transactions/screen', randomUUID(), payment());
    const { deps, calls } = withFault(real, at, moment);

    const first = await screenSubject(deps, callerOf(accountId), payment(), claim).catch((error: Error) => error);
    const hit = calls[at] ?? 'none';
    const counted = await countOf(real, accountId, 'user-1');
    if (first instanceof Error) {
      // Refused: no result. The count is the key's: it stays, and the retry below rests on it.
      expect(['claims.claim', 'screenings.insert']).toContain(hit);
      expect(counted).toBe(1);
    } else {
      expect(await real.screenings.find(accountId, first.record.ulid)).toEqual(first.record);
      const lostOne = hit === 'entities.recordAttempt';
      expect(first.record.missing.length).toBe(lostOne ? 1 : 0);
      const lostTheUsers = lostOne && first.record.missing.includes('user') && moment === 'before';
      expect(counted).toBe(lostTheUsers ? 0 : 1);
    }

    // Past the life of a claim whose holder died, the same key gives one result, whatever happened before.
    const later = { ...real, clock: { now: () => Date.now() + 11_000 } };
    const again = await screenSubject(later, callerOf(accountId), payment(), claim);
    expect(again.replayed).toBe(!(first instanceof Error));
    // Lists and tallies go by the time in the id.
    expect(ulidTimeMs(again.record.ulid)).toBe(again.record.screened_at_ms);
    if (!(first instanceof Error)) expect(again.record).toEqual(first.record);
    expect(await countOf(real, accountId, 'user-1')).toBe(first instanceof Error ? 1 : counted);
  });

  it.each(MOMENTS)('%s the write, without a key: no result, and the count is taken back', async (moment) => {
    const real = screeningDeps();
    const accountId = `acc_${randomUUID()}`;
    const write = CALLS - 2;
    const { deps, calls } = withFault(real, write, moment);
    const first = await screenSubject(deps, callerOf(accountId), payment()).catch((error: Error) => error);
    expect(calls[write]).toBe('screenings.insert');
    expect(first instanceof Error).toBe(moment === 'before');
    expect(await countOf(real, accountId, 'user-1')).toBe(first instanceof Error ? 0 : 1);
  });

  it('is a 503 when nobody can tell whether the result was written, and a retry finds it', async () => {
    const real = screeningDeps();
    const caller = callerOf(`acc_${randomUUID()}`);
    const claim = idempotencyClaim('POST', '/v1/transactions/screen', randomUUID(), payment());
    const insert: typeof real.screenings.insert = async (...args) => {
      await real.screenings.insert(...args);
      // The SDK sent it again when the first answer was lost.
      await real.screenings.insert(...args);
    };
    const find = () => Promise.reject(new Fault('the answer of the look was lost'));
    const deps = { ...real, screenings: { ...real.screenings, insert, find } };
    await expect(screenSubject(deps, caller, payment(), claim)).rejects.toMatchObject({ code: 'unavailable' });
    const again = await screenSubject(real, caller, payment(), claim);
    expect(again.replayed).toBe(true);
    expect(await countOf(real, caller.account_id, 'user-1')).toBe(1);
  });

  it('is scored without the histories that cannot be had, and says so', async () => {
    const real = screeningDeps();
    const accountId = `acc_${randomUUID()}`;
    const entities = {
      ...real.entities,
      recordAttempt: () => Promise.reject(Object.assign(new Error('slow'), { name: 'ThrottlingException' })),
    };
    const { record } = await screenSubject({ ...real, entities }, callerOf(accountId), payment());
    expect(record.missing).toEqual(['user', 'device', 'ip', 'card_fingerprint']);
    expect(record.risk_score).toBeGreaterThanOrEqual(0);
  });
});

describe('200 screenings of one user at once', () => {
  it('give 200 ranks and an exact count', async () => {
    const deps = screeningDeps();
    const accountId = `acc_${randomUUID()}`;
    const ranks: number[] = [];
    const entities = {
      ...deps.entities,
      recordAttempt: async (...args: Parameters<typeof deps.entities.recordAttempt>) => {
        const recorded = await deps.entities.recordAttempt(...args);
        if (recorded.ref.kind === 'user') ranks.push(recorded.history.transactions.total);
        return recorded;
      },
    };
    const one = () =>
      screenSubject(
        { ...deps, entities },
        callerOf(accountId),
        payment({ device_fingerprint: undefined, ip_address: undefined, custom_attributes: {} }),
      );
    await Promise.all(Array.from({ length: 200 }, one));
    expect([...ranks].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i));
    expect(await countOf(deps, accountId, 'user-1')).toBe(200);
  });
});
