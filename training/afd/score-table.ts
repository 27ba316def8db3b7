import { writeFileSync } from 'node:fs';
import { progressLine } from '../../shared/cli/progress-line';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { loadBaseModel } from '../../shared/runtime/base-model-file';
import { replayWiring } from '../../shared/runtime/replay-wiring';
import { historyBuilder } from '../replay/history';
import { type ReplayDeps, replay } from '../replay/replay';
import { simulateTraffic } from '../simulation/simulate-traffic';

/** How much traffic is simulated, and by which dice: not those that the base model was made with. */
export interface Simulation {
  readonly people: number;
  readonly seed: number;
}

const SCORES = 101;
/** Until everybody has a history, scores are those of strangers. */
const SETTLED = 0.5;

/**
 * For each risk score from 0 to 100, the share of legitimate attempts that score at least as high: simulated traffic,
 * screened with the given model, no label told, the newer half counted.
 */
export async function measureFalsePositives(
  { people, seed }: Simulation,
  deps: Pick<ReplayDeps, 'store' | 'ips'> & { readonly model: ModelArtefact | undefined },
  step: () => void = () => undefined,
): Promise<number[]> {
  const lines = simulateTraffic(people, seed, deps.ips);
  const builder = historyBuilder();
  lines.forEach((line, i) => {
    builder.add(i, { ...line, label: null });
  });
  const history = builder.finish();
  const counts = new Array<number>(SCORES).fill(0);
  let legitimate = 0;
  await replay(history.lines(), deps, ({ i, risk_score }) => {
    step();
    if (i < SETTLED * lines.length || lines[i]?.label !== 0) return;
    counts[risk_score] = (counts[risk_score] ?? 0) + 1;
    legitimate += 1;
  });
  let reached = 0;
  const rates = new Array<number>(SCORES).fill(0);
  for (let score = SCORES - 1; score >= 0; score--) {
    reached += counts[score] ?? 0;
    rates[score] = Math.round((1e6 * reached) / legitimate) / 1e6;
  }
  return rates;
}

export const ratesFile = (rates: readonly number[], { people, seed }: Simulation, version: string): string =>
  [
    '/**',
    ' * For each risk score from 0 to 100, the share of legitimate attempts that score at least as high. Written by',
    ` * \`npm run afd -- score-table\`: ${people} simulated people, seed ${seed}, model ${version}.`,
    ' */',
    'export const FALSE_POSITIVE_RATES: readonly number[] = [',
    ...rows(rates).map((row) => `  ${row},`),
    '];',
    '',
  ].join('\n');

const PER_ROW = 10;

const rows = (rates: readonly number[]): string[] =>
  Array.from({ length: Math.ceil(rates.length / PER_ROW) }, (_, i) =>
    rates.slice(i * PER_ROW, (i + 1) * PER_ROW).join(', '),
  );

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
