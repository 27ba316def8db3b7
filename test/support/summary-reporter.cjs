const { existsSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const HOW_TO_GET_CHROMIUM =
  'no Chromium was found. To run them: `apt-get install chromium`, or CHROMIUM_PATH=/path/to/chrome npm test';
const SLOWEST = 10;
const MOST_FAILURES_NAMED = 10;
/** Faster suites are not worth an order. */
const WORTH_AN_ORDER_S = 3;

const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const secondsOf = ({ perfStats }) => (perfStats.end - perfStats.start) / 1_000;
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const asPattern = (name) => `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;

/** The last lines of a run: its slowest suites, what it left out and why, and what to do about what failed. */
module.exports = class SummaryReporter {
  constructor(globalConfig, options = {}) {
    this.rootDir = globalConfig.rootDir;
    this.logDir = options.logDir;
    this.timings = options.timings;
    this.elsewhere = options.elsewhere ?? {};
    // Picking tests by name leaves out the others on purpose.
    this.isByName = Boolean(globalConfig.testNamePattern);
  }

  onRunComplete(_contexts, results) {
    const { testResults } = results;
    const parts = [
      ['Slowest suites', this.slowest(testResults)],
      ['Left out', this.isByName ? [] : this.leftOut(testResults)],
      ['What to do next', this.advice(testResults)],
    ];
    if (process.env.WRITE_SUITE_SECONDS === 'true' && this.timings) this.writeTimings(testResults);
    const text = parts
      .filter(([, lines]) => lines.length > 0)
      .map(([title, lines]) => `\n${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`)
      .join('');
    // jest puts its own summary behind every other reporter; what nobody should miss comes after that.
    process.once('exit', () => process.stderr.write(`${text}${this.took()}\n${this.totals(results)}\n`));
  }

  /** With `npm ci` and all checks before the tests, where .ci/run says when it began. */
  took() {
    const startedAt = Number(process.env.RUN_STARTED_AT);
    if (!startedAt) return '';
    const seconds = Math.round(Date.now() / 1_000 - startedAt);
    return `\nTook ${Math.floor(seconds / 60)} min ${seconds % 60} s\n`;
  }

  /** One line that every CI can read. A suite that could not run counts as a failed test. */
  totals({ numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests }) {
    return `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed, ${numPendingTests} skipped`;
  }

  pathOf({ testFilePath }) {
    return relative(this.rootDir, testFilePath);
  }

  slowest(testResults) {
    if (testResults.length <= 1) return [];
    return [...testResults]
      .sort((a, b) => secondsOf(b) - secondsOf(a))
      .slice(0, SLOWEST)
      .map((file) => `${secondsOf(file).toFixed(1).padStart(6)} s  ${this.pathOf(file)}`);
  }

  leftOut(testResults) {
    const skipped = testResults.filter(({ numPendingTests }) => numPendingTests > 0);
    const inBrowser = skipped.filter((file) => /(^|\/)browser\//.test(this.pathOf(file)));
    const lines = skipped
      .filter((file) => !inBrowser.includes(file))
      .flatMap((file) =>
        file.testResults
          .filter(({ status }) => status === 'pending')
          .map(({ fullName }) => `${this.pathOf(file)}: ${fullName}`),
      );
    const browserTests = inBrowser.reduce((sum, { numPendingTests }) => sum + numPendingTests, 0);
    if (browserTests > 0) {
      lines.push(
        `${plural(browserTests, 'browser test')} in ${plural(inBrowser.length, 'file')}: ${HOW_TO_GET_CHROMIUM}`,
      );
      if (process.env.REQUIRE_BROWSER === 'true')
        this.error = new Error(`REQUIRE_BROWSER: ${plural(browserTests, 'browser test')} did not run`);
    }
    const ignored = process.argv.slice(process.argv.indexOf('--ignoreProjects') + 1);
    lines.push(
      ...Object.entries(this.elsewhere)
        .filter(([project]) => process.argv.includes('--ignoreProjects') && ignored.includes(project))
        .map(([project, where]) => `test/${project}: ${where}`),
    );
    return lines;
  }

  /** A command per failed test that runs it alone, and where its functions logged. */
  advice(testResults) {
    const commands = testResults.flatMap((file) => {
      const project = file.displayName?.name ? `--selectProjects ${file.displayName.name} ` : '';
      const command = `npx jest ${project}--testPathPatterns ${this.pathOf(file)}`;
      if (file.testExecError) return [command];
      return file.testResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => `${command} -t ${quoted(asPattern(fullName))}`);
    });
    if (commands.length === 0) return [];
    const more = commands.length - MOST_FAILURES_NAMED;
    return [
      'Run what failed by itself:',
      ...commands.slice(0, MOST_FAILURES_NAMED).map((command) => `  ${command}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
      ...(this.logDir && existsSync(this.logDir)
        ? [
            `What functions logged is in ${relative(this.rootDir, this.logDir)}/, a folder per service under test:`,
            `  grep -rn '"level":"ERROR"' ${relative(this.rootDir, this.logDir)}`,
          ]
        : []),
    ];
  }

  /** For slowest-first.cjs: a clean clone has no memory of earlier runs. */
  writeTimings(testResults) {
    const slow = testResults
      .filter((file) => secondsOf(file) >= WORTH_AN_ORDER_S)
      .sort((a, b) => secondsOf(b) - secondsOf(a))
      .map((file) => [this.pathOf(file), Math.round(secondsOf(file))]);
    writeFileSync(join(this.rootDir, this.timings), `${JSON.stringify(Object.fromEntries(slow), null, 2)}\n`);
  }

  getLastError() {
    return this.error;
  }
};
