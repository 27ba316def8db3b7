import { SingleBar } from 'cli-progress';

/** Drawing costs more than a screening: so often and no oftener. */
const STEPS_A_LOOK = 64;
const DRAW_EVERY_MS = 250;

/** Progress of long work: a bar with rate and time left on a terminal, a line now and then elsewhere. */
export interface ProgressBar {
  step(): void;
  /** A line of its own, above the bar. */
  note(text: string): void;
  stop(): void;
}

/** A bar over so many steps. Rate and time left are of the work itself: time spent on notes' occasions counts. */
export function progressBar(unit: string, total: number, now: () => number = Date.now): ProgressBar {
  const isTerminal = process.stderr.isTTY === true;
  const bar = new SingleBar({
    format: `{bar} {percentage} %  {value}/{total} ${unit}  {rate} a second  {left} left`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: false,
  });
  const startMs = now();
  let done = 0;
  let drawnMs = startMs;
  const payload = () => {
    const seconds = Math.max(0.001, (now() - startMs) / 1000);
    const rate = done / seconds;
    return { rate: Math.round(rate), left: rate > 0 ? clock((total - done) / rate) : '–' };
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
        process.stderr.write(`${done}/${total} ${unit}, ${rate} a second, ${left} left\n`);
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
      const { rate } = payload();
      process.stderr.write(
        `${done} ${unit} in ${clock((now() - startMs) / 1000)}, ${rate} a second with all trainings\n`,
      );
    },
  };
}

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
