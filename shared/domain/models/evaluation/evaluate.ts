import { DEFAULT_SETTINGS } from '../../accounts/account';
import { type Decision, decide } from '../../screening/decide';
import { allowedLoss } from '../promotion-rule';
import { seededRandom } from '../seeded-random';
import type { AccountGain, Comparison, EvaluatedRows, Evaluation, Flips, Harm } from './evaluation';
import { type EvaluatedScores, fraudOf, modelEvaluation } from './model-evaluation';
import { areaUnderRoc, averagePrecision, rankingCurve, rankRows } from './ranking-curve';
import { type ScoreMove, scoreMove } from './score-move';

/** Rows with the scores of both models. */
export interface ComparedRows {
  readonly summary: EvaluatedRows;
  readonly subjectIds: readonly string[];
  readonly accounts: Uint32Array;
  readonly accountIds: readonly string[];
  /** The day of its screening, numbered. @default each row counts as a separate day */
  readonly days?: Uint32Array;
  readonly isPresumed: Uint8Array;
  readonly labels: Uint8Array;
  readonly weights: Float64Array;
  readonly amountsUsd: Float64Array;
  readonly champion: SaidOfRows;
  readonly challenger: SaidOfRows;
}

/** A model's scores of each row. */
export interface SaidOfRows {
  readonly version: string;
  readonly probabilities: Float64Array;
  readonly riskScores: Uint8Array;
  /** The fraud it expects itself, before signals add what no label has confirmed or refuted. @default its probabilities */
  readonly expected?: Float64Array;
}

const RESAMPLES = 200;
/** With fewer days, rows are drawn one by one. */
const LEAST_DAYS = 20;
const DECISIONS: readonly Decision[] = ['allow', 'review', 'block'];
const FURTHEST = 20;

/** Champion against challenger, on the same rows. */
export function evaluate(rows: ComparedRows): Evaluation & { readonly move: ScoreMove; readonly harm: Harm } {
  const evaluated = (said: SaidOfRows): EvaluatedScores => ({ ...rows, ...said });
  const champion = modelEvaluation(rows.champion.version, evaluated(rows.champion));
  const challenger = modelEvaluation(rows.challenger.version, evaluated(rows.challenger));
  return {
    format: 1,
    rows: rows.summary,
    champion,
    challenger,
    comparison: compare(rows),
    flips: flips(rows),
    harm: harmOf(rows, fraudOf(challenger).actual),
    move: scoreMove(rows.champion.riskScores, rows.challenger.riskScores, rows.weights),
  };
}

function harmOf(rows: ComparedRows, actual: number): Harm {
  const { labels, weights } = rows;
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const honest = Math.max(1e-9, all - actual);
  const stoppedBy = ({ riskScores }: SaidOfRows) =>
    weights.reduce((sum, weight, i) => {
      const isStopped = labels[i] === 0 && decide(riskScores[i] as number, DEFAULT_SETTINGS) !== 'allow';
      return isStopped ? sum + weight : sum;
    }, 0) / honest;
  const expectedBy = ({ probabilities, expected = probabilities }: SaidOfRows) =>
    weights.reduce((sum, weight, i) => sum + weight * (expected[i] as number), 0);
  return {
    expected: { champion: expectedBy(rows.champion), challenger: expectedBy(rows.challenger) },
    actual,
    honest_stopped: { champion: stoppedBy(rows.champion), challenger: stoppedBy(rows.challenger) },
    fraud_share: actual / Math.max(1e-9, all),
  };
}

function compare(rows: ComparedRows): Comparison {
  const { labels, weights } = rows;
  const sides = [rows.champion, rows.challenger].map(({ probabilities: scores }) => ({
    scores,
    order: rankRows(scores),
  }));
  const precisionWith = (drawn: Float64Array) =>
    sides.map(({ scores, order }) => averagePrecision(rankingCurve({ scores, labels, weights: drawn }, order)));
  const [apBefore, apAfter] = precisionWith(weights) as [number, number];
  const [aucBefore, aucAfter] = sides.map(({ scores, order }) =>
    areaUnderRoc(rankingCurve({ scores, labels, weights }, order)),
  ) as [number, number];

  // Seeded: the same rows always give the same result.
  const random = seededRandom(1);
  const { groupOf, groups } = drawnTogether(rows);
  const times = new Uint32Array(groups);
  let better = 0;
  for (let sample = 0; sample < RESAMPLES; sample++) {
    times.fill(0);
    for (let i = 0; i < groups; i++) (times[Math.floor(random() * groups)] as number)++;
    const drawn = weights.map((weight, row) => weight * (times[groupOf(row)] as number));
    const [before, after] = precisionWith(drawn) as [number, number];
    // A draw without fraud says nothing; a tie counts as half a win.
    if (after > before) better += 1;
    else if (!(after < before)) better += 0.5;
  }
  return {
    average_precision_gain: apAfter - apBefore,
    auc_gain: aucAfter - aucBefore,
    better_share: better / RESAMPLES,
    // One account alone is all of them.
    ...(new Set(rows.accounts).size > 1
      ? { worst_account: worstAccount(rows), worst_without: worstWithout(rows) }
      : { worst_account: null, worst_without: null }),
  };
}

