import { startDemoRun } from '../support/demo-run';

it('npm run demo -- --for 5: customers, attackers and webhooks move, then everything stops', async () => {
  const demo = await startDemoRun('--for', '5');
  const pages = ['', '/shop.js', '/shop.css'].map((path) => demo.shopUrl + path);
  for (const page of ['/console/', '/_local/dashboard', '/_local/docs/']) pages.push(demo.url + page);
  const statuses = await Promise.all(pages.map(async (page) => (await fetch(page)).status));
  expect(statuses).toEqual(pages.map(() => 200));

  expect([await demo.exited, demo.said()]).toEqual([0, expect.stringContaining('Stopping')]);
  const [, allowed, webhooks] =
    /After .* (\d+) allowed, [\s\S]* (\d+) webhooks verified[\s\S]*\nStopping/.exec(demo.said()) ?? [];
  expect(Number(allowed)).toBeGreaterThan(0);
  expect(Number(webhooks)).toBeGreaterThan(0);
  for (const name of ['Fraud stopped', 'Money', 'Honest customers', 'Failed requests'])
    expect(demo.said()).toContain(`  ${name}`);
  expect(demo.said()).toContain('/console/#/overview?range=24h');
  await expect(fetch(demo.shopUrl)).rejects.toThrow();
}, 400_000);
