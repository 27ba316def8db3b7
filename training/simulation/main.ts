import { writeFileSync } from 'node:fs';
import { type BundledRun, type CommandLine, readCommandLine } from '../../shared/cli/command-line';
import { progressBar } from '../../shared/cli/progress-bar';
import { encodeArtefact } from '../../shared/domain/models/artefact-blob';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import { historyBuilder } from '../replay/history';
import { replay } from '../replay/replay';
import { simulateTraffic } from './simulate-traffic';
import { trainBaseModel } from './train-base-model';

const PEOPLE = 1_000;
const SEED = 2025;

const COMMAND_LINE = {
  usage: 'npm run base-model -- [FILE]',
  about:
    'Makes the base model again from simulated traffic, and writes it to shared/runtime/base-model.bin or the file named.',
  options: {},
  takesWords: true,
  next: 'npm test, since scores change; then commit the file.',
} as const satisfies CommandLine;

/** Rebuilds the base model: simulates, screens by signals alone, trains, and writes the blob to the given file. */
export async function main(argv: readonly string[], { directory }: BundledRun): Promise<void> {
  const given = readCommandLine(COMMAND_LINE, argv);
  if (!given) return;
  const [file = 'shared/runtime/base-model.bin'] = given.words;
  const wiring = { ...replayWiring(directory), keepsRows: true };
  const builder = historyBuilder();
  simulateTraffic(PEOPLE, SEED, wiring.ips).forEach((line, i) => {
    builder.add(i, line);
  });
  const history = builder.finish();
  const bar = progressBar('lines', history.length);
  const { rows } = await replay(history.lines(), wiring, () => bar.step());
  console.error(bar.stop());
  const model = trainBaseModel(rows, SEED);
  const blob = encodeArtefact(model);
  writeFileSync(file, blob);
  const { rows: count, labels, features } = model.card;
  console.log(`${model.version}: ${count} rows, ${labels.fraud} fraud, ${blob.length} bytes to ${file}`);
  for (const { name, gain } of features.slice(0, 15)) console.log(`  ${name.padEnd(32)} ${(100 * gain).toFixed(1)}%`);
}
