import { hash32 } from '../entities/counterpart-hashes';
import type { FiredSignal } from '../screening/compile-signals';
import { featurePhrase } from '../screening/feature-words';
import { explainedSignal, FEATURE_NAMES, featureSlot } from '../screening/features';
import { type ModelOpinion, PROBABILITY_SHIFT, rulesLogOdds } from '../screening/score';
import { type ModelFacts, RULES_VERSION, type ScoringModel } from '../screening/screen';
import { attributeReader, isOwned } from './attribute-schema';
import type { ModelArtefact } from './model-artefact';
import { pathAttributor } from './path-attribution';

const SCOPE_SALT = 0x73636f70;

/** How a model refers to an account: 32 bits, so that no artefact names one. */
export const accountScope = (accountId: string): number => hash32(accountId, SCOPE_SALT);

/** The forest's only input that is not a stored feature: the sum of the signals' own rules. */
export const RULES_FEATURE = 'rules_log_odds';

/** A model trained on other accounts' traffic may move a score by at most this much, either way. */
const NUDGE_LIMIT = 1.5;

const AMOUNT = featureSlot('amount_ln_usd');

const NONE: readonly never[] = [];

const NO_OPINION: ModelOpinion = { version: RULES_VERSION, log_odds: 0, parts: NONE, detail: '' };

/**
 * A model that takes part in screenings: nothing but the result is allocated per vector. Accounts outside its audience
 * are scored by `base`, or by the signals alone if there is none. `inWords` may be false where nobody reads what moved the score.
 * @throws Error if the forest needs a feature that does not exist
 */
export function openModel(artefact: ModelArtefact, base?: ScoringModel, inWords = true): ScoringModel {
  if (artefact.audience === undefined) return openForEverybody(artefact, inWords);
  const parts = modelParts(artefact).map((part) => ({ part, model: openForEverybody(part, inWords) }));
  const modelFor = lastAnswer((accountId: string) => parts.find(({ part }) => serves(part, accountId))?.model ?? base);
  return {
    score_shares: artefact.card.score_shares,
    opinion(vector, facts, fired) {
      const model = facts.account_id === undefined ? base : modelFor(facts.account_id);
      return model === undefined ? NO_OPINION : model.opinion(vector, facts, fired);
    },
  };
}

/** Whether a model scores for an account. */
export const serves = ({ audience }: Pick<ModelArtefact, 'audience'>, accountId: string): boolean =>
  audience?.includes(accountScope(accountId)) ?? true;

/** The models that a model consists of, each with its own audience: one, unless accounts were taught apart. */
export function modelParts({ apart = [], ...first }: ModelArtefact): ModelArtefact[] {
  if (apart.length === 0) return [first];
  const others = new Set(apart.flatMap(({ audience = [] }) => audience));
  const audience = first.audience?.filter((scope) => !others.has(scope)) ?? [];
  return [{ ...first, audience }, ...apart.map((part) => ({ ...part, version: first.version }))];
}

/** The part of a model that scores for an account; the first where none does. */
export const partFor = (artefact: ModelArtefact, accountId = ''): ModelArtefact =>
  (artefact.apart && modelParts(artefact).find((part) => serves(part, accountId))) ?? artefact;

/** Remembers its last answer: an environment mostly serves one account for a while. */
function lastAnswer<T>(ask: (accountId: string) => T): (accountId: string) => T {
  let last: { readonly accountId: string; readonly answer: T } | undefined;
  return (accountId) => {
    if (last?.accountId !== accountId) last = { accountId, answer: ask(accountId) };
    return last.answer;
  };
}

function openForEverybody(artefact: ModelArtefact, inWords: boolean): ScoringModel {
  const readInput = inputReader(artefact);
  const opinionOf = inputScorer(artefact, inWords);
  return {
    score_shares: artefact.card.score_shares,
    opinion: (vector, facts, fired) => opinionOf(readInput(vector, facts, fired), fired),
  };
}

