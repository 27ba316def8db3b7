import { accountScope } from '../../domain/models/account-scope';
import { accountShares, byAccount, splitNewest, TEACHING_RULE } from '../../domain/models/account-shares';
import { type Departure, reviewsIn } from '../../domain/models/label-reviews';
import type { ModelArtefact } from '../../domain/models/model-artefact';
import {
  type AccountInfluence,
  agreementText,
  judge,
  mergeVerdicts,
  PROMOTION_RULE,
  whyHeld,
} from '../../domain/models/promotion-rule';
import {
  type Cause,
  championFor,
  claimTeaching,
  modelIn,
  noteTraining,
  promote,
  type RegisteredModel,
  type RegistryState,
  register,
  retire,
  startShadow,
} from '../../domain/models/registry-state';
import type { ShadowTally } from '../../domain/models/shadow-tally';
import {
  judgeTraffic,
  type LabelCounts,
  shadowReadiness,
  TRAINING_RULE,
  whyNotYet,
  whyUnfair,
} from '../../domain/models/training-rule';
import type { Stage } from '../../domain/stage';
import { type AccountToHold, accountInfluence, accountsToHold, accountsToLeaveOut } from './account-influence';
import { aucOf, compareModels, driftOf, fraudShare, judgeStability, summaryOf } from './compare-models';
import { type LabelledRow, type LabelPort, labelledRows } from './labelled-rows';
import { type MadeModel, openArtefact, readMetadata, storeModel, type TrainingPlan } from './model-files';
import type { RegistryPort } from './registry-port';
import { type HeldLabels, newDepartures, teachingRows, withHeld } from './teaching-rows';
import { failures, type TrainingReport } from './training-report';

/** Dependencies of a training run. */
export interface TrainingDeps {
  readonly stage: Stage;
  readonly clock: { now(): number };
  readonly labels: LabelPort;
  readonly registry: RegistryPort;
  readonly tallies: { find(version: string): Promise<ShadowTally> };
  /** The bundle's model; undefined if the signals alone are the base. */
  readonly base: ModelArtefact | undefined;
  readonly fit: (
    rows: readonly LabelledRow[],
    parent: ModelArtefact | undefined,
    nowMs: number,
    plan?: TrainingPlan,
  ) => MadeModel;
}

/**
 * One scheduled run. A model in shadow is evaluated before another is trained, so at most one is in progress.
 *
 *   enough labels? ─► train on the older rows ─► better on the newest? ─► train on all ─► nobody moves others? ─► shadow
 *   a day in shadow, and labels of that time? ─► better on those, and quiet on live traffic? ─► champion
 */
export async function runTraining(deps: TrainingDeps): Promise<TrainingReport> {
  const nowMs = deps.clock.now();
  const cause = (reason: string): Cause => ({
    at: new Date(nowMs).toISOString(),
    by: `train-model, ${deps.stage}`,
    reason,
  });
  const { state: seen } = await deps.registry.state();
  if (claimTeaching(seen, deps.stage, cause('')) === undefined) {
    return {
      ...NOTHING,
      outcome: 'follows_production',
      detail: 'production trains the models; this stage only follows',
    };
  }
  const claimed = await deps.registry.change((now) => claimTeaching(now, deps.stage, cause('')) ?? now);
  const all = await labelledRows(deps.labels, nowMs);
  const named = championFor(claimed, deps.stage);
  const champion = named ? await openArtefact(deps.registry, named.version) : deps.base;
  const departures = newDepartures(all, { champion, base: deps.base }, claimed);
  const state = await deps.registry.change((now) => withHeld(now, departures, cause('departs from the rest')));
  const { rows, others, held } = teachingRows(all, state);
  const labels = countLabels(rows, state);
  const run: Run = { deps, nowMs, cause, state, rows, others, held, champion, named, labels };
  const shadow = modelIn(state, 'shadow');
  return shadow ? judgeShadow(run, shadow) : trainChallenger(run);
}

const NOTHING = {
  ...{ version: null, verdict: null, labels: null },
  ...{ champion: null, champion_age_ms: null, champion_auc: null, score_drift: null },
  held: [],
} as const;

interface Run {
  readonly deps: TrainingDeps;
  readonly nowMs: number;
  readonly cause: (reason: string) => Cause;
  readonly state: RegistryState;
  /** The rows that teach, and those of all accounts. */
  readonly rows: readonly LabelledRow[];
  readonly others: readonly LabelledRow[];
  readonly held: readonly HeldLabels[];
  readonly champion: ModelArtefact | undefined;
  /** The champion's entry; undefined for the base model. */
  readonly named: RegisteredModel | undefined;
  readonly labels: LabelCounts;
}

function countLabels(rows: readonly LabelledRow[], { last_training }: RegistryState): LabelCounts {
  const { fraud, legitimate, presumed } = summaryOf(rows);
  const since = last_training ? Date.parse(last_training.at) : Number.NEGATIVE_INFINITY;
  const since_training = rows.filter((row) => row.presumed !== true && row.labeled_at_ms > since).length;
  return { fraud, legitimate, presumed, since_training };
}

