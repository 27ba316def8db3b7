import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WAREHOUSE_QUERIES } from '../../lib/constructs/warehouse-queries';
import { startDemoRun } from '../support/demo-run';

it('npm run demo -- --for 5 --warehouse: customers, attackers and webhooks move, files stay, and answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-warehouse-'));
  const page = join(folder, 'page.md');
  writeFileSync(page, '<!-- demo-answers --><!-- /demo-answers -->');
  const dataDir = join(folder, 'data');
  const demo = await startDemoRun('--for', '5', '--warehouse', '--page', page, '--data-dir', dataDir);
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

  expect(readdirSync(join(dataDir, 'warehouse'))).toContain('decisions');
  const answers = readFileSync(page, 'utf8');
  for (const { name } of WAREHOUSE_QUERIES) expect(answers).toContain(`**${name}**`);
  // The one question that always has a row, however little the five seconds brought.
  expect(answers).toMatch(/\| payments \| reviews \|.*\n.*\n\| \d+ \|/);
  rmSync(folder, { recursive: true });
}, 400_000);
