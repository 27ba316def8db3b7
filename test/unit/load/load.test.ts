import { CASE_TRANSACTION, capacityMeter, hottest, isStatusOnly, totalUnits } from '../../../bench/load/capacity-meter';
import { type Intent, LOAD_FRAUDS, traffic } from '../../../bench/load/traffic';
import { wireBytes, writeUnits } from '../../../bench/support/wire-size';
import type { AwsCall } from '../../../local/aws/call';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import { caseDuePk, caseKey, caseListPk, entityKey, resultKey } from '../../../shared/store/keys';
import { zipfRank } from '../../../training/simulation/random-draws';

describe('traffic', () => {
  const size = { accounts: 5, usersPerAccount: 50_000 };
  const take = (count: number, seed: number): Intent[] => {
    const intents = traffic(seed, size);
    return Array.from({ length: count }, () => intents.next().value);
  };

  describe('the traffic of a load', () => {
    it('is the same for the same seed, and another for another', () => {
      expect(take(2_000, 7)).toEqual(take(2_000, 7));
      expect(take(2_000, 7)).not.toEqual(take(2_000, 8));
    });

    it('is mostly screenings, with reads, reviews, retries and every kind of attack among them', () => {
      const intents = take(20_000, 1);
      const share = (matches: (intent: Intent) => boolean): number => intents.filter(matches).length / intents.length;
      expect(share(({ kind }) => kind === 'screen-transaction')).toBeGreaterThan(0.6);
      expect(share(({ kind }) => kind === 'screen-event')).toBeGreaterThan(0.15);
      for (const kind of ['get-transaction', 'get-risk-profile', 'list-cases', 'resolve-case', 'review-decision']) {
        expect([kind, share((intent) => intent.kind === kind) > 0.003]).toEqual([kind, true]);
      }
      const frauds = new Set(intents.flatMap((intent) => ('fraud' in intent ? [intent.fraud] : [])));
      expect([...frauds].sort()).toEqual([...LOAD_FRAUDS].sort());
      const keys = intents.flatMap((intent) => ('idempotencyKey' in intent ? [intent.idempotencyKey] : []));
      expect(new Set(keys).size).toBeLessThan(keys.length);
    });

    it('is uneven: one account has more than a third, and a few merchants most of the sales', () => {
      const intents = take(20_000, 1);
      const ofFirst = intents.filter(({ account }) => account === 0).length / intents.length;
      expect(ofFirst).toBeGreaterThan(0.33);
      expect(new Set(intents.map(({ account }) => account)).size).toBe(5);
    });
  });

  describe('a rank by Zipf’s law', () => {
    it('has the share that the law says, and stays in its bounds', () => {
      const random = seededRandom(3);
      const ranks = Array.from({ length: 100_000 }, () => zipfRank(1_000, 10, random));
      expect(Math.min(...ranks)).toBe(0);
      expect(Math.max(...ranks)).toBeLessThan(1_000);
      const share = (rank: number): number => ranks.filter((each) => each === rank).length / ranks.length;
      const law = (rank: number): number => Math.log((rank + 11) / (rank + 10)) / Math.log(1_010 / 10);
      for (const rank of [0, 1, 10]) expect(share(rank) / law(rank)).toBeCloseTo(1, 0);
    });
  });
});

