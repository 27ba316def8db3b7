import { compileSignals, type FiredSignal } from './compile-signals';
import { type Decision, decide, type RiskLevel, riskLevel, type Thresholds } from './decide';
import { extractFeatures } from './features';
import { type ModelOpinion, type Score, score } from './score';
import type { ScreeningFacts } from './screening-facts';
import { SIGNALS } from './signals';

/** The `model_version` while no model takes part: signals alone, in their first calibration. */
export const RULES_VERSION = 'rules-1';

/** A model as screening sees it; it may have learnt from anything, but its opinion is in log-odds. */
export interface ScoringModel {
  /** Score distribution of its holdout, by bands of ten points; absent if unknown. */
  readonly score_shares?: readonly number[];
  opinion(vector: Float32Array, facts: Pick<ScreeningFacts, 'observed'>, fired: readonly FiredSignal[]): ModelOpinion;
}

/** A model on trial: it scores what the champion scores, and decides nothing. */
export interface ShadowModel {
  readonly version: string;
  readonly model: ScoringModel;
}

/** What a model in shadow would have decided about a screening; nulls if it threw. */
export interface ShadowOpinion {
  readonly version: string;
  readonly risk_score: number | null;
  readonly decision: Decision | null;
}

export interface Screening extends Score {
  readonly risk_level: RiskLevel;
  readonly decision: Decision;
  readonly model_version: string;
  /** Absent if no model runs in shadow. */
  readonly shadow?: ShadowOpinion;
  /** Stored with the result: any decision can be replayed, and labels join to it for training. */
  readonly vector: Float32Array;
  /** Signals (or `model_risk`) that threw and were left out; empty unless there is a bug. */
  readonly failed_signals: readonly string[];
}

const readSignals = compileSignals(SIGNALS);

/** From facts to decision: pure, and takes about 13 µs. */
export function screen(
  facts: ScreeningFacts,
  thresholds: Thresholds,
  model?: ScoringModel,
  shadow?: ShadowModel,
): Screening {
  const vector = extractFeatures(facts);
  const { fired, failed } = readSignals(vector, facts);
  const opinion = model === undefined ? undefined : ask(model, vector, facts, fired);
  const { risk_score, probability, signals, explanation } = score(fired, thresholds, opinion);
  const isModelSilent = model !== undefined && opinion === undefined;
  return {
    risk_score,
    probability,
    risk_level: riskLevel(risk_score, thresholds),
    decision: decide(risk_score, thresholds),
    signals,
    explanation,
    model_version: opinion?.version ?? RULES_VERSION,
    vector,
    ...(shadow && { shadow: shadowOpinion(shadow, vector, facts, fired, thresholds) }),
    failed_signals: isModelSilent ? [...failed, 'model_risk'] : failed,
  };
}

function shadowOpinion(
  { version, model }: ShadowModel,
  vector: Float32Array,
  facts: ScreeningFacts,
  fired: readonly FiredSignal[],
  thresholds: Thresholds,
): ShadowOpinion {
  const opinion = ask(model, vector, facts, fired);
  if (opinion === undefined) return { version, risk_score: null, decision: null };
  const { risk_score } = score(fired, thresholds, opinion);
  return { version, risk_score, decision: decide(risk_score, thresholds) };
}

/** A model that throws, or returns something that is not a number, has no opinion: the signals decide alone. */
function ask(
  model: ScoringModel,
  vector: Float32Array,
  facts: ScreeningFacts,
  fired: readonly FiredSignal[],
): ModelOpinion | undefined {
  try {
    const opinion = model.opinion(vector, facts, fired);
    const isSound = Number.isFinite(opinion.log_odds) && Number.isFinite(opinion.base_log_odds ?? 0);
    return isSound && opinion.parts.every(({ log_odds }) => Number.isFinite(log_odds)) ? opinion : undefined;
  } catch {
    return undefined;
  }
}
