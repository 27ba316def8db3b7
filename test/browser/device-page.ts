import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { buildScripts } from '../../bin/sdk/build-package';
import type * as Device from '../../sdk/device/src';
import { servePages } from '../support/machine/strict-page';

declare global {
  var FraudScreeningDevice: typeof Device;
}

/** A shop that loads the built script, as a merchant without a bundler would. */
export async function serveShop() {
  const folder = mkdtempSync(join(tmpdir(), 'device-'));
  const built = await buildScripts('device', folder);
  const read = (file: string): string => readFileSync(join(folder, 'dist', file), 'utf8');
  const pages = {
    '/': '<!doctype html><html lang="en"><title>shop</title><script src="/device.js"></script><h1>Shop</h1></html>',
    '/device.js': read('script/index.js'),
    '/device.mjs': read('esm/index.js'),
  };
  rmSync(folder, { recursive: true });
  return { ...(await servePages(pages)), built };
}

export interface Visit {
  readonly context?: BrowserContextOptions;
  /** Changes of the device that only the debugging protocol can make. */
  readonly change?: (session: CDPSession) => Promise<unknown>;
  /** Runs in the page before everything else. */
  readonly before?: () => void;
}

/** Opens the shop in a separate window, which shares nothing with others: a private window. */
export async function visit<T>(
  browser: Browser,
  url: string,
  { context: options = {}, change, before }: Visit,
  run: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    if (change) await change(await context.newCDPSession(page));
    if (before) await page.addInitScript(before);
    await page.goto(url);
    return await run(page);
  } finally {
    await context.close();
  }
}

export const tokenOf = (page: Page): Promise<string | null> =>
  page.evaluate(() => FraudScreeningDevice.deviceFingerprint({ consent: () => true }));