describe('capacity meter', () => {
  const wire = ({ pk, sk }: { pk: string; sk: string }) => ({ pk: { S: pk }, sk: { S: sk } });
  const ULID = '01K9ZC3V5T8QJ4M2N6P7R8S9TB';

  function metered() {
    const meter = capacityMeter();
    const call = (operation: string, input: object, consumed: number | undefined, caller = 'ScreenTransaction') =>
      meter.intercept(
        { service: 'dynamodb', operation, input, caller, access: [] } as AwsCall & { caller: string },
        async () => ({ status: 200, body: JSON.stringify({ ConsumedCapacity: { CapacityUnits: consumed } }) }),
      );
    return { meter, call };
  }

  describe('the capacity meter', () => {
    it('takes a plain write as DynamoDB reports it, by caller, kind and key', async () => {
      const { meter, call } = metered();
      const Key = wire(entityKey('acc', 'user#x'));
      await call('UpdateItem', { Key }, 2);
      await call('UpdateItem', { Key }, 1);
      expect(meter.uses.get('ScreenTransaction UpdateItem ENTITY/ENTITY')).toEqual({
        calls: 2,
        writeUnits: 3,
        readUnits: 0,
      });
      expect([...meter.byKey]).toEqual([['ENTITY#acc#user#x', 3]]);
    });

    it('counts a transaction by AWS’s rule: two units a kilobyte begun of each item, and its index entries', async () => {
      const { meter, call } = metered();
      const caseItem = { ...wire(caseKey('acc', ULID)), due_pk: { S: caseDuePk(1) }, notes: { S: 'n'.repeat(1_500) } };
      const entry = { pk: { S: caseListPk('acc', '2026-11-14', 1, 'all') }, sk: { S: ULID } };
      await call('TransactWriteItems', { TransactItems: [{ Put: { Item: caseItem } }, { Put: { Item: entry } }] }, 2);
      // 2 × 2 for the large one, 2 × 1 for the small one, 1 for the index.
      expect(meter.uses.get(`ScreenTransaction ${CASE_TRANSACTION}`)?.writeUnits).toBe(7);
      expect([...meter.byIndexKey]).toEqual([['DUE#case#1', 1]]);

      // An update inside a transaction: as large as the item was, and out of the index again.
      const update = { Key: wire(caseKey('acc', ULID)), UpdateExpression: 'SET #s = :s REMOVE due_pk, due_sk' };
      await call('TransactWriteItems', { TransactItems: [{ Update: update }] }, 1, 'ResolveCase');
      expect(meter.uses.get(`ResolveCase ${CASE_TRANSACTION}`)?.writeUnits).toBe(5);
      expect(totalUnits(meter.byIndexKey)).toBe(2);
    });

    it('takes an updated item as it was put, with what the update adds, and others as the largest of their kind', async () => {
      const { meter, call } = metered();
      const put = (ulid: string, bytes: number) =>
        call('PutItem', { Item: { ...wire(caseKey('acc', ulid)), notes: { S: 'n'.repeat(bytes) } } }, 1);
      const [small, unseen] = [`${ULID.slice(0, -1)}C`, `${ULID.slice(0, -1)}D`];
      await put(ULID, 1_500);
      await put(small, 700);
      const update = async (ulid: string, bytes: number) => {
        const before = meter.uses.get(`ResolveCase ${CASE_TRANSACTION}`)?.writeUnits ?? 0;
        const values = { ExpressionAttributeValues: { ':notes': { S: 'n'.repeat(bytes) } } };
        const Update = { Key: wire(caseKey('acc', ulid)), UpdateExpression: 'SET notes = :notes', ...values };
        await call('TransactWriteItems', { TransactItems: [{ Update }] }, 1, 'ResolveCase');
        return (meter.uses.get(`ResolveCase ${CASE_TRANSACTION}`)?.writeUnits ?? 0) - before;
      };
      expect([await update(ULID, 10), await update(small, 10), await update(small, 500)]).toEqual([4, 2, 4]);
      expect(await update(unseen, 10)).toBe(4);
    });

    it('charges the history index for what it holds, and not for an update of anything else', async () => {
      const { meter, call } = metered();
      const update = (UpdateExpression: string) =>
        call(
          'TransactWriteItems',
          { TransactItems: [{ Update: { Key: wire(resultKey('acc', ULID)), UpdateExpression } }] },
          1,
        );
      await update('SET kept_until_ms = :until');
      expect(meter.uses.get('ScreenTransaction TransactWriteItems')?.writeUnits).toBe(2);
      await update('ADD review_count :one');
      expect(meter.uses.get('ScreenTransaction TransactWriteItems')?.writeUnits).toBe(5);
    });

    it('knows an index key that an update sets behind a placeholder', async () => {
      const { meter, call } = metered();
      const Key = wire(caseKey('acc', ULID));
      const names = { ExpressionAttributeNames: { '#due': 'due_pk' } };
      const values = { ExpressionAttributeValues: { ':due': { S: 'DUE#delivery#3' } } };
      await call('UpdateItem', { Key, UpdateExpression: 'SET #due = :due', ...names, ...values }, 2);
      expect([...meter.byIndexKey]).toEqual([['DUE#delivery#3', 1]]);
    });

    it('charges a read that finds nothing', async () => {
      const { meter, call } = metered();
      const query = { ExpressionAttributeValues: { ':pk': { S: 'CASES#acc#d#1#all' } }, ConsistentRead: true };
      await call('Query', query, 0, 'ListCases');
      expect([...meter.readsByKey]).toEqual([['CASES#acc#d#1#all', 1]]);
    });

    it('leaves the administrator and other services alone', async () => {
      const { meter, call } = metered();
      expect(await call('PutItem', { Item: wire(caseKey('a', ULID)) }, 1, 'admin')).toBeUndefined();
      expect(meter.uses.size).toBe(0);
    });
  });

  describe('sizes and keys', () => {
    it('counts an item as DynamoDB does', () => {
      const item = {
        pk: { S: 'ä' },
        n: { N: '-12345' },
        l: { L: [{ S: 'a' }, { N: '1' }] },
        m: { M: { x: { BOOL: true } } },
      };
      // 2+2, 1+4, 1+(3+1+1+1+2), 1+(3+1+1+1)
      expect(wireBytes(item)).toBe(4 + 5 + 9 + 7);
      expect([writeUnits(0), writeUnits(1024), writeUnits(1025)]).toEqual([1, 1, 2]);
    });

    it('finds the hottest keys, and those that are nothing but a status', () => {
      const units = new Map([
        ['a', 1],
        ['b', 3],
      ]);
      expect(hottest(units, totalUnits(units))).toEqual([
        { key: 'b', units: 3, share: 0.75 },
        { key: 'a', units: 1, share: 0.25 },
      ]);
      expect(['DUE#open', 'CASES#acc_1#open', 'DUE#case#1', 'TALLY#acc#0'].map(isStatusOnly)).toEqual([
        true,
        false,
        false,
        false,
      ]);
    });
  });
});
