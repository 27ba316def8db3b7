import { launchChromium } from '../../shared/cli/launch-chromium';

/** Takes a screenshot of a local run's dashboard for one of its time ranges. */
export async function takeDashboardPicture(url: string, file: string, range: '5m' | '15m'): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${url}/_local/dashboard?range=${range}`);
    await page.screenshot({ path: file, fullPage: true });
  } finally {
    await browser.close();
  }
}
