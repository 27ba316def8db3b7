// Duration of the work below on one idle core of a two-core arm64 machine.
const REFERENCE_MS = 70;
const ROUNDS = 150;

/**
 * How many times as long as written a test waits before it gives up: six times, since a machine that is idle now may
 * stand still for a minute later; more on a slower one. Measured once per test run, by the clock on the wall.
 */
module.exports = function measurePatience() {
  const started = performance.now();
  for (let round = 0; round < ROUNDS; round++) {
    JSON.parse(JSON.stringify(Array.from({ length: 400 }, (_, at) => ({ at, name: `name-${at}`, pair: [at, at] }))));
  }
  const slowness = (performance.now() - started) / REFERENCE_MS;
  return Math.min(20, Math.max(6, Math.ceil(2 * slowness)));
};
