import { accountShares, byAccount, TEACHING_RULE } from '../../domain/models/account-shares';
import type { SaidOfRows } from '../../domain/models/evaluation/evaluate';
import { type Departure, reviewsIn } from '../../domain/models/label-reviews';
import type { ModelArtefact } from '../../domain/models/model-artefact';
import {
  type AccountInfluence,
  agreementText,
  decidePromotion,
  isClearlyBetter,
  mergeVerdicts,
  PROMOTION_RULE,
  type PromotionVerdict,
  whyHeld,
} from '../../domain/models/promotion-rule';
import {
  type Cause,
  championFor,
  claimTeaching,
  leadsSandbox,
  modelIn,
  noteTraining,
  promote,
  type RegisteredModel,
  type RegistryState,
  register,
  retire,
  type ShadowTally,
  startShadow,
} from '../../domain/models/registry-state';
import { partFor, serves } from '../../domain/models/scoring-model';
import {
  checkTraffic,
  holdOut,
  type LabelCounts,
  learntAtMs,
  shadowReadiness,
  whyNotYet,
  whyUnfair,
} from '../../domain/models/training-rule';
import type { Stage } from '../../domain/stage';
import { type AccountToHold, accountInfluence, accountsToHold, accountsToLeaveOut } from './account-influence';
import { aucOf, compareModels, fraudShare, healthOn, summaryOf } from './compare-models';
import { type LabelledRow, type LabelPort, labelledRows } from './labelled-rows';
import { type MadeModel, openArtefact, readMetadata, storeModel, type TrainingPlan } from './model-files';
import type { RegistryPort } from './registry-port';
import { type HeldLabels, newDepartures, teachingRows, withHeld } from './teaching-rows';
import { asOne, type Group, groupsOf, tooFewApart, trainGroups } from './train-parts';
import { failedNames, failures, type TrainingReport } from './training-report';
import { whatWasLearned } from './what-was-learned';

