import { DomainError } from '../errors';
import type { Stage } from '../stage';

/*
 * One document holds the status of every model. Sandbox has its own for as long as production's does not lead.
 *
 *             register            shadow              promote
 *   (nothing) ────────► candidate ───────► shadow ───────────► champion ──┐ another is promoted,
 *                           │  └──────────────────── promote ───►  ▲      │ or it is rolled back
 *                           └─► retired ◄─┘ retire                 │      ▼
 *                                  └────────── promote, roll back ─┴── retired
 *
 * At most one is shadow and at most one is champion. Without a champion, the bundle's base model scores.
 */
export const MODEL_STATUSES = ['candidate', 'shadow', 'champion', 'retired'] as const;

export type ModelStatus = (typeof MODEL_STATUSES)[number];

/** Where a model's labels came from: a stage, or an imported history. */
export type LabelSource = Stage | 'import';

/** The registry's summary of a version; the rest is in its metadata. */
export interface RegisteredModel {
  readonly version: string;
  readonly status: ModelStatus;
  readonly since: string;
  readonly source: LabelSource;
  /** For a model that found clearly more fraud than the champion and was refused: the conditions it failed. */
  readonly better_but?: string;
}

/** One entry of the audit trail. */
export interface RegistryChange {
  readonly at: string;
  /** A function, or the person at the command line. */
  readonly by: string;
  readonly version: string;
  readonly from: ModelStatus | null;
  readonly to: ModelStatus;
  readonly reason: string;
}

export interface RegistryState {
  readonly format: 1;
  readonly learns_from: Stage | null;
  /** When training last produced a model, accepted or not, and from how many labels. */
  readonly last_training: { readonly at: string; readonly labels: number } | null;
  /** Newest last. */
  readonly models: readonly RegisteredModel[];
  /** Past champions that a rollback returns to, newest last; null is the base model. */
  readonly former: ReadonlyArray<string | null>;
  /** Newest last. The S3 bucket keeps every version of the document, and with it all older entries. */
  readonly changes: readonly RegistryChange[];
  /** Labels that were held back, and their reviews; absent if there never were any. Newest last. */
  readonly label_reviews?: readonly LabelReview[];
}

/** Who changes something, when and why. */
export type Cause = Pick<RegistryChange, 'at' | 'by' | 'reason'>;

/** The review of the labels of an account, or of one analyst or key in it. */
export interface LabelReview {
  /** `acc_1` for all labels of an account, `acc_1/analyst:ann` or `acc_1/key:key_1` for those of one actor. */
  readonly whose: string;
  readonly status: 'held' | 'accepted' | 'rejected';
  readonly from: string | null;
  /** Labels given until this; null while it is open-ended. */
  readonly until: string | null;
  readonly labels: number;
  readonly found: string;
  readonly held: Pick<Cause, 'at' | 'by'> | null;
  readonly decided: Cause | null;
}

export const EMPTY_REGISTRY: RegistryState = {
  format: 1,
  learns_from: null,
  last_training: null,
  models: [],
  former: [],
  changes: [],
};

// Screening functions fetch the document whenever it has changed: it stays below 40 kB.
const KEPT_MODELS = 100;
const KEPT_CHANGES = 100;
const KEPT_FORMER = 20;

const refusal = (message: string): DomainError => new DomainError('invalid_request', message);

/** The model in a role; undefined if there is none. */
export const modelIn = (state: RegistryState, role: 'champion' | 'shadow'): RegisteredModel | undefined =>
  state.models.find(({ status }) => status === role);

/** @throws DomainError if the registry has no such version */
export function findModel({ models }: RegistryState, version: string): RegisteredModel {
  const found = models.find((model) => model.version === version);
  if (!found) throw new DomainError('not_found', `The registry has no model ${version}. See npm run model -- list`);
  return found;
}

/**
 * The champion that a stage scores with. Production never follows a model that learnt from sandbox's labels:
 * experiments in the sandbox must not change a live score.
 */
export function championFor(state: RegistryState, stage: Stage): RegisteredModel | undefined {
  const champion = modelIn(state, 'champion');
  return champion && isFitFor(champion, stage) ? champion : undefined;
}

/** The same for the model in shadow. */
export function shadowFor(state: RegistryState, stage: Stage): RegisteredModel | undefined {
  const shadow = modelIn(state, 'shadow');
  return shadow && isFitFor(shadow, stage) ? shadow : undefined;
}

const isFitFor = ({ source }: RegisteredModel, stage: Stage): boolean => stage === 'sandbox' || source !== 'sandbox';

/** A new version; its files must already be stored. */
export function register(state: RegistryState, version: string, source: LabelSource, cause: Cause): RegistryState {
  if (state.models.some((model) => model.version === version)) throw refusal(`${version} is already registered.`);
  const added: RegisteredModel = { version, status: 'candidate', since: cause.at, source };
  return trimmed({
    ...state,
    models: [...state.models, added],
    changes: [...state.changes, { ...cause, version, from: null, to: 'candidate' }],
  });
}

