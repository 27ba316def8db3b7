import type { Browser } from 'playwright-core';
import { describeInBrowser, launchChromium } from '../support/machine/chromium';
import { serveShop, visit } from './device-page';

/** Writes down every property of the device that is read, every canvas and all storage, from the first moment on. */
const watch = (): void => {
  const reads: string[] = [];
  Object.assign(window, { reads });
  const owners: [string, object][] = [
    ['navigator', Navigator.prototype],
    ['screen', Screen.prototype],
    ['history', History.prototype],
    ['document', Document.prototype],
    ['storage', Storage.prototype],
    ['canvas', HTMLCanvasElement.prototype],
    ['window', window],
  ];
  for (const [owner, prototype] of owners) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      const { get, value } = descriptor;
      const isOurs = ['reads', 'FraudScreeningDevice', 'window', 'self', 'document', 'constructor'].includes(name);
      if (isOurs || !descriptor.configurable) continue;
      if (get) {
        Object.defineProperty(prototype, name, {
          ...descriptor,
          get(this: object) {
            reads.push(`${owner}.${name}`);
            return get.call(this);
          },
        });
      } else if (typeof value === 'function' && owner !== 'window') {
        Object.defineProperty(prototype, name, {
          ...descriptor,
          value(this: object, ...args: unknown[]) {
            reads.push(owner === 'canvas' ? `${owner}.${name}(${args[0]})` : `${owner}.${name}`);
            return value.apply(this, args);
          },
        });
      }
    }
  }
};

declare global {
  var reads: string[];
}

describeInBrowser('consent to the device SDK', () => {
  let browser: Browser;
  let shop: Awaited<ReturnType<typeof serveShop>>;
  beforeAll(async () => {
    [browser, shop] = await Promise.all([launchChromium(), serveShop()]);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  it('comes first: without it nothing is read and nothing is kept', async () => {
    const result = await visit(browser, shop.url, { before: watch }, (page) =>
      page.evaluate(async () => {
        reads.length = 0;
        const { deviceFingerprint, deviceSignals, collectedSignals } = FraudScreeningDevice;
        const answers = [
          await deviceFingerprint({ consent: () => false }),
          await deviceFingerprint({ consent: async () => false }),
          await deviceFingerprint({ consent: () => 'yes' as unknown as boolean }),
          await deviceFingerprint({ consent: () => Promise.reject(new Error('no banner')) }).catch(String),
          await deviceSignals({ consent: () => false }),
        ];
        collectedSignals();
        return { answers, reads: [...reads] };
      }),
    );
    expect(result).toEqual({ answers: [null, null, null, 'Error: no banner', null], reads: [] });
  });

  it('is asked for the device to be read, and then only what is listed is read', async () => {
    const { read, named } = await visit(browser, shop.url, { before: watch }, (page) =>
      page.evaluate(async () => {
        reads.length = 0;
        await FraudScreeningDevice.deviceFingerprint({
          consent: async () => {
            reads.push('consent');
            return true;
          },
        });
        const seen = [...new Set(reads)];
        return { read: seen, named: FraudScreeningDevice.collectedSignals().map(({ name }) => name) };
      }),
    );
    expect(read[0]).toBe('consent');
    const means = ['consent', 'window.isSecureContext', 'window.crypto', 'window.navigator', 'window.screen'];
    const canvas = ['document.createElement', 'canvas.width', 'canvas.height', 'canvas.getContext(2d)'];
    expect(read.filter((each) => ![...means, ...canvas].includes(each)).toSorted()).toEqual([
      'canvas.getContext(webgl)',
      'navigator.deviceMemory',
      'navigator.hardwareConcurrency',
      'navigator.language',
      'navigator.maxTouchPoints',
      'navigator.platform',
      'navigator.userAgentData',
      'screen.colorDepth',
      'screen.height',
      'screen.width',
    ]);
    expect(named).toEqual([
      'platform',
      'language',
      'timezone',
      'screen',
      'cores',
      'memory',
      'touch',
      'graphics',
      'fonts',
      'canvas',
      'mobile',
      'stored_id',
    ]);
  });
});
