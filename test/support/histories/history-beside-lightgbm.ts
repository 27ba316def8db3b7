import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readCommandLine, UsageError } from '../../../shared/cli/command-line';
import { attributeReader } from '../../../shared/domain/models/attribute-schema';
import { areaUnderRoc, averagePrecision, rankingCurve } from '../../../shared/domain/models/evaluation/ranking-curve';
import { rowScorer, storedSignals } from '../../../shared/domain/models/row-scorer';
import { accountScope } from '../../../shared/domain/models/scoring-model';
import { observedOf, vectorOf } from '../../../shared/domain/models/training-row';
import { FEATURE_NAMES, featureSlot } from '../../../shared/domain/screening/features';
import { rulesLogOdds } from '../../../shared/domain/screening/score';
import { trainModel } from '../../../training/engine/learn/train-model';
import { isLeftOut, trainingMatrix } from '../../../training/engine/learn/training-matrix';
import { HISTORY_CASES, type HistoryCaseName } from './generated-history';
import { playGenerated, type ScreenedRow } from './generated-replay';
import { historyBounds, type Ranking } from './history-bounds';

const COMMAND_LINE = {
  usage: 'npx tsx bin/run-bundled.ts test/support/histories/history-beside-lightgbm.ts CASE PAYMENTS [options]',
  about: `Replays a generated history (${Object.keys(HISTORY_CASES).join(', ')}) by production's loop, with production's trainer, and then ranks its test split by LightGBM, which learns from the same vectors and the labels known when the test begins.`,
  options: {
    seed: { value: 'number', does: 'another history of the same kind (default: 1)' },
    ends: { does: 'also train both at five moments, and rank the month after each' },
  },
  takesWords: true,
  next: 'pip install lightgbm, if Python lacks it.',
} as const;

const AMOUNT = featureSlot('amount_ln_usd');
const DAY_MS = 86_400_000;
const END_DAYS = [72, 90, 108, 126, 144];

/** The rows that LightGBM learns from, and those it ranks: the features of our trainer, as our scorer reads them. */
function writeRows(folder: string, train: readonly ScreenedRow[], test: readonly ScreenedRow[]): void {
  const matrix = trainingMatrix(train);
  const slots = FEATURE_NAMES.flatMap((name, slot) => (isLeftOut(name) ? [] : [slot]));
  const readAttributes = attributeReader(matrix.schema);
  const encoded = new Float32Array(matrix.schema.columns.length);
  const values = new Float32Array(test.length * matrix.featureNames.length);
  let to = 0;
  for (const row of test) {
    const vector = vectorOf(row);
    for (const slot of slots) values[to++] = vector[slot] as number;
    values[to++] = rulesLogOdds(storedSignals(vector));
    readAttributes(observedOf(row), encoded, { scope: accountScope(row.account_id), lnUsd: vector[AMOUNT] as number });
    for (const value of encoded) values[to++] = value;
  }
  writeFileSync(join(folder, 'train.f32'), Buffer.from(matrix.values.buffer));
  writeFileSync(join(folder, 'test.f32'), Buffer.from(values.buffer));
  const labels = { train: train.map(({ label }) => label), test: test.map(({ label }) => label) };
  writeFileSync(join(folder, 'labels.json'), JSON.stringify({ features: matrix.featureNames.length, ...labels }));
}

function rankByLightgbm(train: readonly ScreenedRow[], test: readonly ScreenedRow[]): Ranking {
  const folder = mkdtempSync(join(tmpdir(), 'history-'));
  try {
    writeRows(folder, train, test);
    const script = resolve('test/support/histories/rank-by-lightgbm.py');
    const { stdout, stderr, status } = spawnSync('python3', [script, folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`LightGBM failed: ${stderr}`);
    return JSON.parse(stdout.replaceAll('NaN', 'null'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rankByOurs(train: readonly ScreenedRow[], test: readonly ScreenedRow[], nowMs: number): Ranking {
  const scoreOf = rowScorer(trainModel(train, { nowMs, source: 'labels' }).artefact);
  const scores = test.map((row) => scoreOf(row).probability);
  const curve = rankingCurve({ scores, labels: Uint8Array.from(test, ({ label }) => label) });
  return { auc: areaUnderRoc(curve), average_precision: averagePrecision(curve) };
}

const meanOf = (rankings: readonly Ranking[]): string => {
  const mean = (read: (ranking: Ranking) => number) =>
    (rankings.reduce((sum, ranking) => sum + read(ranking), 0) / rankings.length).toFixed(3);
  return `AUC ${mean(({ auc }) => auc)}, average precision ${mean(({ average_precision }) => average_precision)}`;
};

/** One end is chance: both learn what is known at several moments, and rank the 30 days after each. */
function endsText(rows: readonly ScreenedRow[]): string {
  const startMs = rows[0]?.screened_at_ms ?? 0;
  const ends = END_DAYS.map((day) => {
    const nowMs = startMs + day * DAY_MS;
    const train = rows.filter(({ labeled_at_ms }) => labeled_at_ms <= nowMs);
    const test = rows.filter(({ screened_at_ms: at }) => at >= nowMs && at < nowMs + 30 * DAY_MS);
    return { ours: rankByOurs(train, test, nowMs), other: rankByLightgbm(train, test) };
  });
  return `ours      ${meanOf(ends.map(({ ours }) => ours))}\nLightGBM  ${meanOf(ends.map(({ other }) => other))}`;
}

export async function main(argv: readonly string[]): Promise<void> {
  const given = readCommandLine(COMMAND_LINE, argv);
  if (!given) return;
  const [name = '', payments = ''] = given.words;
  if (!Object.hasOwn(HISTORY_CASES, name)) throw new UsageError(`No case "${name}"`);
  const scene = { name: name as HistoryCaseName, payments: Number(payments), seed: Number(given.texts.seed ?? 1) };
  const { found, rows } = await playGenerated(scene, (text) => console.error(text));
  const { trainings, ...figures } = found;
  console.log(`ours      ${JSON.stringify({ ...figures, trainings: trainings.length })}`);
  const test = rows.filter(({ is_test }) => is_test);
  const fromMs = test[0]?.screened_at_ms ?? 0;
  const other = rankByLightgbm(
    rows.filter((row) => !row.is_test && row.labeled_at_ms <= fromMs),
    test,
  );
  console.log(`LightGBM  ${JSON.stringify(other)}`);
  const bounds = [...historyBounds(figures, other)];
  const namesOf = (held: boolean) => bounds.flatMap(([what, holds]) => (holds === held ? [what] : [])).join('; ');
  console.log(`held      ${namesOf(true) || 'nothing'}\nmissed    ${namesOf(false) || 'nothing'}`);
  if (given.flags.has('ends')) console.log(`by models of ${END_DAYS.length} moments\n${endsText(rows)}`);
}
