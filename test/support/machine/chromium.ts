import { findChromium } from './launch-chromium';

export { findChromium, launchChromium } from './launch-chromium';

const isWanted = findChromium() !== undefined || process.env.REQUIRE_BROWSER === 'true';

/**
 * `describe` of a browser test. Without a Chromium its tests are skipped, and `summary-reporter.cjs` says so at the
 * very end of the run; with `REQUIRE_BROWSER=true` (CI) they fail instead.
 */
export const describeInBrowser: typeof describe.skip = isWanted ? describe : describe.skip;
