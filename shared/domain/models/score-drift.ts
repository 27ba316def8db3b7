// An empty band must not make the index infinite.
const LEAST_SHARE = 0.0005;

/**
 * Population stability index between the bands of two sets of scores: below 0.1 they are alike, above 0.25 the traffic
 * is no longer what the model was evaluated on. NaN if nothing is expected.
 */
export function scoreDrift(expected: readonly number[], actual: readonly number[]): number {
  if (expected.length === 0 || expected.length !== actual.length) return Number.NaN;
  return expected.reduce((sum, share, band) => {
    const [before, now] = [Math.max(LEAST_SHARE, share), Math.max(LEAST_SHARE, actual[band] as number)];
    return sum + (now - before) * Math.log(now / before);
  }, 0);
}
