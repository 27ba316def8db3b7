export const asPercent = (share: number): string => `${share * 100}%`;

export type Span = readonly [from: number, to: number];

/** Maps values to positions. Either span may run backwards: y grows upwards for the reader and downwards in SVG. */
export function linearScale([low, high]: Span, [start, end]: Span): (value: number) => number {
  // When all values are equal, they lie at the start instead of nowhere.
  const span = high - low || 1;
  return (value) => start + ((value - low) / span) * (end - start);
}

/** The smallest of `factors` times a power of ten that is at least `value` and allowed; failing that, the next power. */
export function roundUpTo(
  factors: readonly number[],
  value: number,
  isAllowed: (round: number) => boolean = () => true,
): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return factors.map((factor) => factor * power).find((round) => round >= value && isAllowed(round)) ?? 10 * power;
}

const STEPS = [1, 2, 2.5, 5, 10];

export function roundSteps(min: number, max: number, wanted = 4): readonly number[] {
  const step = roundUpTo(STEPS, (max - min || 1) / wanted);
  const first = Math.ceil(min / step - 1e-9) * step;
  const found: number[] = [];
  for (let at = first; at <= max + step * 1e-6; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}

/** Both ends, and the steps that divide the span into `parts` equal parts. */
export const evenSteps = (from: number, to: number, parts: number): readonly number[] =>
  Array.from({ length: parts + 1 }, (_, part) => from + ((to - from) * part) / parts);
