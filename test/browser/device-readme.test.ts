import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium } from '../support/chromium';
import { samplesOf } from '../support/readme-samples';
import { STRICT_CSP, servePages } from '../support/strict-page';
import { serveShop, visit } from './device-page';

const ROOT = join(__dirname, '../..');
const [page, script, withBundler, ...others] = samplesOf(join(ROOT, 'sdk/device/README.md'), ['html', 'js', 'ts']);

/** The module sample as a bundler would build it, with what it found put where a test can see it. */
async function bundled(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `${source}\ndocument.title = String(token);`, loader: 'ts', resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'esm',
    alias: { '@fraud-screening/device': join(ROOT, 'sdk/device/src/index.ts') },
  });
  return outputFiles[0]?.text ?? '';
}

describeInBrowser('samples of the device SDK’s guide, under the policy that it names', () => {
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof servePages>>;
  beforeAll(async () => {
    const built = await serveShop();
    const deviceScript = await (await fetch(`${built.url}/device.js`)).text();
    await built.close();
    shop = await servePages({
      '/': page?.source ?? '',
      '/checkout.js': script?.source ?? '',
      '/device.js': deviceScript,
      '/with-bundler.html': '<!doctype html><title>…</title><script type="module" src="/bundled.js"></script>',
      '/bundled.js': await bundled(withBundler?.source ?? ''),
    });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  it('fills the field of the form once the visitor has agreed', async () => {
    const [before, after] = await visit(browser, shop.url, {}, async (tab) => {
      const field = tab.locator('[name=device_fingerprint]');
      const filled = () => tab.waitForFunction(() => document.readyState === 'complete').then(() => field.inputValue());
      const refused = await filled();
      await tab.evaluate(() => localStorage.setItem('consent', 'yes'));
      await tab.reload();
      await tab.waitForFunction(() => document.querySelector<HTMLInputElement>('[name=device_fingerprint]')?.value);
      return [refused, await field.inputValue()];
    });
    expect(before).toBe('');
    expect(after).toMatch(/^fp1_[0-9a-f]{32}$/);
  });

  it('works with a bundler', async () => {
    await visit(browser, `${shop.url}/with-bundler.html`, {}, async (tab) => {
      await tab.waitForFunction(() => document.title.startsWith('fp1_'));
    });
  });

  it('are all run, and the policy is the one they are run under', () => {
    expect(others).toEqual([]);
    const guide = readFileSync(join(ROOT, 'sdk/device/README.md'), 'utf8');
    const [, named = ''] = /`Content-Security-Policy: ([^`]+)`/.exec(guide) ?? [];
    expect(named).not.toBe('');
    for (const directive of named.split('; ')) expect(STRICT_CSP.split('; ')).toContain(directive);
  });
});