/** Lets a candidate score in parallel with the champion; a previous shadow is retired. */
export function startShadow(state: RegistryState, version: string, cause: Cause): RegistryState {
  const { status } = findModel(state, version);
  if (status !== 'candidate') throw refusal(`${version} is ${status}; only a candidate can become shadow.`);
  const other = modelIn(state, 'shadow');
  const cleared = other ? move(state, other.version, 'retired', { ...cause, reason: `replaced by ${version}` }) : state;
  return move(cleared, version, 'shadow', cause);
}

/** Makes a version the champion, whatever its status was; the old champion is retired and can be rolled back to. */
export function promote(state: RegistryState, version: string, cause: Cause): RegistryState {
  const { status, source } = findModel(state, version);
  if (status === 'champion') throw refusal(`${version} is already the champion.`);
  if (state.learns_from === 'production' && source === 'sandbox') {
    throw refusal(`${version} was trained on sandbox labels; production is live and must not use it.`);
  }
  const old = modelIn(state, 'champion');
  const cleared = old ? move(state, old.version, 'retired', { ...cause, reason: `replaced by ${version}` }) : state;
  return trimmed({ ...move(cleared, version, 'champion', cause), former: [...state.former, old?.version ?? null] });
}

/** Goes back to the previous champion, ultimately to the base model. */
export function rollBack(state: RegistryState, cause: Cause): RegistryState {
  const current = modelIn(state, 'champion');
  if (!current) throw refusal('The base model is the champion; there is nothing to roll back to.');
  const cleared = move(state, current.version, 'retired', cause);
  const former = [...state.former];
  const previous = former.pop() ?? null;
  // If the previous one was dropped from the list, or may no longer be promoted, the base model takes over.
  const target = state.models.find(({ version }) => version === previous);
  const isFit = target && !(state.learns_from === 'production' && target.source === 'sandbox');
  const restored = isFit ? move(cleared, target.version, 'champion', cause) : cleared;
  return { ...restored, former };
}

/** Takes a candidate or shadow out of contention; `betterBut` names the conditions that a better one failed. */
export function retire(state: RegistryState, version: string, cause: Cause, betterBut?: string): RegistryState {
  const { status } = findModel(state, version);
  if (status === 'champion') throw refusal(`${version} is the champion. Promote another model, or roll back.`);
  if (status === 'retired') throw refusal(`${version} is already retired.`);
  const next = move(state, version, 'retired', cause);
  if (betterBut === undefined) return next;
  const noted = (model: RegisteredModel) => (model.version === version ? { ...model, better_but: betterBut } : model);
  return { ...next, models: next.models.map(noted) };
}

/** Records that training made a model from this many labels. */
export const noteTraining = (state: RegistryState, at: string, labels: number): RegistryState => ({
  ...state,
  last_training: { at, labels },
});

/**
 * Whether sandbox follows production's registry: production trains, or someone has added models before its first run.
 * One that sandbox taught, from when both stages wrote to the same, leads nobody until production takes it over.
 */
export const leadsSandbox = ({ learns_from, models }: RegistryState): boolean =>
  learns_from === 'production' || (learns_from === null && models.length > 0);

/**
 * The stage whose labels train the models of its registry. Models that learnt from sandbox's labels step down when
 * production first trains. The same state if nothing changes.
 */
export function claimTeaching(state: RegistryState, stage: Stage, cause: Cause): RegistryState {
  if (stage === 'sandbox') return state.learns_from === stage ? state : { ...state, learns_from: stage };
  const unfit = state.models.filter(
    ({ source, status }) => source === 'sandbox' && (status === 'champion' || status === 'shadow'),
  );
  if (state.learns_from === 'production' && unfit.length === 0) return state;
  const reason = 'production has started training';
  const cleared = unfit.reduce((next, { version }) => move(next, version, 'retired', { ...cause, reason }), state);
  return { ...cleared, learns_from: 'production' };
}

function move(state: RegistryState, version: string, to: ModelStatus, cause: Cause): RegistryState {
  const { status: from } = findModel(state, version);
  return trimmed({
    ...state,
    models: state.models.map((model) =>
      model.version === version ? { ...model, status: to, since: cause.at } : model,
    ),
    changes: [...state.changes, { ...cause, version, from, to }],
  });
}

/** Forgets, oldest first, only models that are out of contention and that no rollback leads to. */
function trimmed(state: RegistryState): RegistryState {
  const surplus = Math.max(0, state.models.length - KEPT_MODELS);
  const dropped = new Set(
    state.models
      .filter(({ status, version }) => status === 'retired' && !state.former.includes(version))
      .slice(0, surplus)
      .map(({ version }) => version),
  );
  return {
    ...state,
    models: state.models.filter(({ version }) => !dropped.has(version)),
    former: state.former.slice(-KEPT_FORMER),
    changes: state.changes.slice(-KEPT_CHANGES),
  };
}

/** How a model in shadow performed on live traffic, compared with the champion. */
export interface ShadowTally {
  readonly screened: number;
  /** How often it gave no score: it threw, or its result was not a number. */
  readonly silent: number;
  readonly champion_stopped: number;
  readonly shadow_stopped: number;
}

export const EMPTY_TALLY: ShadowTally = { screened: 0, silent: 0, champion_stopped: 0, shadow_stopped: 0 };
