import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium } from '../support/chromium';

describeInBrowser('a real browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  it('runs a page', async () => {
    const page = await browser.newPage();
    await page.setContent('<title>shop</title>');
    expect(await page.title()).toBe('shop');
  });
});
