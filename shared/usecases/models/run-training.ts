import type { ModelArtefact } from '../../domain/models/model-artefact';
import { judge, PROMOTION_RULE } from '../../domain/models/promotion-rule';
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
} from '../../domain/models/training-rule';
import type { Stage } from '../../domain/stage';
import { aucOf, compareModels, driftOf, fraudShare, summaryOf } from './compare-models';
import { type LabelledRow, type LabelPort, labelledRows } from './labelled-rows';
import { type Judged, type MadeModel, openArtefact, readMetadata, storeModel } from './model-files';
import type { RegistryPort } from './registry-port';
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
  readonly fit: (rows: readonly LabelledRow[], parent: string | null, nowMs: number) => MadeModel;
}

/**
 * One scheduled run. A model in shadow is evaluated before another is trained, so at most one is in progress.
 *
 *   enough labels? ─► train on the older rows ─► better on the newest? ─► train on all ─► shadow
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
  const state = await deps.registry.change((now) => claimTeaching(now, deps.stage, cause('')) ?? now);
  const rows = await labelledRows(deps.labels, nowMs);
  const named = championFor(state, deps.stage);
  const champion = named ? await openArtefact(deps.registry, named.version) : deps.base;
  const run: Run = { deps, nowMs, cause, state, rows, champion, named, labels: countLabels(rows, state) };
  const shadow = modelIn(state, 'shadow');
  return shadow ? judgeShadow(run, shadow) : trainChallenger(run);
}

const NOTHING = {
  ...{ version: null, verdict: null, labels: null },
  ...{ champion: null, champion_age_ms: null, champion_auc: null, score_drift: null },
} as const;

interface Run {
  readonly deps: TrainingDeps;
  readonly nowMs: number;
  readonly cause: (reason: string) => Cause;
  readonly state: RegistryState;
  readonly rows: readonly LabelledRow[];
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
  const { deps, nowMs, cause, state, rows, champion, labels } = run;
  const cut = Math.floor(rows.length * (1 - TRAINING_RULE.holdout_share));
  const newest = rows.slice(cut);
  const found = { ...NOTHING, ...healthOf(run, newest), labels };
  const reason = whyNotYet(labels, state) ?? whyNoHoldout(newest);
  if (reason) return { ...found, outcome: 'too_few_labels', detail: reason };

  const parent = champion?.version ?? null;
  const probe = deps.fit(rows.slice(0, cut), parent, nowMs);
  const judged = await judgeOn(run, newest, probe.artefact);
  const { verdict } = judged;
  // What won on unseen rows is trained again with those rows included, and then has to win again in shadow.
  const made = verdict.passed ? deps.fit(rows, parent, nowMs) : probe;
  const { version } = made.artefact;
  await storeModel(deps.registry, made, { source: deps.stage, created_at: cause('').at, judged });
  await deps.registry.change((now) => {
    const noted = noteTraining(now, cause('').at, labels.fraud + labels.legitimate);
    const added = register(noted, version, deps.stage, cause(`trained from ${rows.length} rows`));
    if (!verdict.passed) return retire(added, version, cause(failures(verdict)));
    // Another model came first, by hand or by another run: this one stays a candidate.
    return modelIn(added, 'shadow') ? added : startShadow(added, version, cause('won on the newest labels'));
  });
  return verdict.passed
    ? { ...found, outcome: 'shadow_started', detail: 'won on the newest labels', version, verdict }
    : { ...found, outcome: 'candidate_refused', detail: failures(verdict), version, verdict };
}

async function judgeShadow(run: Run, { version, since }: RegisteredModel): Promise<TrainingReport> {
  const { deps, nowMs, cause, rows, labels } = run;
  const fresh = rows.filter(({ screened_at_ms }) => screened_at_ms >= Date.parse(since));
  const found = { ...NOTHING, ...healthOf(run, fresh), labels, version };
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
  const byTraffic = judgeTraffic(tally, fraudShare(fresh));
  const verdict = { passed: byLabels.passed && byTraffic.passed, checks: [...byLabels.checks, ...byTraffic.checks] };
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
async function judgeOn(run: Run, rows: readonly LabelledRow[], challenger: ModelArtefact): Promise<Judged> {
  const evaluation = compareModels(rows, run.champion, challenger);
  const anchor = await anchorRows(run);
  const both = [run.champion, challenger].map((model) => aucOf(anchor, model)) as [number, number];
  return {
    evaluation,
    verdict: judge({
      ...evaluation,
      // Rows of one kind have no ranking, and so there is nothing to forget.
      anchor: both.every(Number.isFinite) ? { champion_auc: both[0], challenger_auc: both[1] } : null,
    }),
  };
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
function healthOf({ champion, named, nowMs }: Run, newest: readonly LabelledRow[]) {
  const known = (value: number) => (Number.isFinite(value) ? value : null);
  return {
    champion: named?.version ?? null,
    champion_age_ms: named ? nowMs - Date.parse(named.since) : null,
    champion_auc: known(aucOf(newest, champion)),
    score_drift: known(driftOf(newest, champion)),
  };
}
