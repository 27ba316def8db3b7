import { basename } from 'node:path';
import { type BundledRun, type CommandLine, readCommandLine } from '../../shared/cli/command-line';
import { progressBar } from '../../shared/cli/progress-bar';
import { textTable } from '../../shared/cli/text-table';
import { compileStoredSignals } from '../../shared/domain/screening/compile-signals';
import { signalLogOdds } from '../../shared/domain/screening/score';
import { SIGNALS } from '../../shared/domain/screening/signals';
import { unpackVector } from '../../shared/domain/screening/subjects/feature-vector-codec';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import { type History, historyBuilder, readEventFile } from '../replay/history';
import { replay } from '../replay/replay';
import { simulateTraffic } from '../simulation/simulate-traffic';
import { type LabelledAttempt, type MeasuredStrength, measureStrengths } from './measure-strengths';

const PEOPLE = 400;
const SEED = 2025;

const COMMAND_LINE = {
  usage: 'npm run strengths -- [FILE …]',
  about:
    "Checks the signals' strengths against labels: in simulated traffic, and in each history that is named (JSON lines, optionally .gz).",
  options: {},
  takesWords: true,
  notes: 'docs/score.md explains the table.',
  next: 'change a strength in shared/domain/screening/signals, then run npm test.',
} as const satisfies CommandLine;

/** Screens by signals alone, and compares the log-odds each signal added with the actual fraud. */
export async function main(argv: readonly string[], { directory }: BundledRun): Promise<void> {
  const given = readCommandLine(COMMAND_LINE, argv);
  if (!given) return;
  const builder = historyBuilder();
  simulateTraffic(PEOPLE, SEED, replayWiring(directory).ips).forEach((line, i) => {
    builder.add(i, line);
  });
  const simulated = await labelledAttempts(builder.finish(), directory);
  console.log(strengthsText('Simulated traffic', measureStrengths(simulated)));
  for (const file of given.words) {
    const history = await readEventFile(file, () => undefined);
    console.log(`\n${strengthsText(basename(file), measureStrengths(await labelledAttempts(history, directory)))}`);
  }
}

async function labelledAttempts(history: History, directory: string): Promise<LabelledAttempt[]> {
  const read = compileStoredSignals(SIGNALS);
  const attempts: LabelledAttempt[] = [];
  const bar = progressBar('lines', history.length);
  await replay(history.lines(), replayWiring(directory), ({ label }, _, { vector }) => {
    bar.step();
    if (label !== null) attempts.push({ label, parts: signalLogOdds(read(unpackVector(vector))) });
  });
  console.error(bar.stop());
  return attempts;
}

function strengthsText(title: string, found: readonly MeasuredStrength[]): string {
  const head = ['signal', 'fraud', 'legitimate', 'adds', 'should be times', 'verdict'];
  const lines = found.map(({ name, fraud, legitimate, set, multiplier, error, verdict }) => [
    ...[name, String(fraud), String(legitimate), set.toFixed(1)],
    ...[verdict === 'too few' ? '' : `${multiplier.toFixed(2)} ± ${error.toFixed(2)}`, verdict],
  ]);
  return `${title}\n${textTable([head, ...lines])}`;
}
