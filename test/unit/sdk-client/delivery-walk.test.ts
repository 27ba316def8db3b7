import fc from 'fast-check';
import { modelled } from './client-under-test';

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
    { numRuns: 500 },
  );
});