/** Dependencies of a training run. */
export interface TrainingDeps {
  readonly stage: Stage;
  readonly clock: { now(): number };
  readonly labels: LabelPort;
  readonly registry: RegistryPort;
  /** Production's registry, for sandbox: while it leads, sandbox trains nothing. */
  readonly leader?: Pick<RegistryPort, 'state'> | undefined;
  readonly tallies: { find(version: string): Promise<ShadowTally> };
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
 *   enough labels? ─► train, the newest rows last ─► no worse on those, before it saw them? nobody moves others? ─► shadow
 *   a day in shadow, and new labels, or three? ─► no worse on those, and quiet on live traffic? ─► champion
 */
export async function runTraining(deps: TrainingDeps): Promise<TrainingReport> {
  const nowMs = deps.clock.now();
  const cause = (reason: string): Cause => ({
    at: new Date(nowMs).toISOString(),
    by: `train-model, ${deps.stage}`,
    reason,
  });
  if (deps.leader && leadsSandbox((await deps.leader.state()).state)) {
    return {
      ...NOTHING,
      outcome: 'follows_production',
      detail: 'production trains the models; this stage only follows',
    };
  }
  const claimed = await deps.registry.change((now) => claimTeaching(now, deps.stage, cause('')));
  const all = await labelledRows(deps.labels, nowMs);
  const named = championFor(claimed, deps.stage);
  const champion = named ? await openArtefact(deps.registry, named.version) : deps.base;
  const departures = newDepartures(all, { champion, base: deps.base }, claimed);
  const state = await deps.registry.change((now) => withHeld(now, departures, cause('departs from the rest')));
  const { rows, others, held } = teachingRows(all, state);
  const labels = countLabels(rows, state);
  const run: Run = { deps, nowMs, cause, state, rows, others, held, champion, named, labels };
  const shadow = modelIn(state, 'shadow');
  return shadow ? decideShadow(run, shadow) : trainChallenger(run);
}

const NOTHING = {
  ...{ version: null, verdict: null, labels: null },
  ...{ champion: null, champion_age_ms: null, champion_auc: null, score_drift: null },
  held: [],
  is_better: false,
  learned: [],
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
  const later = rows.filter((row) => row.presumed !== true && row.labeled_at_ms > since);
  const fraud_since_training = later.reduce((sum, { label }) => sum + label, 0);
  return { fraud, legitimate, presumed, since_training: later.length, fraud_since_training };
}

async function trainChallenger(run: Run): Promise<TrainingReport> {
  const { deps, nowMs, cause, rows, champion, labels, held } = run;
  const found = { ...NOTHING, ...healthOf(run, newestOf(rows)), labels, held };
  const few = whyNotYet(labels, run.state);
  if (few) return { ...found, outcome: 'too_few_labels', detail: `${few}${waitingText(run)}` };
  const unfit = whyUnfit(rows, champion);
  if (unfit) return { ...found, outcome: 'labels_unfit', detail: `${unfit}${waitingText(run)}` };

  const able = withoutTooFew(run);
  if (able) return trainChallenger(able);
  const groups = trainGroups(groupsOf(rows, champion), (own, parent) => deps.fit(own, parent, nowMs));
  const made = asOne(groups, champion);
  if (made === undefined) return { ...found, outcome: 'labels_unfit', detail: WHY_NO_HOLDOUT };
  const { verdictWith, evaluation, learned } = await evaluateOn(run, unseenOf(made, champion), made.artefact);
  const influence = groups.flatMap((group) => influenceOf(run, group));
  const verdict = verdictWith(influence);
  const evaluated = { evaluation, verdict, learned, teaching: { shares: accountShares(rows), held } };
  const { version } = made.artefact;
  const teaching = new Set(byAccount(rows).keys());
  const suspects = accountsToHold(influence, champion, teaching);
  const rest = suspects.length === 0 ? withoutStrangers(run, influence) : undefined;
  if (rest) return trainChallenger(rest);
  // Of two nobody can say which is wrong: neither is held.
  const movers = teaching.size === 2 ? [] : suspects;
  await storeModel(deps.registry, made, { source: deps.stage, created_at: cause('').at, evaluated });
  const is_better = isClearlyBetter(evaluation);
  await deps.registry.change((now) => {
    // Labels that stopped a model teach nothing until somebody has seen them: the next run trains without them.
    const kept = withHeld(
      now,
      movers.map((mover) => departureOf(mover, rows)),
      cause('moves other accounts'),
    );
    const noted = movers.length > 0 ? kept : noteTraining(kept, cause('').at, labels.fraud + labels.legitimate);
    const added = register(noted, version, deps.stage, cause(`trained from ${rows.length} rows`));
    if (!verdict.passed) return refuse(added, version, cause(failures(verdict)), { verdict, is_better });
    // Another model came first, by hand or by another run: this one stays a candidate.
    return modelIn(added, 'shadow') ? added : startShadow(added, version, cause('won on the newest labels'));
  });
  const ended = { ...found, version, verdict, is_better, learned };
  return verdict.passed
    ? { ...ended, outcome: 'shadow_started', detail: `won on the newest labels${leftOutText(held)}` }
    : { ...ended, outcome: 'candidate_refused', detail: failures(verdict) };
}

function refuse(
  state: RegistryState,
  version: string,
  cause: Cause,
  { verdict, is_better }: { verdict: PromotionVerdict; is_better: boolean },
): RegistryState {
  return retire(state, version, cause, is_better ? failedNames(verdict) : undefined);
}

/** The newest rows, where there are enough for an evaluation; otherwise none. */
const newestOf = (rows: readonly LabelledRow[]): readonly LabelledRow[] => holdOut(rows)?.newest ?? [];

const whyUnfit = (rows: readonly LabelledRow[], champion: ModelArtefact | undefined): string | undefined =>
  whyUnfair(rows) ?? (holdOut(rows, champion) ? undefined : WHY_NO_HOLDOUT);

const WHY_NO_HOLDOUT = `too few to learn from and to evaluate on: ${PROMOTION_RULE.least_labels} of each kind are needed that the champion has not seen, and as many before them`;

/** The challenger's scores of the newest rows before it had seen them, of those unseen by the champion too. */
function unseenOf({ artefact, heldOut }: MadeModel, champion: ModelArtefact | undefined): RowsToEvaluate {
  if (heldOut === undefined) throw new Error(`${artefact.version} held out no rows to be evaluated on`);
  const isUnseen = ({ account_id, labeled_at_ms }: LabelledRow) =>
    champion === undefined ||
    !serves(champion, account_id) ||
    labeled_at_ms > learntAtMs(partFor(champion, account_id));
  const taken = (heldOut.rows as readonly LabelledRow[]).flatMap((row, at) => (isUnseen(row) ? [{ row, at }] : []));
  return {
    rows: taken.map(({ row }) => row),
    said: {
      version: artefact.version,
      probabilities: Float64Array.from(taken, ({ at }) => heldOut.probabilities[at] as number),
      riskScores: Uint8Array.from(taken, ({ at }) => heldOut.scores[at] as number),
      expected: Float64Array.from(taken, ({ at }) => heldOut.expected[at] as number),
    },
  };
}

/** Rows to compare on, with the challenger's scores from before it learned from them; absent if it never did. */
interface RowsToEvaluate {
  readonly rows: readonly LabelledRow[];
  readonly said?: SaidOfRows;
}

/**
 * The same run without the accounts that a first model is trained without; undefined if all may teach it, or too few labels
 * would be left. Once: of those that are left, one is always explained worst.
 */
function withoutStrangers(run: Run, influence: readonly AccountInfluence[]): Run | undefined {
  const strangers =
    run.named || run.held.some(({ status }) => status === 'left_out') ? [] : accountsToLeaveOut(influence);
  if (strangers.length === 0) return undefined;
  const rest = without(run, new Map(strangers.map((why) => [why.account_id, agreementText(why)])));
  return (whyNotYet(rest.labels, run.state) ?? whyUnfit(rest.rows, run.champion)) ? undefined : rest;
}

/** The same run without those that have too few labels, even together, while others learn from their own; undefined if all can. */
function withoutTooFew(run: Run): Run | undefined {
  const groups = groupsOf(run.rows, run.champion);
  const few = groups.length === 1 ? undefined : groups.find(({ rows }) => tooFewApart(rows) !== undefined);
  if (few === undefined) return undefined;
  const why = [...byAccount(few.rows)].map(([id, own]) => [id, tooFewApart(own) as string] as const);
  // There were enough labels for a training: those that wait are counted too.
  return { ...without(run, new Map(why)), labels: run.labels };
}

/** The same run without some accounts, and why. */
function without(run: Run, why: ReadonlyMap<string, string>): Run {
  const rows = run.rows.filter(({ account_id }) => !why.has(account_id));
  const left = [...why].map(([whose, found]): HeldLabels => {
    return { whose, status: 'left_out', found, labels: labelsOf(whose, run.rows) };
  });
  return { ...run, rows, labels: countLabels(rows, run.state), held: [...run.held, ...left] };
}

function influenceOf({ deps, nowMs, state, others }: Run, { rows: taught, parent, made }: Group): AccountInfluence[] {
  if (made === undefined) return [];
  const { artefact, plan } = made;
  const probes = newestOf(others);
  const trainOn = (rows: readonly LabelledRow[]) => deps.fit(rows, parent, nowMs, plan).artefact;
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

const leftOutText = (held: readonly HeldLabels[]): string =>
  held.map(({ whose, status, found }) => (status === 'left_out' ? `; without ${whose}: ${found}` : '')).join('');

/** Labels that are there and do not teach. */
function waitingText({ rows, others, held }: Run): string {
  const few =
    others.filter(({ presumed }) => presumed !== true).length - rows.filter(({ presumed }) => presumed !== true).length;
  const back = held.reduce((sum, { labels }) => sum + labels, 0);
  return [
    few > 0 ? `; ${few} more are of accounts with fewer than ${TEACHING_RULE.least_of_each} of each kind` : '',
    back > 0 ? `; ${back} are held back (npm run model -- labels list)` : '',
  ].join('');
}

async function decideShadow(run: Run, { version, since }: RegisteredModel): Promise<TrainingReport> {
  const { deps, nowMs, cause, rows, labels, held } = run;
  // Not by the time of screening: where fraud is reported weeks later, nothing would be fresh for weeks.
  const fresh = rows.filter(({ labeled_at_ms }) => labeled_at_ms > Date.parse(since));
  const found = { ...NOTHING, ...healthOf(run, fresh), labels, held, version };
  const counts = summaryOf(fresh);
  const tally = await deps.tallies.find(version);
  const readiness = shadowReadiness(nowMs - Date.parse(since), counts, tally, PROMOTION_RULE.least_labels);
  const detail = `${counts.fraud} fraud and ${counts.legitimate} legitimate labels, ${tally.screened} screenings in shadow`;
  if (readiness === 'waiting') return { ...found, outcome: 'shadow_waiting', detail };
  if (readiness === 'overdue') {
    await deps.registry.change((now) => retire(now, version, cause(`too little traffic in time: ${detail}`)));
    return { ...found, outcome: 'shadow_overdue', detail };
  }
  // The newest labels may lack fraud that is reported later, the older ones fraud that is new.
  const byTraffic = checkTraffic(tally, Math.max(fraudShare(fresh), fraudShare(rows)));
  const shadow = await openArtefact(deps.registry, version);
  const onLabels = readiness === 'labels' ? await evaluateOn(run, { rows: fresh }, shadow) : undefined;
  const verdict = onLabels ? mergeVerdicts(onLabels.verdict, byTraffic) : byTraffic;
  const is_better = onLabels !== undefined && isClearlyBetter(onLabels.evaluation);
  if (onLabels) {
    const { evaluation, learned } = onLabels;
    await deps.registry.store(version, { shadow: JSON.stringify({ evaluation, verdict, learned }) });
  }
  const won = onLabels
    ? 'won again, on the labels from its shadow period'
    : 'quiet on live traffic; labels were too few';
  await deps.registry.change((now) =>
    verdict.passed
      ? promote(now, version, cause(won))
      : refuse(now, version, cause(failures(verdict)), { verdict, is_better }),
  );
  const ended = { ...found, verdict, is_better };
  return verdict.passed
    ? { ...ended, outcome: 'promoted', detail }
    : { ...ended, outcome: 'shadow_refused', detail: failures(verdict) };
}

/** Challenger against champion on rows that the challenger has not seen, or had not when it scored them. */
async function evaluateOn(run: Run, { rows, said }: RowsToEvaluate, challenger: ModelArtefact) {
  const { base } = run.deps;
  const { said: both, ...evaluation } = compareModels(rows, run.champion, said ?? challenger, base);
  const learned = whatWasLearned({ rows, champion: run.champion, challenger, said: both });
  const anchorAt = await anchorRows(run);
  const aucs = [run.champion, challenger].map((model) => aucOf(anchorAt, model, base)) as [number, number];
  // The champion has since learned those rows by heart, from fewer rows than the challenger: it counts as it won on them.
  const champion_auc = Math.min(aucs[0], run.champion?.card.holdout?.auc ?? aucs[0]);
  // Rows of one kind have no ranking, and so there is nothing to forget.
  const { fraud, legitimate, presumed } = summaryOf(anchorAt);
  const known = Math.min(fraud, legitimate + presumed);
  const anchor = known > 0 ? { champion_auc, challenger_auc: aucs[1], known } : null;
  const unserved = unservedBy(challenger, run);
  const verdictWith = (influence: readonly AccountInfluence[] | null) =>
    decidePromotion({ ...evaluation, anchor, influence, unserved });
  return { evaluation, learned, verdictWith, verdict: verdictWith(null) };
}

/** Accounts with recent screenings that the champion scores for and the challenger would not. */
function unservedBy(challenger: ModelArtefact, { champion, others }: Run): string[] {
  // The base model was made for nobody in particular.
  if (champion === undefined || champion.calibration.role === 'nudge') return [];
  return [...byAccount(others).keys()].filter((id) => serves(champion, id) && !serves(challenger, id));
}

/**
 * The labels that the champion once won on. Labels that flip from one day to the next, by mistake or by malice,
 * produce a challenger that agrees with the newest and contradicts these.
 */
async function anchorRows({ deps, named, rows }: Run): Promise<LabelledRow[]> {
  const evaluatedOn = named && (await readMetadata(deps.registry, named.version)).judged_on;
  if (!evaluatedOn) return [];
  const [from, to] = [Date.parse(evaluatedOn.from), Date.parse(evaluatedOn.to)];
  return rows.filter(({ screened_at_ms: at }) => at >= from && at <= to);
}

/** The champion's performance on new rows, which on-call watches between trainings. */
function healthOf({ deps, champion, named, nowMs }: Run, newest: readonly LabelledRow[]) {
  const known = (value: number) => (Number.isFinite(value) ? value : null);
  const { auc, drift } = healthOn(newest, champion, deps.base);
  return {
    champion: named?.version ?? null,
    champion_age_ms: named ? nowMs - Date.parse(named.since) : null,
    champion_auc: known(auc),
    score_drift: known(drift),
  };
}
