/** Each side of a 95% interval. */
const TAIL = 0.025;
/** Halves a share this often: to a billionth. */
const STEPS = 30;

/** The chance of at most `hits` in a sample of `drawn` from a population of which `share` have a property. */
function atMost(hits: number, drawn: number, share: number): number {
  let sum = 0;
  // In logarithms: the chance of no hit in thousands is too small for a number.
  let term = drawn * Math.log1p(-share);
  for (let count = 0; count <= hits; count += 1) {
    sum += Math.exp(term);
    term += Math.log((drawn - count) / (count + 1)) + Math.log(share) - Math.log1p(-share);
  }
  return sum;
}

/** The largest share for which something holds that holds for every smaller one. */
function largest(holds: (share: number) => boolean): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The share of a population that a sample of `drawn`, of which `hits` have a property, supports: the interval of Clopper and
 * Pearson, which is true in 95% of cases and more. Wilson's is narrower, and true on average: of what is so rare that most
 * samples have none of it, one hit claims too much, in one case of seven.
 */
export function shareInterval(hits: number, drawn: number): readonly [number, number] {
  return [
    hits === 0 ? 0 : largest((share) => 1 - atMost(hits - 1, drawn, share) <= TAIL),
    hits === drawn ? 1 : largest((share) => atMost(hits, drawn, share) >= TAIL),
  ];
}
