import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { FraudScreening } from '../../sdk/client/src';
import { newAccount } from '../support/api';
import { samplesOf } from '../support/docs/readme-samples';
import { localRun } from '../support/local-run';
import { describeInBrowser, findChromium, launchChromium } from '../support/machine/chromium';
import { STRICT_CSP, servePages } from '../support/machine/strict-page';
import { serveShop, tokenOf, type Visit, visit } from './device-page';

describe('device', () => {
  const FINGERPRINT = /^fp1_[0-9a-f]{32}$/;
  const STORED = /^id1_[0-9a-f]{32}$/;

  const asAndroid = (mobile: boolean) => (session: CDPSession) =>
    session.send('Emulation.setUserAgentOverride', {
      userAgent: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
      userAgentMetadata: { platform: 'Android', platformVersion: '', architecture: '', model: 'Pixel', mobile },
    });

  describeInBrowser('the device SDK in a real browser', () => {
    let browser: Browser;
    let shop: Awaited<ReturnType<typeof serveShop>>;
    let usual: string | null;
    beforeAll(async () => {
      [browser, shop] = await Promise.all([launchChromium(), serveShop()]);
      usual = await tokenAt();
    });
    afterAll(async () => {
      await browser?.close();
      await shop?.close();
    });

    const tokenAt = (device: Visit = {}): Promise<string | null> => visit(browser, shop.url, device, tokenOf);

    describe('the same device', () => {
      it('has the same token after a reload and in a private window', async () => {
        const [first, reloaded] = await visit(browser, shop.url, {}, async (page) => {
          const before = await tokenOf(page);
          await page.reload();
          return [before, await tokenOf(page)];
        });
        expect(usual).toMatch(FINGERPRINT);
        expect([first, reloaded]).toEqual([usual, usual]);
      });

      it('has the same token in an ordinary window, with a profile on disk, after a restart', async () => {
        const profile = mkdtempSync(join(tmpdir(), 'profile-'));
        const executablePath = findChromium() ?? '';
        const restarted = async (): Promise<string | null> => {
          const context = await chromium.launchPersistentContext(profile, { executablePath });
          try {
            const page = await context.newPage();
            await page.goto(shop.url);
            return await tokenOf(page);
          } finally {
            await context.close();
          }
        };
        try {
          expect([await restarted(), await restarted()]).toEqual([usual, usual]);
        } finally {
          rmSync(profile, { recursive: true });
        }
      });

      it.each<[string, Visit]>([
        [
          'a smaller window',
          { context: { viewport: { width: 800, height: 400 }, screen: { width: 1280, height: 720 } } },
        ],
        ['a dark theme', { context: { colorScheme: 'dark', reducedMotion: 'reduce' } }],
        ['an update of the browser', { context: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/999.0.0.0' } }],
        ['a screen on its side', { context: { screen: { width: 720, height: 1280 } } }],
      ])('has the same token with %s', async (_name, device) => {
        expect(await tokenAt(device)).toBe(usual);
      });

      it('is one to the script, to the module, and to the service', async () => {
        const [script, module] = await visit(browser, shop.url, {}, async (page) => [
          await tokenOf(page),
          await page.evaluate(async (url) => {
            const sdk = (await import(url)) as typeof FraudScreeningDevice;
            return sdk.deviceFingerprint({ consent: () => true });
          }, '/device.mjs'),
        ]);
        expect(module).toBe(script);
        const { key } = await newAccount();
        const client = new FraudScreening({ apiKey: key, baseUrl: localRun().url });
        const payment = { user_id: 'u', amount: 10, currency: 'EUR' };
        for (const token of [script, module]) {
          if (!token) throw new Error('no token');
          await client.transactions.screen({ ...payment, device_fingerprint: token });
        }
        expect((await client.users.riskProfile('u')).devices.count).toBe(1);
      });
    });

    it('another screen, time zone, language, platform or number of cores is another device', async () => {
      const devices: Visit[] = [
        { context: { screen: { width: 2560, height: 1440 } } },
        { context: { timezoneId: 'Europe/Berlin' } },
        { context: { timezoneId: 'Europe/Paris' } },
        { context: { locale: 'de-DE' } },
        { change: (session) => session.send('Emulation.setHardwareConcurrencyOverride', { hardwareConcurrency: 12 }) },
        {
          change: (session) =>
            session.send('Emulation.setUserAgentOverride', {
              userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0',
              platform: 'Win32',
              userAgentMetadata: {
                platform: 'Windows',
                platformVersion: '',
                architecture: '',
                model: '',
                mobile: false,
              },
            }),
        },
      ];
      const tokens = [usual];
      for (const device of devices) tokens.push(await tokenAt(device));
      for (const token of tokens) expect(token).toMatch(FINGERPRINT);
      expect(new Set(tokens).size).toBe(1 + devices.length);
    });

    describe('where a fingerprint would not tell devices apart', () => {
      const noisy: Visit['before'] = () => {
        const { getImageData } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.getImageData = function (...area: Parameters<typeof getImageData>) {
          const image = getImageData.apply(this, area);
          image.data[8] = (image.data[8] ?? 0) ^ 1;
          return image;
        };
      };
      const withoutHints: Visit['before'] = () => {
        Object.defineProperty(Navigator.prototype, 'userAgentData', { get: () => undefined });
      };

      it.each<[string, Visit]>([
        ['a browser that changes its canvas (Brave)', { before: noisy }],
        ['a browser without client hints (Firefox, Safari)', { before: withoutHints }],
        ['a phone', { change: asAndroid(true) }],
        ['a tablet', { change: asAndroid(false) }],
      ])('%s is known again by a stored number, which a private window does not have', async (_name, device) => {
        const [first, reloaded, forgotten, stored] = await visit(browser, shop.url, device, async (page) => {
          const before = await tokenOf(page);
          await page.reload();
          const after = await tokenOf(page);
          await page.evaluate(() => FraudScreeningDevice.forgetDevice());
          const kept = await page.evaluate(() => localStorage.length);
          return [before, after, await tokenOf(page), kept];
        });
        expect(first).toMatch(STORED);
        expect(reloaded).toBe(first);
        expect(forgotten).not.toBe(first);
        expect(stored).toBe(0);
        expect(await tokenAt(device)).not.toBe(first);
      });

      it('and nothing can be stored either, there is no token', async () => {
        const before = () => {
          Object.defineProperty(Navigator.prototype, 'userAgentData', { get: () => undefined });
          Object.defineProperty(window, 'localStorage', {
            get: () => {
              throw new DOMException('denied', 'SecurityError');
            },
          });
        };
        expect(await tokenAt({ before })).toBeNull();
      });
    });

    it('a page that is not secure has no token', async () => {
      const mapped = await launchChromium({ args: ['--host-resolver-rules=MAP shop.test 127.0.0.1'] });
      try {
        expect(await visit(mapped, `http://shop.test:${shop.port}`, {}, tokenOf)).toBeNull();
      } finally {
        await mapped.close();
      }
    });

    it('a signal that the browser refuses is null, and the others still count', async () => {
      const before = () => {
        HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, {
          apply: (target, self, args: [string]) => (args[0] === 'webgl' ? null : Reflect.apply(target, self, args)),
        });
      };
      const [signals, token] = await visit(browser, shop.url, { before }, async (page) => [
        await page.evaluate(() => FraudScreeningDevice.deviceSignals({ consent: () => true })),
        await tokenOf(page),
      ]);
      expect(signals).toMatchObject({ graphics: null, platform: expect.any(String), canvas: expect.any(String) });
      expect(token).toMatch(FINGERPRINT);
    });

    it('calls nobody and breaks no rule of a strict policy', async () => {
      const [requests, complaints] = await visit(browser, shop.url, {}, async (page) => {
        const calls: string[] = [];
        const said: string[] = [];
        page.on('request', (request) => calls.push(request.url()));
        page.on('console', (message) => said.push(message.text()));
        page.on('pageerror', (error) => said.push(error.message));
        expect(await tokenOf(page)).toMatch(FINGERPRINT);
        expect(said).toEqual([]);
        // The policy is in force: what it forbids is heard of.
        await page.evaluate(() => document.body.setAttribute('style', 'color: red'));
        return [calls, said];
      });
      expect(requests).toEqual([]);
      expect(complaints.join()).toContain('Content Security Policy');
    });

    it('weighs 10 KB gzipped at most, in every form', () => {
      expect(shop.built.map(({ file }) => file)).toEqual([
        'dist/esm/index.js',
        'dist/cjs/index.js',
        'dist/script/index.js',
      ]);
      for (const { gzipBytes } of shop.built) expect(gzipBytes).toBeLessThanOrEqual(10_240);
    });

    it('takes 50 ms at most on a fresh page', async () => {
      const pages: { wall: number; cpu: number }[] = [];
      for (let at = 0; at < 5; at++) pages.push(await visit(browser, shop.url, {}, timesOf));
      const median = (of: 'wall' | 'cpu'): number => pages.map((page) => page[of]).toSorted((a, b) => a - b)[2] ?? 0;
      const timings = `${median('wall').toFixed(1)} ms, of which ${median('cpu').toFixed(1)} ms of the page's own thread`;
      process.stderr.write(`deviceFingerprint() on a fresh page: median ${timings}\n`);
      // The clock on the wall also counts what else this machine is busy with; the thread's own clock does not.
      expect(median('cpu')).toBeGreaterThan(0);
      expect(median('cpu')).toBeLessThanOrEqual(50);
    });
  });

  /** How long a token takes by the page's clock, and how long its thread works for it. */
  async function timesOf(page: Page): Promise<{ wall: number; cpu: number }> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    const threadMs = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN);
    };
    const before = await threadMs();
    const wall = await page.evaluate(async () => {
      const startedAt = performance.now();
      await FraudScreeningDevice.deviceFingerprint({ consent: () => true });
      return performance.now() - startedAt;
    });
    return { wall, cpu: (await threadMs()) - before };
  }
});

describe('device readme', () => {
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
        const filled = () =>
          tab.waitForFunction(() => document.readyState === 'complete').then(() => field.inputValue());
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
});
