export type Span = readonly [from: number, to: number];

/** Maps values to positions. Either span may run backwards: y grows upwards for the reader and downwards in SVG. */
export function linearScale([low, high]: Span, [start, end]: Span): (value: number) => number {
  // When all values are equal, they lie at the start instead of nowhere.
  const span = high - low || 1;
  return (value) => start + ((value - low) / span) * (end - start);
}
