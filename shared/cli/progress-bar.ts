import { SingleBar } from 'cli-progress';

/** Drawing costs more than a screening, so redraw no more often than this. */
const STEPS_A_LOOK = 64;
const DRAW_EVERY_MS = 250;

export interface ProgressBar {
  step(): void;
  /** Work between the steps (training): takes time, but does not count towards the rate. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  note(text: string): void;
  stop(): string;
}

/** A bar for this many steps. Time left is estimated from the total time spent, the rate from the steps alone. */
export function progressBar(unit: string, total: number, now: () => number = Date.now): ProgressBar {
  const isTerminal = process.stderr.isTTY === true;
  const bar = new SingleBar({
    format: `{bar} {percentage}%  {value}/{total} ${unit}  {rate} per second  {left} left`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: false,
  });
  const startMs = now();
  let done = 0;
  let drawnMs = startMs;
  let asides = 0;
  let asideMs = 0;
  const payload = () => {
    const spentMs = Math.max(1, now() - startMs);
    return {
      rate: Math.round((1000 * done) / Math.max(1, spentMs - asideMs)),
      left: done > 0 ? clock((spentMs * (total - done)) / done) : '–',
    };
  };
  if (isTerminal) bar.start(total, 0, payload());
  return {
    step() {
      done++;
      if (done % STEPS_A_LOOK !== 0) return;
      const everyMs = isTerminal ? DRAW_EVERY_MS : 10_000;
      if (now() - drawnMs < everyMs) return;
      drawnMs = now();
      if (isTerminal) bar.update(done, payload());
      else {
        const { rate, left } = payload();
        process.stderr.write(`${done}/${total} ${unit}, ${rate} per second, ${left} left\n`);
      }
    },
    async aside(work) {
      const beganMs = now();
      try {
        return await work();
      } finally {
        asides++;
        asideMs += now() - beganMs;
      }
    },
    note(text) {
      if (isTerminal) process.stderr.write('\r\u001b[2K');
      process.stderr.write(`${text}\n`);
    },
    stop() {
      if (isTerminal) {
        bar.update(done, payload());
        bar.stop();
      }
      const pace = `${done} ${unit} in ${clock(now() - startMs)}, ${payload().rate} per second`;
      return asides === 0 ? pace : `${pace} between ${asides} trainings, which took ${clock(asideMs)}`;
    },
  };
}

function clock(ms: number): string {
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
