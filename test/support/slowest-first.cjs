const { statSync } = require('node:fs');
const { relative, join } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const SECONDS = require('./suite-seconds.json');

const ROOT = join(__dirname, '../..');

/**
 * Starts the suites that take longest first, so that no core waits for the other at the end. jest would do so by its
 * cache, which a clean clone has not; suite-seconds.json comes from `WRITE_SUITE_SECONDS=true npm test`.
 */
module.exports = class SlowestFirst extends Sequencer {
  sort(tests) {
    const secondsOf = ({ path }) => SECONDS[relative(ROOT, path)] ?? 0;
    const sizeOf = ({ path }) => statSync(path).size;
    return [...tests].sort((a, b) => secondsOf(b) - secondsOf(a) || sizeOf(b) - sizeOf(a));
  }
};
