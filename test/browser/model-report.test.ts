import type { Browser, Page } from 'playwright-core';
import { renderReport } from '../../training/report/render-report';
import { sampleReport } from '../support/docs/sample-report';
import { describeInBrowser, launchChromium } from '../support/machine/chromium';
import { axeViolations } from './axe';

const HOSTILE = '"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

describeInBrowser("a model's report", () => {
  let browser: Browser;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  const open = async (options: { width?: number; dark?: boolean; text?: string } = {}) => {
    const { width = 1200, dark = false, text } = options;
    // The page forbids every script; the test's own must come in all the same.
    page = await browser.newPage({
      viewport: { width, height: 800 },
      colorScheme: dark ? 'dark' : 'light',
      bypassCSP: true,
    });
    problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => problems.push(message.text()));
    page.on('request', (request) => problems.push(`asked for ${request.url()}`));
    await page.setContent(renderReport(sampleReport(text)));
  };
  afterEach(() => page.close());

  it.each([320, 375, 1200])('fits a screen of %i pixels: only tables scroll, by themselves', async (width) => {
    await open({ width });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(problems).toEqual([]);
  });

  it('draws five figures, each with a line or a bar in it', async () => {
    await open();
    const boxes = await page.$$eval('figure svg', (figures) =>
      figures.map((figure) => {
        const { width, height } = figure.getBoundingClientRect();
        const marks = [...figure.querySelectorAll('.line, .bar, .dot')] as SVGGraphicsElement[];
        const inside = marks.every((mark) => {
          const box = mark.getBBox();
          return box.x >= 40 && box.x + box.width <= 335 && box.y >= 5 && box.y + box.height <= 225;
        });
        return { width, height, marks: marks.length, inside, label: figure.getAttribute('aria-label') };
      }),
    );
    expect(boxes).toHaveLength(5);
    for (const { width, height, marks, inside, label } of boxes) {
      expect(width).toBeGreaterThan(250);
      expect(height).toBeGreaterThan(150);
      expect(marks).toBeGreaterThan(0);
      expect({ label, inside }).toEqual({ label, inside: true });
    }
  });

  it.each([false, true])('is accessible, dark: %s', async (dark) => {
    await open({ dark });
    expect(await axeViolations(page)).toEqual([]);
  });

  it('takes its colours from the reader', async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await open();
    const light = await background();
    await page.close();
    await open({ dark: true });
    expect(await background()).not.toBe(light);
  });

  it('shows hostile text and runs none of it', async () => {
    await open({ text: HOSTILE });
    expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.locator('img, script').count()).toBe(0);
    expect(await page.getByText(HOSTILE, { exact: false }).count()).toBeGreaterThan(0);
    expect(problems).toEqual([]);
  });
});
