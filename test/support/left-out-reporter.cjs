const { relative } = require('node:path');

const HOW_TO_GET_CHROMIUM =
  'no Chromium was found. To run them: `apt-get install chromium`, or CHROMIUM_PATH=/path/to/chrome npm test';

const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The last lines of a run say which tests it left out, and how to have them run. */
module.exports = class LeftOutReporter {
  constructor(globalConfig) {
    this.rootDir = globalConfig.rootDir;
    // Picking tests by name leaves out the others on purpose.
    this.isByName = Boolean(globalConfig.testNamePattern);
  }

  onRunComplete(_contexts, { testResults }) {
    if (this.isByName) return;
    const skipped = testResults.filter(({ numPendingTests }) => numPendingTests > 0);
    const inBrowser = skipped.filter(({ displayName }) => displayName?.name === 'browser');
    const lines = skipped
      .filter((file) => !inBrowser.includes(file))
      .flatMap((file) =>
        file.testResults
          .filter(({ status }) => status === 'pending')
          .map(({ fullName }) => `${relative(this.rootDir, file.testFilePath)}: ${fullName}`),
      );
    const browserTests = inBrowser.reduce((sum, { numPendingTests }) => sum + numPendingTests, 0);
    if (browserTests > 0) {
      lines.push(
        `${plural(browserTests, 'browser test')} in ${plural(inBrowser.length, 'file')}: ${HOW_TO_GET_CHROMIUM}`,
      );
      if (process.env.REQUIRE_BROWSER === 'true')
        this.error = new Error(`REQUIRE_BROWSER: ${plural(browserTests, 'browser test')} did not run`);
    }
    if (lines.length === 0) return;
    // jest puts its own summary behind every other reporter; what nobody should miss comes after that.
    process.once('exit', () => process.stderr.write(`\nLeft out:\n${lines.map((line) => `  ${line}\n`).join('')}`));
  }

  getLastError() {
    return this.error;
  }
};
