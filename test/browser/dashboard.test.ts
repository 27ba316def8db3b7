import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { extractMetrics } from '../../local/cloudwatch/embedded-metrics';
import { METRIC_CATALOGUE } from '../../shared/metrics/catalogue';
import { EVERY_ROUTE } from '../../shared/metrics/request-metrics';
import { ROUTES } from '../../shared/routes';
import { functionOf } from '../../shared/routes/define-route';
import { METRIC_NAMESPACE } from '../../shared/runtime/embedded-metrics';
import { localRun } from '../support/local-run';
import { describeInBrowser, launchChromium } from '../support/machine/chromium';
import { useTimeMachineApart } from '../support/machine/time-machine';
import { mixedLoad } from '../support/traffic/mixed-load';
import { useReceiver } from '../support/webhooks/webhook-receiver';
import { axeViolations, COLOUR_RULES } from './axe';

const LOAD_LIMIT_MS = 400_000;
const receiver = useReceiver();
useTimeMachineApart(receiver.env);
beforeAll(() => mixedLoad(receiver), LOAD_LIMIT_MS);

/** The metrics that each function printed, by its name. */
function printedMetrics(): Map<string, Set<string>> {
  const logDir = join(localRun().dataDir, 'logs');
  const lines = readdirSync(logDir).flatMap((file) => readFileSync(join(logDir, file), 'utf8').split('\n'));
  const printed = new Map<string, Set<string>>();
  for (const line of lines) {
    const extracted = extractMetrics(line, Date.now());
    expect([extracted.kind === 'refused' ? extracted.reason : '', line]).toEqual(['', line]);
    if (extracted.kind !== 'samples') continue;
    const { service } = JSON.parse(line) as { service: string };
    const names = printed.get(service) ?? new Set();
    for (const { name, namespace } of extracted.samples) {
      expect(namespace).toBe(METRIC_NAMESPACE);
      names.add(name);
    }
    printed.set(service, names);
  }
  return printed;
}

const served = [...new Set(ROUTES.flatMap((route) => ('public' in route ? [] : [functionOf(route)])))];
const emittersOf = (name: string): readonly string[] =>
  METRIC_CATALOGUE[name]?.emitters.flatMap((emitter) => (emitter === EVERY_ROUTE ? served : [emitter])) ?? [];

describe('what functions print', () => {
  it('is in the catalogue, under their name', () => {
    const strangers = [...printedMetrics()].flatMap(([service, names]) =>
      [...names].filter((name) => !emittersOf(name).includes(service)).map((name) => `${service} prints ${name}`),
    );
    expect(strangers).toEqual([]);
  });

  it('is all that the catalogue promises of them', () => {
    const printed = printedMetrics();
    const promised = Object.keys(METRIC_CATALOGUE).filter((name) => !METRIC_CATALOGUE[name]?.sparse);
    const silent = promised.flatMap((name) =>
      emittersOf(name)
        .filter((service) => !printed.get(service)?.has(name))
        .map((service) => `${service} never prints ${name}`),
    );
    expect(silent).toEqual([]);
  });
});

describeInBrowser('the dashboard of the local run', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  const open = async (dark = false): Promise<{ page: Page; problems: string[] }> => {
    const { url } = localRun();
    const page = await browser.newPage({
      viewport: { width: 1280, height: 900 },
      colorScheme: dark ? 'dark' : 'light',
      bypassCSP: true,
    });
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => problems.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    await page.goto(`${url}/_local/dashboard?range=5m`);
    return { page, problems };
  };

  it('has data in every widget after a mixed load, and asks nobody else for anything', async () => {
    const { page, problems } = await open();
    const withoutData = () =>
      page.$$eval('.widget', (widgets) =>
        widgets
          .filter((widget) => widget.getAttribute('data-series') === '0' || widget.querySelector('.empty'))
          .map((widget) => widget.querySelector('h3')?.textContent),
      );
    expect(await withoutData()).toEqual([]);
    expect(await page.locator('.widget').count()).toBeGreaterThan(25);
    expect(await page.locator('svg.graph').count()).toBeGreaterThan(15);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('cuts no title short', async () => {
    const { page } = await open();
    // By its text: an element's own widths are whole pixels, and half a pixel too many is an ellipsis.
    const cut = await page.$$eval('h3', (titles) =>
      titles
        .filter((title) => {
          const text = document.createRange();
          text.selectNodeContents(title);
          return text.getBoundingClientRect().width > title.getBoundingClientRect().width;
        })
        .map(({ textContent }) => textContent),
    );
    expect(cut).toEqual([]);
    await page.close();
  });

  it('leads from every alarm to its section of the runbook', async () => {
    const { page, problems } = await open();
    const links = await page.$$eval('.alarms a', (found) => found.map((link) => (link as HTMLAnchorElement).href));
    expect(links.length).toBeGreaterThan(15);
    await page.click('.alarms a');
    const missing = await page.evaluate(
      (all) => all.filter((link) => !document.getElementById(new URL(link).hash.slice(1))),
      links,
    );
    expect([missing, new URL(page.url()).pathname]).toEqual([[], '/_local/docs/runbook.html']);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('keeps itself fresh', async () => {
    const { page } = await open();
    const before = await page.textContent('header small');
    await page.waitForFunction((text) => document.querySelector('header small')?.textContent !== text, before, {
      timeout: 30_000,
    });
    await page.close();
  });

  it.each([false, true])('can be read by everybody (dark: %s)', async (dark) => {
    const { page } = await open(dark);
    expect(await axeViolations(page, { runOnly: dark ? COLOUR_RULES : ['wcag2a', 'wcag2aa'] })).toEqual([]);
    await page.close();
  });
});
