import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium } from '../../support/chromium';
import { localRun } from '../../support/local-run';

const MAX_BYTES_GZIPPED = 120_000;

describeInBrowser('the console’s weight', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it('is at most 120 KB gzipped, all of it from one origin; its first paint is printed', async () => {
    const page = await browser.newPage();
    const sizes: Promise<number>[] = [];
    const origins = new Set<string>();
    page.on('response', (response) => {
      origins.add(new URL(response.url()).origin);
      sizes.push(response.body().then((body) => gzipSync(body).length));
    });
    await page.goto(`${localRun().url}/console/`);
    await page.getByLabel('API key').waitFor();
    // A frame later the browser has told when it painted.
    const paintMs = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => {
            const found = list.getEntriesByName('first-contentful-paint')[0];
            if (found) resolve(found.startTime);
          }).observe({ type: 'paint', buffered: true });
        }),
    );
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    process.stdout.write(
      `the console: ${(bytes / 1000).toFixed(1)} kB gzipped in ${sizes.length} files, first paint after ${Math.round(paintMs)} ms\n`,
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES_GZIPPED);
    expect([...origins]).toEqual([localRun().url]);
    await page.close();
  });
});