/**
 * A resample draws whole days of an account. Ten frauds of one spree are one event: drawn one by one, two models that
 * differ in a single spree would seem to differ beyond chance.
 */
function drawnTogether({ labels, days, accounts }: ComparedRows): { groupOf: (row: number) => number; groups: number } {
  const numbers = new Map<string, number>();
  const byRow = days?.map((day, row) => {
    const key = `${accounts[row]} ${day}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
  if (byRow === undefined || numbers.size < LEAST_DAYS) return { groupOf: (row) => row, groups: labels.length };
  return { groupOf: (row) => byRow[row] as number, groups: numbers.size };
}

function flips({ champion, challenger, labels, weights, amountsUsd, subjectIds, isPresumed }: ComparedRows): Flips {
  const table = DECISIONS.flatMap((before) =>
    DECISIONS.map((after) => ({
      champion: before,
      challenger: after,
      ...{ fraud: 0, legitimate: 0, fraud_usd: 0, legitimate_usd: 0 },
    })),
  );
  const rankOf = (score: number) => DECISIONS.indexOf(decide(score, DEFAULT_SETTINGS));
  labels.forEach((label, i) => {
    const [before, after] = [rankOf(champion.riskScores[i] as number), rankOf(challenger.riskScores[i] as number)];
    const cell = table[before * DECISIONS.length + after] as (typeof table)[number];
    const what = label === 1 ? 'fraud' : 'legitimate';
    cell[what] += weights[i] as number;
    const amount = amountsUsd[i] as number;
    if (!Number.isNaN(amount)) cell[`${what}_usd`] += (weights[i] as number) * amount;
  });
  const distance = (i: number) => Math.abs((challenger.riskScores[i] as number) - (champion.riskScores[i] as number));
  const furthest = subjectIds
    .map((_, i) => i)
    .filter((i) => distance(i) > 0)
    .sort((a, b) => distance(b) - distance(a))
    .slice(0, FURTHEST)
    .map((i) => {
      const amount = amountsUsd[i] as number;
      return {
        subject_id: subjectIds[i] as string,
        label:
          labels[i] === 1
            ? ('fraud' as const)
            : isPresumed[i] === 1
              ? ('presumed legitimate' as const)
              : ('legitimate' as const),
        champion_score: champion.riskScores[i] as number,
        challenger_score: challenger.riskScores[i] as number,
        amount_usd: Number.isNaN(amount) ? null : amount,
      };
    });
  return { table, furthest };
}

const LEAST_OF_EACH = 20;
/** Leaving out a small account changes nothing: only the largest are tried. */
const MOST_LEFT_OUT = 10;
/** The account that the challenger serves worst, measured by its possible loss; null if none has enough labels. */
export const worstAccount = (rows: ComparedRows): AccountGain | null =>
  worstOf([...positionsByAccount(rows)].map(([account, positions]) => gainOn(rows, account, positions)));

/** The account without which the comparison turns out worst; null if too few labels would be left. */
export function worstWithout(rows: ComparedRows): AccountGain | null {
  const largest = [...positionsByAccount(rows)].sort((a, b) => b[1].length - a[1].length).slice(0, MOST_LEFT_OUT);
  return worstOf(
    largest.map(([account]) => {
      const rest = Array.from(rows.labels, (_, at) => at).filter((at) => rows.accounts[at] !== account);
      return gainOn(rows, account, rest);
    }),
  );
}

function positionsByAccount({ accounts }: ComparedRows): Map<number, number[]> {
  const positions = new Map<number, number[]>();
  accounts.forEach((account, at) => {
    const own = positions.get(account);
    if (own) own.push(at);
    else positions.set(account, [at]);
  });
  return positions;
}

function gainOn(rows: ComparedRows, account: number, positions: readonly number[]): AccountGain | null {
  const labels = Uint8Array.from(positions, (i) => rows.labels[i] as number);
  const fraud = labels.reduce((sum, label) => sum + label, 0);
  const rarer = Math.min(fraud, labels.length - fraud);
  if (rarer < LEAST_OF_EACH) return null;
  const weights = Float64Array.from(positions, (i) => rows.weights[i] as number);
  const aucOf = ({ probabilities }: SaidOfRows) =>
    areaUnderRoc(rankingCurve({ scores: positions.map((i) => probabilities[i] as number), labels, weights }));
  return {
    account_id: rows.accountIds[account] ?? `account ${account}`,
    auc_gain: aucOf(rows.challenger) - aucOf(rows.champion),
    allowed_loss: allowedLoss(rarer),
  };
}

function worstOf(gains: ReadonlyArray<AccountGain | null>): AccountGain | null {
  const margin = ({ auc_gain, allowed_loss }: AccountGain) => auc_gain + allowed_loss;
  return gains.reduce((worst, gain) => {
    if (gain === null) return worst;
    return worst === null || margin(gain) < margin(worst) ? gain : worst;
  }, null);
}