/** A model's opinion of the forest's inputs. */
export function inputScorer(
  model: Pick<ModelArtefact, 'forest' | 'version' | 'trust' | 'calibration'>,
  inWords = true,
): (input: Float32Array, fired: readonly FiredSignal[]) => ModelOpinion {
  const { forest, version, trust, calibration } = model;
  const { slope, intercept, role } = calibration;
  const names = forest.featureNames;
  const attribute = pathAttributor(forest);
  // Created when a signal first fires: saves 1.2 ms of every cold start.
  let signals: ReadonlyArray<string | undefined> | undefined;
  const scale = slope * forest.sigmoid;
  const isNudge = role === 'nudge';

  return (input, fired) => {
    const { bias, contributions, raw } = attribute(input);
    const found = scale * (raw - bias);
    const said = isNudge ? NUDGE_LIMIT * Math.tanh(found / NUDGE_LIMIT) : found;
    const unit = found === 0 ? 0 : scale * (said / found);
    if (fired.length > 0) signals ??= names.map(explainedSignal);
    return {
      version,
      log_odds: said,
      parts: signals === undefined ? NONE : partsOf(fired, signals, contributions, unit),
      detail: inWords ? sentence(names, input, contributions, said) : '',
      trust,
      only_nudges: isNudge,
      ...(isNudge ? {} : { base_log_odds: scale * bias + intercept + PROBABILITY_SHIFT }),
    };
  };
}

/** Gathers the forest's inputs, by name, from the vector, the rules and the observed attributes. */
export function inputReader({ forest, attributes }: Pick<ModelArtefact, 'forest' | 'attributes'>) {
  const slots = new Map<string, number>(FEATURE_NAMES.map((name, slot) => [name, slot]));
  const columns = new Map(attributes.columns.map(({ feature }, at) => [feature, at]));
  const encoded = new Float32Array(attributes.columns.length);
  const readAttributes = attributeReader(attributes);
  const scopeOf = attributes.columns.some(isOwned) ? lastAnswer(accountScope) : undefined;
  const input = new Float32Array(forest.featureNames.length);
  const fromVector: Array<readonly [to: number, slot: number]> = [];
  const fromColumns: Array<readonly [to: number, column: number]> = [];
  let rulesAt = -1;
  forest.featureNames.forEach((name, to) => {
    const slot = slots.get(name);
    const column = columns.get(name);
    if (slot !== undefined) fromVector.push([to, slot]);
    else if (column !== undefined) fromColumns.push([to, column]);
    else if (name === RULES_FEATURE) rulesAt = to;
    else throw new Error(`the model needs an unknown feature: ${name}`);
  });
  return (vector: Float32Array, { observed = NONE, account_id }: ModelFacts, fired: readonly FiredSignal[]) => {
    // A vector stored before a slot existed is shorter: its missing slots are missing values.
    for (const [to, slot] of fromVector) input[to] = slot < vector.length ? (vector[slot] as number) : Number.NaN;
    if (fromColumns.length > 0) {
      const scope = account_id === undefined ? undefined : scopeOf?.(account_id);
      readAttributes(observed, encoded, { scope, lnUsd: vector[AMOUNT] as number });
      for (const [to, column] of fromColumns) input[to] = encoded[column] as number;
    }
    if (rulesAt >= 0) input[rulesAt] = rulesLogOdds(fired);
    return input;
  };
}

/** The forest's share in each signal that fired, from the features behind it. Trust is not a risk, so it is not included. */
function partsOf(
  fired: readonly FiredSignal[],
  signals: ReadonlyArray<string | undefined>,
  contributions: Float64Array,
  unit: number,
): ModelOpinion['parts'] {
  return fired.flatMap(({ name }) => {
    let log_odds = 0;
    for (let i = 0; i < signals.length; i++) if (signals[i] === name) log_odds += contributions[i] as number;
    return log_odds === 0 ? [] : [{ signal: name, log_odds: log_odds * unit }];
  });
}

/** The two features that moved the score most in its direction, in words. */
function sentence(names: readonly string[], input: Float32Array, contributions: Float64Array, said: number): string {
  const sign = said < 0 ? -1 : 1;
  let first = -1;
  let second = -1;
  for (let i = 0; i < names.length; i++) {
    const moved = sign * (contributions[i] as number);
    if (moved <= 0) continue;
    if (first < 0 || moved > sign * (contributions[first] as number)) {
      second = first;
      first = i;
    } else if (second < 0 || moved > sign * (contributions[second] as number)) second = i;
  }
  if (first < 0) return 'Model: no single feature stands out';
  const words = (i: number) => featurePhrase(names[i] as string, input[i] as number);
  // Two features of what is missing say the same.
  const more = second < 0 || words(second) === words(first) ? '' : `; ${words(second)}`;
  return `Model: ${words(first)}${more}`;
}
