/** Both sides of a 95% interval. */
const Z = 1.96;

/** The share of a population that a sample of `drawn`, of which `hits` have a property, supports: Wilson's interval. */
export function wilsonInterval(hits: number, drawn: number): readonly [number, number] {
  if (drawn === 0) return [0, 1];
  const share = hits / drawn;
  const z2 = Z * Z;
  const middle = share + z2 / (2 * drawn);
  const half = Z * Math.sqrt((share * (1 - share)) / drawn + z2 / (4 * drawn * drawn));
  const scale = 1 + z2 / drawn;
  return [hits === 0 ? 0 : (middle - half) / scale, hits === drawn ? 1 : (middle + half) / scale];
}
