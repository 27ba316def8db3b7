import { DEFAULT_SETTINGS } from '../accounts/account';
import { unpackObserved } from '../screening/attributes/observed-codec';
import { decide } from '../screening/decide';
import { isRuleContribution } from '../screening/decide-by-policy';
import { type Contribution, score } from '../screening/score';
import { unpackVector } from '../screening/subjects/feature-vector-codec';
import type { ScreeningRecord } from '../screening/subjects/screening-record';
import type { ModelArtefact } from './model-artefact';
import { pathAttributor } from './path-attribution';
import { storedSignals } from './row-scorer';
import { inputReader, openModel, partFor } from './scoring-model';

/** A feature that moved the model, and by how much. */
export interface FeatureShare {
  readonly name: string;
  /** NaN if it was not known. */
  readonly value: number;
  readonly log_odds: number;
}

/** A decision recomputed from its stored screening. */
export interface Recomputed {
  readonly risk_score: number;
  readonly contributions: readonly Contribution[];
  /** Members that came out differently, with both values; empty if the decision is identical to the last bit. */
  readonly differences: readonly string[];
  /** The model's features, most influential first; empty if the signals decided alone. */
  readonly features: readonly FeatureShare[];
}

/** Scores a stored vector again with the model that scored it. Sentences are not compared: they need the request. */
export function recompute(
  record: ScreeningRecord,
  artefact: ModelArtefact | undefined,
  account_id?: string,
): Recomputed {
  const thresholds = record.thresholds ?? DEFAULT_SETTINGS;
  const vector = unpackVector(record.vector);
  const observed = record.observed === undefined ? [] : unpackObserved(record.observed);
  const fired = storedSignals(vector);
  const facts = { observed, account_id };
  const part = artefact && partFor(artefact, account_id);
  const again = score(fired, thresholds, artefact && openModel(artefact).opinion(vector, facts, fired));
  const pointsOf = (contributions: readonly Contribution[]) =>
    contributions.map(({ signal, points }) => `${signal} ${points}`).join(', ');
  // Points added by the account's rules are not for a model to explain: they are taken as they were.
  const byRules = record.contributions.filter(isRuleContribution);
  const risk_score = byRules.reduce((sum, { points }) => sum + points, again.risk_score);
  const isByScore = record.decided_by === undefined;
  const members: ReadonlyArray<readonly [string, string | number, string | number]> = [
    ['risk_score', record.risk_score, risk_score],
    ['decision', record.automated_decision, isByScore ? decide(risk_score, thresholds) : record.automated_decision],
    ['base', record.base, again.explanation.base],
    [
      'contributions',
      pointsOf(record.contributions.filter((each) => !isRuleContribution(each))),
      pointsOf(again.explanation.contributions),
    ],
  ];
  return {
    risk_score,
    contributions: again.explanation.contributions,
    differences: members.flatMap(([name, stored, now]) =>
      stored === now ? [] : [`${name}: stored ${stored}, now ${now}`],
    ),
    features: part ? sharesOf(part, inputReader(part)(vector, facts, fired)) : [],
  };
}

function sharesOf({ forest }: ModelArtefact, input: Float32Array): FeatureShare[] {
  const { contributions } = pathAttributor(forest)(input);
  return forest.featureNames
    .map((name, i) => ({ name, value: input[i] as number, log_odds: contributions[i] as number }))
    .filter(({ log_odds }) => log_odds !== 0)
    .sort((a, b) => Math.abs(b.log_odds) - Math.abs(a.log_odds));
}
