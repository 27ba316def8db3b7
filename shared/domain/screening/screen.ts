import {
  compileChangedSignals,
  compileSignals,
  compileStoredSignals,
  type FiredSignal,
  featuresOf,
  type SignalReader,
} from './compile-signals';
import { type Decision, decide, type RiskLevel, riskLevel, type Thresholds } from './decide';
import { asWhole } from './exposure';
import { extractFeatures, isOfAmount, otherAmountVector } from './features';
import { type AttemptContext, attemptContext } from './features/feature-table';
import { FULL_TRUST, type ModelOpinion, type Score, score, trustWeight } from './score';
import type { ScreeningFacts } from './screening-facts';
import { SIGNALS } from './signals';
import { withoutStrangers } from './without-strangers';

/** The `model_version` while no model takes part: signals alone, in their first calibration. */
export const RULES_VERSION = 'rules-1';

/** Facts that a model may read, in addition to the vector. */
export type ModelFacts = Pick<ScreeningFacts, 'observed' | 'account_id'>;

/** A model as screening uses it; it may have learnt from anything, but its opinion is in log-odds. */
export interface ScoringModel {
  /** Score distribution of its holdout, by bands of ten points; absent if unknown. */
  readonly score_shares?: readonly number[];
  opinion(vector: Float32Array, facts: ModelFacts, fired: readonly FiredSignal[]): ModelOpinion;
}

/** A model on trial: it scores every screening that the champion scores, and decides nothing. */
export interface ShadowModel {
  readonly version: string;
  readonly model: ScoringModel;
}

/** The decision of a model in shadow; nulls if it threw. */
export interface ShadowOpinion {
  readonly version: string;
  readonly risk_score: number | null;
  readonly decision: Decision | null;
}

export interface Screening extends Score {
  readonly risk_level: RiskLevel;
  readonly decision: Decision;
  readonly model_version: string;
  readonly shadow?: ShadowOpinion;
  /** Stored with the result: any decision can be replayed, and labels join to it for training. */
  readonly vector: Float32Array;
  /** Every signal that holds, regardless of its weight. */
  readonly fired: readonly FiredSignal[];
  /** Signals (or `model_risk`) that threw and were left out; empty unless there is a bug. */
  readonly failed_signals: readonly string[];
}

const readSignals = compileSignals(SIGNALS);
const readStored = compileStoredSignals(SIGNALS);

/** Readers of an attempt with another amount. */
function compileOtherAmounts() {
  const read = new Set(SIGNALS.flatMap(featuresOf));
  return {
    signals: compileChangedSignals(SIGNALS, isOfAmount),
    vectorForSignals: otherAmountVector((feature) => read.has(feature)),
    vectorForModels: otherAmountVector(),
  };
}

/** Compiled for the first attempt that completes a sum: a function starts without. */
let otherAmounts: ReturnType<typeof compileOtherAmounts> | undefined;
function ofOtherAmount() {
  otherAmounts ??= compileOtherAmounts();
  return otherAmounts;
}

const readOtherAmount: Readers['readWhole'] = (vector, before) => ofOtherAmount().signals(vector, before);

/** From facts to decision: pure, and takes about 13 µs. */
export function screen(
  known: ScreeningFacts,
  thresholds: Thresholds,
  model?: ScoringModel,
  shadow?: ShadowModel,
): Screening {
  return screenReading({ read: readSignals, readWhole: readOtherAmount }, known, thresholds, { model, shadow });
}

/** Like `screen`, for a hypothetical attempt: without sentences, and without a signal if one is given. */
export function rescreen(
  supposed: ScreeningFacts,
  thresholds: Thresholds,
  model: ScoringModel | undefined,
  without?: string,
): Screening {
  const read: SignalReader = (vector) => {
    const fired = readStored(vector);
    return { fired: without === undefined ? fired : fired.filter(({ name }) => name !== without), failed: [] };
  };
  return screenReading({ read, readWhole: readStored }, supposed, thresholds, { model });
}

interface Readers {
  readonly read: SignalReader;
  /** The signals of the same attempt for another amount, before which these fired. */
  readonly readWhole: (vector: Float32Array, before: readonly FiredSignal[]) => readonly FiredSignal[];
}

interface Models {
  readonly model?: ScoringModel | undefined;
  readonly shadow?: ShadowModel | undefined;
}

