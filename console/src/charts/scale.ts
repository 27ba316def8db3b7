const STEPS = [1, 2, 2.5, 5, 10] as const;

/** The least round number that is at least so large: 1, 2, 2.5 or 5 times a power of ten; whole, since it counts. */
export function roundUp(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.ceil(power * (STEPS.find((step) => step * power >= value) ?? 10));
}

/** Which of many columns get a label under them, so that about so many do. */
export const labelled = (count: number, about: number): ((index: number) => boolean) => {
  const every = Math.max(1, Math.ceil(count / about));
  return (index) => index % every === 0;
};
