/** As many calls of a benchmark as are under way at any time. */
export const AT_ONCE = 16;

/** Runs this many, several at once, and returns the milliseconds it took. */
export async function inParallel(
  count: number,
  run: (index: number) => Promise<unknown>,
  atOnce = AT_ONCE,
): Promise<number> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await run(index);
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  return performance.now() - started;
}
