import fc from 'fast-check';
import { sized } from '../../support/sized';
import { modelled } from './client-under-test';

describe('case walk', () => {
  interface Row {
    readonly case_id: string;
    readonly created_at: string;
    status: 'open' | 'approved';
  }

  const START = Date.parse('2026-11-14T00:00:00Z');
  let ids = 0;
  const row = (ms: number): Row => ({
    case_id: `case_${String(ids++).padStart(6, '0')}`,
    created_at: new Date(START + ms).toISOString(),
    status: 'open',
  });

  const newestFirst = (a: Row, b: Row): number =>
    a.created_at === b.created_at ? (a.case_id < b.case_id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1;

  /** `GET /v1/cases` as the contract words it, over rows that the test changes. */
  function listOf(rows: readonly Row[], { searchParams: query }: URL): object {
    const status = query.get('status');
    const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
    const end = query.has('end_date') ? Date.parse(query.get('end_date') ?? '') : Number.POSITIVE_INFINITY;
    const found = rows
      .filter((each) => (!status || each.status === status) && Date.parse(each.created_at) < end)
      .sort(newestFirst);
    const cases = found.slice(offset, offset + limit).map((each) => ({ ...each }));
    return { cases, total: found.length, limit, offset, has_more: offset + cases.length < found.length };
  }

  describe('a walk over cases', () => {
    it('gives each case that was there once, while cases are resolved and new ones open', async () => {
      await fc.assert(
        fc.asyncProperty(
          // Few milliseconds for many cases: many of them share one, more than a page holds.
          fc.array(fc.nat(6), { maxLength: 25 }),
          fc.integer({ min: 1, max: 5 }),
          fc.array(fc.constantFrom('resolve', 'open', 'nothing'), { minLength: 1, maxLength: 25 }),
          async (times, limit, actions) => {
            const rows = times.map(row);
            const before = [...rows].sort(newestFirst).map(({ case_id }) => case_id);
            const { client } = modelled((url) => listOf(rows, url));
            const walked: string[] = [];
            for await (const found of client.cases.all({ status: 'open', limit })) {
              const action = actions[walked.length % actions.length];
              walked.push(found.case_id);
              const resolved = rows.find(({ case_id }) => case_id === found.case_id);
              if (action === 'resolve' && resolved) resolved.status = 'approved';
              if (action === 'open') rows.push(row(1_000 + walked.length));
            }
            expect(walked).toEqual(before);
          },
        ),
        { numRuns: sized(500, 120) },
      );
    });

    it('asks for a page only when it is wanted', async () => {
      const rows = Array.from({ length: 10 }, (_, at) => row(at));
      const { client, calls } = modelled((url) => listOf(rows, url));
      const walk = client.cases.all({ limit: 3 });
      for (let taken = 0; taken < 3; taken++) await walk.next();
      expect(calls).toHaveLength(1);
      await walk.next();
      expect(calls).toHaveLength(2);
      await walk.return();
      expect(calls).toHaveLength(2);
    });
  });
});

describe('delivery walk', () => {
  it('a walk over deliveries gives each that was there once, while new ones are made', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(15), fc.integer({ min: 1, max: 5 }), fc.nat(3), async (count, limit, arriving) => {
        const rows = Array.from({ length: count }, (_, at) => `dlv_${at}`);
        const before = [...rows];
        const { client, calls } = modelled(({ searchParams }) => {
          const offset = Number(searchParams.get('offset'));
          const deliveries = rows.slice(offset, offset + limit).map((delivery_id) => ({ delivery_id }));
          return { deliveries, limit, offset, has_more: offset + deliveries.length < rows.length };
        });
        const walked: string[] = [];
        for await (const { delivery_id } of client.deliveries.all('wh_1', { limit, status: 'delivered' })) {
          walked.push(delivery_id);
          // Fewer than a page holds: a walk that arrivals outrun would never end.
          if (walked.length % limit === 0) rows.unshift(...Array.from({ length: arriving % limit }, () => 'dlv_new'));
        }
        expect(walked).toEqual(before);
        expect(String(calls[0])).toContain(`/v1/webhooks/wh_1/deliveries?limit=${limit}&status=delivered&offset=0`);
      }),
      { numRuns: sized(500, 120) },
    );
  });
});
