import type { BundledRun } from '../../bin/cli/bundled-run';
import { type CommandLine, readCommandLine, UsageError } from '../../bin/cli/command-line';
import { progressBar } from '../../bin/cli/progress-bar';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import { type History, historyBuilder, readEventFile } from '../replay/history';
import { replay } from '../replay/replay';
import { simulateTraffic } from '../simulation/simulate-traffic';
import { checkStrengths } from './check-strengths';
import { isOff, strengthText } from './strength-text';

/** Not the base model's seed: strengths are checked on other people. */
const SEED = 2026;

const COMMAND_LINE = {
  usage: 'npm run strengths -- [FILE]',
  about:
    "Compares each signal's strength with what it was worth in simulated traffic, or in a labelled history (JSON lines, optionally .gz). Exits with 1 if one is off beyond the tolerance.",
  options: {
    people: { value: 'count', does: 'honest people to simulate', default: '600' },
    seed: { value: 'number', does: 'another simulation', default: String(SEED) },
  },
  takesWords: true,
  next: 'docs/score.md explains how to read the table.',
} as const satisfies CommandLine;

/** Checks the strengths on a file or on simulated traffic. */
export async function main(argv: readonly string[], { directory }: BundledRun): Promise<void> {
  const given = readCommandLine(COMMAND_LINE, argv);
  if (!given) return;
  const wiring = replayWiring(directory);
  const [file] = given.words;
  const history =
    file === undefined
      ? simulated(count(given.texts.people ?? '600'), count(given.texts.seed ?? String(SEED)), wiring.ips)
      : await readEventFile(file, ({ line, reason }) => console.error(`  line ${line}: ${reason}`));
  const bar = progressBar('lines', history.length);
  const { rows } = await replay(history.lines(), { ...wiring, isPast: true }, () => bar.step());
  console.error(bar.stop());
  const checked = checkStrengths(rows);
  console.log(strengthText(checked));
  if (checked.some(isOff)) process.exitCode = 1;
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new UsageError(`${text} is not a whole number above 0.`);
  return value;
}

function simulated(people: number, seed: number, ips: Parameters<typeof simulateTraffic>[2]): History {
  const builder = historyBuilder();
  simulateTraffic(people, seed, ips).forEach((line, i) => {
    builder.add(i, line);
  });
  return builder.finish();
}
