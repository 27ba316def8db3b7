/** Time that passes only when everybody waits for it: minutes of many processes in milliseconds. */
export function virtualTime(clock: { now(): number }, pass: (ms: number) => void) {
  const waiting: { readonly atMs: number; readonly wake: () => void }[] = [];
  return {
    sleep: (ms: number): Promise<void> =>
      new Promise((wake) => void waiting.push({ atMs: clock.now() + Math.max(0, ms), wake })),

    /** Lets time pass until something has ended. */
    async until<Value>(ending: Promise<Value>): Promise<Value> {
      let isOver = false;
      const over = ending.finally(() => {
        isOver = true;
      });
      for (;;) {
        await new Promise(setImmediate);
        if (isOver) return over;
        const next = waiting.reduce((first, each) => (each.atMs < first.atMs ? each : first));
        waiting.splice(waiting.indexOf(next), 1);
        pass(next.atMs - clock.now());
        next.wake();
      }
    },
  };
}
