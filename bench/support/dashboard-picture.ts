import { launchChromium } from '../../bin/launch-chromium';

/** Takes a picture of a local run's dashboard, the last quarter of an hour. */
export async function takeDashboardPicture(url: string, file: string): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1500, height: 900 } });
    await page.goto(`${url}/_local/dashboard?range=15m`);
    await page.screenshot({ path: file, fullPage: true });
  } finally {
    await browser.close();
  }
}
