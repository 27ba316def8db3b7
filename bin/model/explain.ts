import { userInfo } from 'node:os';
import { type Command, type Given, needWord, UsageError } from '../../shared/cli/command-line';
import { textTable } from '../../shared/cli/text-table';
import type { Evaluation, ModelEvaluation } from '../../shared/domain/models/evaluation/evaluation';
import type { ScoreMove } from '../../shared/domain/models/evaluation/score-move';
import { decideLabels, reviewsIn } from '../../shared/domain/models/label-reviews';
import type { PromotionVerdict } from '../../shared/domain/models/promotion-rule';
import { recompute } from '../../shared/domain/models/recompute';
import { type Cause, championFor, modelIn, type RegistryState } from '../../shared/domain/models/registry-state';
import { RULES_VERSION } from '../../shared/domain/screening/screen';
import type { ScreeningRecord } from '../../shared/domain/screening/subjects/screening-record';
import { decisionId, ulidOf } from '../../shared/domain/screening/subjects/subject-id';
import type { ModelAdminWiring } from '../../shared/runtime/model-admin-wiring';
import { labelledRows } from '../../shared/usecases/models/labelled-rows';
import { openArtefact } from '../../shared/usecases/models/model-files';
import { statisticsOf } from '../../shared/usecases/models/teaching-rows';

export type ModelCommand = Command<ModelAdminWiring>;

/** For the audit trail: who runs the command, and why. */
export const causeOf = ({ clock }: ModelAdminWiring, { texts }: Given, otherwise = 'no reason given'): Cause => ({
  at: new Date(clock.now()).toISOString(),
  by: `${userInfo().username} at the command line`,
  reason: texts.reason ?? otherwise,
});

export function versionOf(state: RegistryState, { words }: Given): string {
  const [word] = words;
  const version = word ?? (modelIn(state, 'shadow') ?? modelIn(state, 'champion') ?? state.models.at(-1))?.version;
  if (!version) throw new UsageError('The registry is empty; the base model is in use.');
  return version;
}

const METRICS: ReadonlyArray<readonly [string, keyof ModelEvaluation]> = [
  ['AUC', 'auc'],
  ['average precision', 'average_precision'],
  ['recall at 1% false positives', 'recall_at_1pct'],
  ['recall at 5% false positives', 'recall_at_5pct'],
  ['log loss', 'log_loss'],
  ['calibration error', 'calibration_error'],
];

export function metricsText({ champion, challenger, rows, move }: Evaluation): string {
  const threeDecimals = (model: ModelEvaluation, name: keyof ModelEvaluation) => Number(model[name]).toFixed(3);
  return [
    `on ${rows.fraud} fraud, ${rows.legitimate} legitimate and ${rows.presumed} sampled screenings, ${rows.from} to ${rows.to}:`,
    textTable([
      ['', champion.version, challenger.version],
      ...METRICS.map(([title, name]) => [title, threeDecimals(champion, name), threeDecimals(challenger, name)]),
    ]),
    ...(move ? [moveText(move)] : []),
  ].join('\n');
}

/** How many recent decisions would flip, and how far scores would move. */
const moveText = ({ rows, flips, mean_points, usual_points, most_points }: ScoreMove): string =>
  `${flips.toFixed(0)} of ${rows.toFixed(0)} recent decisions would flip; scores move by ${mean_points.toFixed(1)} points on average, by at most ${usual_points} in 95% of screenings, by ${most_points} at most`;

export const verdictText = ({ checks }: PromotionVerdict): string =>
  textTable(
    checks.map(({ name, wanted, found, passed }) => [
      passed ? 'yes' : 'NO',
      name,
      `wanted ${wanted}`,
      `found ${found}`,
    ]),
  );

const FEATURES_SHOWN = 12;

async function findDecision(
  { accounts, screenings }: ModelAdminWiring,
  id: string,
): Promise<{ readonly record: ScreeningRecord; readonly account: string }> {
  const ulid = ulidOf(id, 'dec', 'txn', 'evt', 'case');
  if (!ulid) throw new UsageError(`${id} is not the ID of a decision, transaction, event or case.`);
  for (const account of await accounts()) {
    const record = await screenings.find(account, ulid);
    if (record) return { record, account };
  }
  throw new UsageError(`No account in this stage has ${id}. Results are kept for 90 days.`);
}