function screenReading(
  { read, readWhole }: Readers,
  known: ScreeningFacts,
  thresholds: Thresholds,
  { model, shadow }: Models,
): Screening {
  const own = withoutStrangers(known);
  const context = attemptContext(own);
  const alone = scoreFacts(read, { facts: own, vector: extractFeatures(own, context) }, thresholds, model);
  const pieces_score = piecesScore({ context, readWhole }, alone, thresholds, model);
  const { evidence, failed, opinion, scored } =
    pieces_score === undefined ? alone : scoreFacts(read, { facts: { ...own, pieces_score } }, thresholds, model);
  const { risk_score, probability, signals, explanation } = scored;
  const { vector, fired } = evidence;
  const isModelSilent = model !== undefined && opinion === undefined;
  const screening = {
    risk_score,
    probability,
    risk_level: riskLevel(risk_score, thresholds),
    decision: decide(risk_score, thresholds),
    signals,
    explanation,
    model_version: opinion?.version ?? RULES_VERSION,
    vector,
    fired,
    failed_signals: isModelSilent ? [...failed, 'model_risk'] : failed,
  };
  return shadow === undefined ? screening : { ...screening, shadow: shadowOpinion(shadow, evidence, thresholds) };
}

function scoreFacts(
  read: SignalReader,
  { facts, vector = extractFeatures(facts) }: { readonly facts: ScreeningFacts; readonly vector?: Float32Array },
  thresholds: Thresholds,
  model: ScoringModel | undefined,
) {
  const { fired, failed } = read(vector, facts);
  const evidence: Evidence = { vector, facts, fired };
  const opinion = model === undefined ? undefined : ask(model, evidence);
  return { evidence, failed, opinion, scored: score(fired, thresholds, opinion) };
}

/**
 * Pieces never score below the whole: the attempt is also scored as if all that it completes were paid at once. Most
 * attempts complete nothing, and are scored once. Undefined unless the whole would be stopped, and with a higher score.
 *
 * A model that learned from labels is not asked about the sum: it has seen payments, never sums as payments, and reads what was
 * spent in a day and a week as separate features. Asked all the same, it stopped a third of the honest payments of a history.
 * The more pieces labels have judged, the less the whole counts, as with every signal.
 */
function piecesScore(
  { context, readWhole }: Pick<Readers, 'readWhole'> & { readonly context: AttemptContext },
  { opinion, scored, evidence }: ReturnType<typeof scoreFacts>,
  thresholds: Thresholds,
  model: ScoringModel | undefined,
): number | undefined {
  const whole = asWhole(context.facts, context.exposures);
  if (whole === undefined) return undefined;
  const learned = opinion?.base_log_odds === undefined ? undefined : opinion;
  const asked = learned === undefined ? model : { opinion: () => learned };
  const isModelAsked = model !== undefined && learned === undefined;
  const { vectorForModels, vectorForSignals } = ofOtherAmount();
  const vector = (isModelAsked ? vectorForModels : vectorForSignals)(evidence.vector, whole);
  const read = () => ({ fired: readWhole(vector, evidence.fired), failed: [] });
  const more = scoreFacts(read, { facts: whole, vector }, thresholds, asked).scored.risk_score - scored.risk_score;
  const weight = trustWeight(learned?.trust ?? FULL_TRUST, 'split_payments', 0);
  const risk_score = scored.risk_score + Math.round(weight * more);
  return risk_score > scored.risk_score && decide(risk_score, thresholds) !== 'allow' ? risk_score : undefined;
}

interface Evidence {
  readonly vector: Float32Array;
  readonly facts: ScreeningFacts;
  readonly fired: readonly FiredSignal[];
}

function shadowOpinion({ version, model }: ShadowModel, evidence: Evidence, thresholds: Thresholds): ShadowOpinion {
  const opinion = ask(model, evidence);
  if (opinion === undefined) return { version, risk_score: null, decision: null };
  const { risk_score } = score(evidence.fired, thresholds, opinion);
  return { version, risk_score, decision: decide(risk_score, thresholds) };
}

/** A model that throws, or returns something that is not a number, has no opinion: the signals decide alone. */
function ask(model: ScoringModel, { vector, facts, fired }: Evidence): ModelOpinion | undefined {
  try {
    const opinion = model.opinion(vector, facts, fired);
    const isSound = Number.isFinite(opinion.log_odds) && Number.isFinite(opinion.base_log_odds ?? 0);
    return isSound && opinion.parts.every(({ log_odds }) => Number.isFinite(log_odds)) ? opinion : undefined;
  } catch {
    return undefined;
  }
}