async function trainChallenger(run: Run): Promise<TrainingReport> {
  const { deps, nowMs, cause, state, rows, champion, labels, held } = run;
  const { older, newest } = splitNewest(rows, TRAINING_RULE.holdout_share);
  const found = { ...NOTHING, ...healthOf(run, newest), labels, held };
  const reason = whyNotTrained(labels, state, { rows, newest });
  if (reason) return { ...found, outcome: 'too_few_labels', detail: `${reason}${waitingText(run)}` };

  const probe = deps.fit(older, champion, nowMs);
  const onLabels = await judgeOn(run, newest, probe.artefact);
  // What won on unseen rows is trained again with those rows included, and then has to win again in shadow. Accounts are
  // left out of that second training: somebody's newest labels are in no other, and it is the model that would score.
  const [made, taught] = onLabels.verdict.passed ? [deps.fit(rows, champion, nowMs), rows] : [probe, older];
  const influence = influenceOf(run, taught, made);
  const verdict = onLabels.verdictWith(influence);
  const judged = { evaluation: onLabels.evaluation, verdict, teaching: { shares: accountShares(rows), held } };
  const { version } = made.artefact;
  const movers = accountsToHold(influence, champion, new Set(byAccount(taught).keys()));
  const rest = movers.length === 0 ? withoutStrangers(run, influence) : undefined;
  if (rest) return trainChallenger(rest);
  await storeModel(deps.registry, made, { source: deps.stage, created_at: cause('').at, judged });
  await deps.registry.change((now) => {
    // Labels that stopped a model teach nothing until somebody has seen them: the next run trains without them.
    const kept = withHeld(
      now,
      movers.map((mover) => departureOf(mover, rows)),
      cause('moves other accounts'),
    );
    const noted = movers.length > 0 ? kept : noteTraining(kept, cause('').at, labels.fraud + labels.legitimate);
    const added = register(noted, version, deps.stage, cause(`trained from ${rows.length} rows`));
    if (!verdict.passed) return retire(added, version, cause(failures(verdict)));
    // Another model came first, by hand or by another run: this one stays a candidate.
    return modelIn(added, 'shadow') ? added : startShadow(added, version, cause('won on the newest labels'));
  });
  return verdict.passed
    ? { ...found, outcome: 'shadow_started', detail: `won on the newest labels${leftOutText(held)}`, version, verdict }
    : { ...found, outcome: 'candidate_refused', detail: failures(verdict), version, verdict };
}

function whyNotTrained(
  labels: LabelCounts,
  state: RegistryState,
  { rows, newest }: Record<'rows' | 'newest', readonly LabelledRow[]>,
): string | undefined {
  return whyNotYet(labels, state) ?? whyUnfair(rows) ?? whyNoHoldout(newest);
}

/**
 * The same run without the accounts that a first model is trained without; undefined if all may teach it, or too few labels
 * would be left. Once: of those that are left, one is always explained worst.
 */
function withoutStrangers(run: Run, influence: readonly AccountInfluence[]): Run | undefined {
  const strangers =
    run.named || run.held.some(({ status }) => status === 'left_out') ? [] : accountsToLeaveOut(influence);
  if (strangers.length === 0) return undefined;
  const ids = new Set(strangers.map(({ account_id }) => account_id));
  const rows = run.rows.filter(({ account_id }) => !ids.has(account_id));
  const labels = countLabels(rows, run.state);
  const { newest } = splitNewest(rows, TRAINING_RULE.holdout_share);
  if (whyNotTrained(labels, run.state, { rows, newest })) return undefined;
  const left = strangers.map(
    (why): HeldLabels => ({
      whose: why.account_id,
      status: 'left_out',
      found: agreementText(why),
      labels: labelsOf(why.account_id, run.rows),
    }),
  );
  return { ...run, rows, labels, held: [...run.held, ...left] };
}

/** Trains again without each of the largest accounts, and compares what all the others would get. */
function influenceOf(run: Run, taught: readonly LabelledRow[], { artefact, plan }: MadeModel): AccountInfluence[] {
  const { deps, nowMs, state, champion, others } = run;
  const { newest: probes } = splitNewest(others, TRAINING_RULE.holdout_share);
  const trainOn = (rows: readonly LabelledRow[]) => deps.fit(rows, champion, nowMs, plan).artefact;
  return accountInfluence({
    ...{ rows: taught, probes, challenger: artefact, base: deps.base },
    ...{ reviews: reviewsIn(state), trainOn },
  });
}

const departureOf = ({ account_id, why }: AccountToHold, rows: readonly LabelledRow[]): Departure => ({
  whose: account_id,
  from: null,
  labels: labelsOf(account_id, rows),
  found: whyHeld(why),
});

const labelsOf = (id: string, rows: readonly LabelledRow[]): number =>
  rows.filter(({ account_id, presumed }) => account_id === id && presumed !== true).length;

/** Whose labels a first model was trained without, for people. */
const leftOutText = (held: readonly HeldLabels[]): string =>
  held.map(({ whose, status, found }) => (status === 'left_out' ? `; without ${whose}: ${found}` : '')).join('');