async function modelOf({ registry, base }: ModelAdminWiring, version: string) {
  if (version === RULES_VERSION) return undefined;
  const shipped = base();
  return shipped?.version === version ? shipped : openArtefact(registry, version);
}

/** Repeats a decision, says whether it is identical bit for bit, and what contributed to it. */
export const explain: ModelCommand['run'] = async (deps, given) => {
  const { record, account } = await findDecision(deps, needWord(given, 0, 'decision'));
  const model = await modelOf(deps, record.model_version);
  const { contributions, differences, features } = recompute(record, model, account);
  const title = `${decisionId(record.ulid)}: score ${record.risk_score}, ${record.automated_decision}, by ${record.model_version}`;
  const same = 'Recomputed from its stored vector: identical, bit for bit.';
  const other = `Recomputed from its stored vector: DIFFERENT.\n${differences.map((line) => `  ${line}`).join('\n')}`;
  const stored = new Map(record.contributions.map(({ signal, detail }) => [signal, detail]));
  return [
    title,
    differences.length === 0 ? same : other,
    textTable([
      ['POINTS', 'SIGNAL', 'WHY'],
      ['', 'base', String(record.base)],
      ...contributions.map(({ signal, points, detail }) => [String(points), signal, stored.get(signal) ?? detail]),
    ]),
    ...(features.length === 0
      ? []
      : [
          textTable([
            ['LOG-ODDS', 'FEATURE', 'VALUE'],
            ...features
              .slice(0, FEATURES_SHOWN)
              .map(({ name, value, log_odds }) => [
                log_odds.toFixed(3),
                name,
                Number.isNaN(value) ? 'missing' : String(value),
              ]),
          ]),
        ]),
  ].join('\n\n');
};

const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(0)}%`);

/** How every analyst and key labels, and which labels are held back from training. */
export const listLabels: ModelCommand['run'] = async ({ registry, labels, clock, stage, base }) => {
  const { state } = await registry.state();
  const named = championFor(state, stage)?.version;
  const champion = named ? await openArtefact(registry, named) : base();
  const rows = await labelledRows(labels, clock.now());
  const statistics = statisticsOf(rows, { champion, base: base() }, state).filter(({ from }) => from === null);
  const reviews = reviewsIn(state);
  const people = statistics.map((found) => [
    found.whose,
    String(found.labels),
    percent(found.fraud / found.labels),
    percent(found.departs_from_others),
    percent(found.departs_from_model),
    reviews.findLast(({ whose }) => whose === found.whose || found.whose.startsWith(`${whose}/`))?.status ?? 'teaches',
  ]);
  const decided = reviews.map(({ whose, status, found, held, decided: by }) => [
    whose,
    status,
    by?.at ?? held?.at ?? '',
    by ? `${by.by}: ${by.reason}` : '',
    found,
  ]);
  return [
    people.length === 0
      ? 'No labels that say who gave them.'
      : textTable([['WHOSE', 'LABELS', 'FRAUD', 'FROM OTHERS', 'FROM MODEL', 'STATUS'], ...people]),
    decided.length === 0
      ? 'No labels are held back.'
      : textTable([['WHOSE', 'STATUS', 'SINCE', 'DECIDED BY', 'WHY HELD'], ...decided]),
  ].join('\n\n');
};

export const acceptLabels: ModelCommand['run'] = async (deps, given) => {
  const whose = needWord(given, 0, 'account, or account/analyst:NAME or account/key:ID');
  await deps.registry.change((now) => decideLabels(now, whose, 'accepted', causeOf(deps, given)));
  return `Labels of ${whose} teach from the next training run on.`;
};

export const rejectLabels: ModelCommand['run'] = async (deps, given) => {
  const whose = needWord(given, 0, 'account, or account/analyst:NAME or account/key:ID');
  await deps.registry.change((now) => decideLabels(now, whose, 'rejected', causeOf(deps, given)));
  return `Labels of ${whose} given until now do not teach. Later ones are compared with the rest again.`;
};
