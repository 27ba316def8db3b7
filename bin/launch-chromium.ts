import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser that this machine has: `CHROMIUM_PATH`, else the first one found where they are usually installed. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  // A path that was named and is wrong is a mistake to hear of, not a reason to take another browser.
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  const folders = (env.PATH ?? '').split(delimiter);
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MAC_APPS].find(isExecutable);
}

/** Starts a headless Chromium; the caller closes it. */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium found: apt-get install chromium, or set CHROMIUM_PATH');
  return chromium.launch({ executablePath, headless: true, ...options });
}
