import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AlarmStatus } from '../../../local/cloudwatch/alarm-states';
import type { MetricProperties, Widget } from '../../../local/cloudwatch/graph-series';
import { metricStore } from '../../../local/cloudwatch/metric-store';
import { dashboardPages } from '../../../local/dashboard/dashboard-page';
import { renderRunbook, runbookLink } from '../../../local/dashboard/runbook-page';
import { localPage } from '../../../local/gateway/local-pages';

const NOW = 1_000_000_000_000;
const HOSTILE = '"><img src=x onerror=alert(1)>';
const gridArea = { x: 0, y: 0, width: 8, height: 6 };
const graph = (properties: MetricProperties): Widget => ({ type: 'metric', ...gridArea, properties });
const latency = ['N', 'Latency', 'stage', 'sandbox', { stat: 'Maximum', label: 'slowest' }] as const;

/** The page of a dashboard with this one widget, after a request that took 100 ms. */
async function drawn(widget: Widget, alarms: readonly AlarmStatus[] = []): Promise<string> {
  const store = metricStore(() => NOW);
  for (const ago of [1, 2, 3]) {
    store.record({ namespace: 'N', name: 'Latency', dimensions: { stage: 'sandbox' } }, 100, NOW - ago * 60_000);
  }
  const dashboards = [{ name: 'd', widgets: [widget] }];
  const pages = dashboardPages({ dashboards, store, alarms: () => alarms, now: () => NOW });
  return String((await localPage(pages, 'GET', '/_local/dashboard?range=5m')).body);
}
const withLimit = (value: number) =>
  drawn(
    graph({ title: 'Is it fast?', metrics: [latency], annotations: { horizontal: [{ value, label: 'too slow' }] } }),
  );

describe('a graph', () => {
  it('has a line for what was measured, and says so to those who hear the page', async () => {
    const page = await drawn(graph({ title: 'Is it fast?', metrics: [latency] }));
    expect(page).toContain('data-series="1"');
    expect(page).toContain('aria-label="Is it fast?: slowest 100"');
  });

  it('draws a limit to scale where it is near, and points to one that is far away', async () => {
    expect(await withLimit(200)).toContain('<line class="limit"');
    const far = await withLimit(100_000);
    expect(far).not.toContain('<line class="limit"');
    expect(far).toContain('↑ too slow (100 k)');
  });

  it('without data says that there is none, and one that cannot be drawn says why', async () => {
    expect(await drawn(graph({ title: 'x?', metrics: [['N', 'Other']] }))).toContain('No data yet.');
    expect(await drawn(graph({ title: 'x?', metrics: [[{ expression: 'ODD(1)' }]] }))).toContain('Cannot be drawn');
  });

  it('shows a name as a name, whatever is in it', async () => {
    const page = await drawn(
      graph({ title: HOSTILE, metrics: [['N', 'Latency', 'stage', 'sandbox', { label: HOSTILE }]] }),
    );
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img');
  });
});

describe('alarms', () => {
  const alarm = (over: Partial<AlarmStatus>): AlarmStatus => ({
    name: 'fraud-screening-sandbox-latency',
    arn: 'arn:latency',
    state: 'OK',
    description: 'Act now: slow. Runbook: docs/runbook.md#latency',
    ...over,
  });
  const widget: Widget = {
    type: 'alarm',
    ...gridArea,
    properties: { title: 'What is wrong?', alarms: ['arn:latency', 'arn:b'] },
  };

  it('are named, those that are off first, each with a link to its section of the runbook', async () => {
    const page = await drawn(widget, [
      alarm({}),
      alarm({ arn: 'arn:b', name: 'b', state: 'ALARM' }),
      alarm({ arn: 'arn:c' }),
    ]);
    expect(page).toContain('data-series="2"');
    expect(page).toContain('<a href="runbook#latency"');
    expect(page.indexOf('in alarm')).toBeLessThan(page.indexOf('<small>ok'));
  });

  it('lead to a runbook of your own where the deployment names one', () => {
    expect(runbookLink('Act now: x. Runbook: https://wiki.example/r#latency')).toBe('https://wiki.example/r#latency');
  });
});

it('a notice is bold, without the asterisks that say so, and shows markup as text', async () => {
  const page = await drawn({ type: 'text', ...gridArea, properties: { markdown: `## **Nobody hears** ${HOSTILE}` } });
  expect(page).toContain('<strong>Nobody hears</strong>');
  expect(page).not.toContain('**');
  expect(page).not.toContain('<img');
});

it('the runbook has an anchor for every heading', () => {
  const runbook = readFileSync(join(__dirname, '../../../docs/runbook.md'), 'utf8');
  const page = renderRunbook(runbook);
  for (const [, heading] of runbook.matchAll(/^## ([\w-]+)$/gm)) expect(page).toContain(`<h2 id="${heading}">`);
});