/** What is there and does not teach. */
function waitingText({ rows, others, held }: Run): string {
  const few =
    others.filter(({ presumed }) => presumed !== true).length - rows.filter(({ presumed }) => presumed !== true).length;
  const back = held.reduce((sum, { labels }) => sum + labels, 0);
  return [
    few > 0 ? `; ${few} more are of accounts with fewer than ${TEACHING_RULE.least_of_each} of each kind` : '',
    back > 0 ? `; ${back} are held back (npm run model -- labels list)` : '',
  ].join('');
}

async function judgeShadow(run: Run, { version, since }: RegisteredModel): Promise<TrainingReport> {
  const { deps, nowMs, cause, rows, labels, held } = run;
  const fresh = rows.filter(({ screened_at_ms }) => screened_at_ms >= Date.parse(since));
  const found = { ...NOTHING, ...healthOf(run, fresh), labels, held, version };
  const counts = summaryOf(fresh);
  const tally = await deps.tallies.find(version);
  const readiness = shadowReadiness(nowMs - Date.parse(since), counts, tally, PROMOTION_RULE.least_labels);
  const detail = `${counts.fraud} fraud and ${counts.legitimate} legitimate labels, ${tally.screened} screenings in shadow`;
  if (readiness === 'waiting') return { ...found, outcome: 'shadow_waiting', detail };
  if (readiness === 'overdue') {
    await deps.registry.change((now) => retire(now, version, cause(`too few labels in time: ${detail}`)));
    return { ...found, outcome: 'shadow_overdue', detail };
  }
  const { evaluation, verdict: byLabels } = await judgeOn(run, fresh, await openArtefact(deps.registry, version));
  const verdict = mergeVerdicts(byLabels, judgeTraffic(tally, fraudShare(fresh)));
  await deps.registry.store(version, { shadow: JSON.stringify({ evaluation, verdict }) });
  await deps.registry.change((now) =>
    verdict.passed
      ? promote(now, version, cause('won again, on the labels from its shadow period'))
      : retire(now, version, cause(failures(verdict))),
  );
  return verdict.passed
    ? { ...found, outcome: 'promoted', detail, verdict }
    : { ...found, outcome: 'shadow_refused', detail: failures(verdict), verdict };
}

/** Challenger against champion on rows that the challenger has not seen. */
async function judgeOn(run: Run, rows: readonly LabelledRow[], challenger: ModelArtefact) {
  const { base } = run.deps;
  const evaluation = compareModels(rows, run.champion, challenger, base);
  const anchorAt = await anchorRows(run);
  const both = [run.champion, challenger].map((model) => aucOf(anchorAt, model, base)) as [number, number];
  // Rows of one kind have no ranking, and so there is nothing to forget.
  const anchor = both.every(Number.isFinite) ? { champion_auc: both[0], challenger_auc: both[1] } : null;
  const unserved = unservedBy(challenger, run);
  const stability = judgeStability(evaluation, rows, run.champion, challenger);
  const verdictWith = (influence: readonly AccountInfluence[] | null) =>
    mergeVerdicts(judge({ ...evaluation, anchor, influence, unserved }), stability);
  return { evaluation, verdictWith, verdict: verdictWith(null) };
}

/** Accounts with recent screenings that the champion scores for and the challenger would not. */
function unservedBy(challenger: ModelArtefact, { champion, others }: Run): string[] {
  const { audience } = challenger;
  // The base model was made for nobody in particular.
  if (audience === undefined || champion === undefined || champion.calibration.role === 'nudge') return [];
  const isServed = (scope: number) => champion.audience?.includes(scope) ?? true;
  return [...byAccount(others).keys()].filter((id) => {
    const scope = accountScope(id);
    return isServed(scope) && !audience.includes(scope);
  });
}

/**
 * The labels that the champion once won on. Labels that flip from one day to the next, by mistake or by malice,
 * produce a challenger that agrees with the newest and contradicts these.
 */
async function anchorRows({ deps, named, rows }: Run): Promise<LabelledRow[]> {
  const judged = named && (await readMetadata(deps.registry, named.version)).judged_on;
  if (!judged) return [];
  const [from, to] = [Date.parse(judged.from), Date.parse(judged.to)];
  return rows.filter(({ screened_at_ms: at }) => at >= from && at <= to);
}

function whyNoHoldout(newest: readonly LabelledRow[]): string | undefined {
  const { fraud, legitimate, presumed } = summaryOf(newest);
  const least = PROMOTION_RULE.least_labels;
  if (Math.min(fraud, legitimate + presumed) >= least) return undefined;
  return `the newest fifth has ${fraud} fraud and ${legitimate + presumed} legitimate; ${least} of each are needed to evaluate`;
}

/** How the champion performs on new rows: what on-call watches between trainings. */
function healthOf({ deps, champion, named, nowMs }: Run, newest: readonly LabelledRow[]) {
  const known = (value: number) => (Number.isFinite(value) ? value : null);
  return {
    champion: named?.version ?? null,
    champion_age_ms: named ? nowMs - Date.parse(named.since) : null,
    champion_auc: known(aucOf(newest, champion, deps.base)),
    score_drift: known(driftOf(newest, champion, deps.base)),
  };
}
