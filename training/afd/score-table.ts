import { writeFileSync } from 'node:fs';
import { progressLine } from '../../shared/cli/progress-line';
import { loadBaseModel } from '../../shared/runtime/base-model-file';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import { measureFalsePositives, ratesFile, type Simulation } from './measure-false-positives';

const FILE = 'shared/domain/afd/false-positive-rates.ts';
export const SIMULATION: Simulation = { people: 1_000, seed: 2026 };

/** Measures how many legitimate attempts reach each score, and writes the table that Amazon's scale is made from. */
export async function scoreTable(directory: string): Promise<string> {
  const model = loadBaseModel(directory);
  const progress = progressLine();
  let screened = 0;
  const rates = await measureFalsePositives(SIMULATION, { ...replayWiring(directory), model }, () => {
    screened += 1;
    if (screened % 1_000 === 0) progress.show(() => `${screened} screened`);
  });
  progress.done();
  writeFileSync(FILE, ratesFile(rates, SIMULATION, model?.version ?? 'none'));
  const at = (wanted: number) => rates.findIndex((rate) => rate <= wanted);
  return `${FILE}: one in ten legitimate attempts scores ${at(0.1)} or more, one in fifty ${at(0.02)} or more`;
}
