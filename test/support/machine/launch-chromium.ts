import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

// The same engine without windows, menus and profiles takes half the CPU: first choice where it is installed.
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
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

/** This machine's browser: `CHROMIUM_PATH`, otherwise the first one found in the usual locations. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  // A wrong CHROMIUM_PATH is a mistake to report, not a reason to use another browser.
  if (env.CHROMIUM_PATH) return env.CHROMIUM_PATH;
  const folders = (env.PATH ?? '').split(delimiter);
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...MAC_APPS].find(isExecutable);
}

/** Starts a headless Chromium; the caller closes it. */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('No Chromium found. Install it (apt-get install chromium) or set CHROMIUM_PATH.');
  return chromium.launch({ executablePath, headless: true, ...options });
}
