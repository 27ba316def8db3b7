import { DEFAULT_SETTINGS } from '../../accounts/account';
import { type Decision, decide } from '../../screening/decide';
import { seededRandom } from '../seeded-random';
import { worstAccount, worstWithout } from './account-gains';
import type { Comparison, EvaluatedRows, Evaluation, Flips } from './evaluation';
import { type EvaluatedScores, modelEvaluation } from './model-evaluation';
import { areaUnderRoc, averagePrecision, rankingCurve, rankRows } from './ranking-curve';
import { type ScoreMove, scoreMove } from './score-move';

/** Rows with the scores of both models. */
export interface ComparedRows {
  readonly summary: EvaluatedRows;
  readonly subjectIds: readonly string[];
  /** The row's account, numbered from 0. */
  readonly accounts: Uint32Array;
  /** Their IDs, by number. */
  readonly accountIds: readonly string[];
  /** 1 if nobody gave a label. */
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
}

const RESAMPLES = 200;
const DECISIONS: readonly Decision[] = ['allow', 'review', 'block'];
const FURTHEST = 20;

/** Champion against challenger, on the same rows. */
export function evaluate(rows: ComparedRows): Evaluation & { readonly move: ScoreMove } {
  const judged = (said: SaidOfRows): EvaluatedScores => ({ ...rows, ...said });
  return {
    format: 1,
    rows: rows.summary,
    champion: modelEvaluation(rows.champion.version, judged(rows.champion)),
    challenger: modelEvaluation(rows.challenger.version, judged(rows.challenger)),
    comparison: compare(rows),
    flips: flips(rows),
    move: scoreMove(rows.champion.riskScores, rows.challenger.riskScores, rows.weights),
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

  // Seeded: the same rows always give the same verdict.
  const random = seededRandom(1);
  const drawn = new Float64Array(labels.length);
  let better = 0;
  for (let sample = 0; sample < RESAMPLES; sample++) {
    drawn.fill(0);
    for (let i = 0; i < labels.length; i++) {
      const row = Math.floor(random() * labels.length);
      (drawn[row] as number) += weights[row] as number;
    }
    const [before, after] = precisionWith(drawn) as [number, number];
    // A draw without fraud says nothing; a tie counts as half a win.
    if (after > before) better += 1;
    else if (!(after < before)) better += 0.5;
  }
  return {
    average_precision_gain: apAfter - apBefore,
    auc_gain: aucAfter - aucBefore,
    better_share: better / RESAMPLES,
    worst_account: worstAccount(rows),
    worst_without: worstWithout(rows),
  };
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
