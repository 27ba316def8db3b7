import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type CommandTable, needWord, STAGE_OPTIONS, UsageError } from '../../shared/cli/command-line';
import { textTable } from '../../shared/cli/text-table';
import { decodeArtefact, encodeArtefact } from '../../shared/domain/models/artefact-blob';
import { importLightgbm } from '../../shared/domain/models/import-lightgbm';
import { reviewsIn } from '../../shared/domain/models/label-reviews';
import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { decidePromotion } from '../../shared/domain/models/promotion-rule';
import {
  championFor,
  findModel,
  modelIn,
  promote,
  type RegistryState,
  register,
  retire,
  rollBack,
  startShadow,
} from '../../shared/domain/models/registry-state';
import { openModel } from '../../shared/domain/models/scoring-model';
import type { ModelAdminWiring } from '../../shared/runtime/model-admin-wiring';
import { parseDescription } from '../../shared/schemas/model-description';
import { compareModels, summaryOf } from '../../shared/usecases/models/compare-models';
import { labelledRows } from '../../shared/usecases/models/labelled-rows';
import {
  type MadeModel,
  openArtefact,
  readEvaluation,
  readMetadata,
  storeModel,
} from '../../shared/usecases/models/model-files';
import { teachingRows } from '../../shared/usecases/models/teaching-rows';
import { exportRows } from '../../training/export/export-rows';
import { reportOf } from '../../training/report/render-report';
import { readWarehouse, warehouseLabels } from '../warehouse/read-warehouse';
import {
  acceptLabels,
  causeOf,
  explain,
  listLabels,
  type ModelCommand,
  metricsText,
  rejectLabels,
  verdictText,
  versionOf,
} from './explain';

/** A folder that `npm run import` or `training/python/train.py` wrote, or a text model that LightGBM wrote. */
export function readModel(path: string): MadeModel {
  if (!existsSync(path)) throw new UsageError(`No such file or folder: ${path}`);
  const isFolder = statSync(path).isDirectory();
  try {
    const text = readFileSync(isFolder ? join(path, 'model.txt') : path, 'utf8');
    const artefact = isFolder ? artefactIn(path, text) : importLightgbm(text);
    // A model that cannot be opened must not be registered.
    openModel(artefact);
    return { artefact, text };
  } catch (error) {
    throw new UsageError(`${path} is not a usable model: ${(error as Error).message}`);
  }
}

/** Our own trainer writes the whole artefact; others add a file with the facts LightGBM's text leaves out. */
function artefactIn(folder: string, text: string): ModelArtefact {
  const whole = join(folder, 'artefact.bin');
  if (existsSync(whole)) return decodeArtefact(readFileSync(whole));
  const artefact = importLightgbm(text, parseDescription(readFileSync(join(folder, 'model.json'), 'utf8')));
  // Written and read once, so that anything that cannot be stored is refused here.
  return decodeArtefact(encodeArtefact(artefact));
}

export const add: ModelCommand['run'] = async (deps, given) => {
  const made = readModel(needWord(given, 0, 'folder or file'));
  const { version } = made.artefact;
  const cause = causeOf(deps, given, 'added by hand');
  await storeModel(deps.registry, made, { source: 'import', created_at: cause.at, evaluated: null });
  await deps.registry.change((state) => register(state, version, 'import', cause));
  return [
    `${version} is a candidate.`,
    `npm run model -- evaluate ${version}   compares it with the champion`,
    `npm run model -- shadow ${version}     scores alongside the champion until the promotion rule decides`,
  ].join('\n');
};

const NEWEST = 0.2;

/** Compares a model with the champion on the current labels, and the champion itself with the base model. */
export const evaluate: ModelCommand['run'] = async ({ registry, labels, clock, stage, base }, given) => {
  const { state } = await registry.state();
  const version = versionOf(state, given);
  findModel(state, version);
  const challenger = await openArtefact(registry, version);
  const named = championFor(state, stage)?.version;
  const champion = named && named !== version ? await openArtefact(registry, named) : base();
  const { rows } = teachingRows(await labelledRows(labels, clock.now()), state);
  const learntUntil = challenger.card.window?.to;
  const unseen = learntUntil ? rows.filter((row) => row.screened_at_ms > Date.parse(learntUntil)) : rows;
  const isBoth = (some: typeof rows) => summaryOf(some).fraud > 0 && summaryOf(some).fraud < some.length;
  const newest = rows.slice(Math.floor(rows.length * (1 - NEWEST)));
  const compared = isBoth(unseen) ? unseen : newest;
  if (!isBoth(compared))
    throw new UsageError('Not enough labels to evaluate yet: both fraud and legitimate ones are needed.');
  const evaluation = compareModels(compared, champion, challenger, base());
  const note = compared === unseen ? '' : '\nIt was trained on some of these rows, so its metrics are optimistic.';
  const verdict = decidePromotion({ ...evaluation, anchor: null });
  return `${metricsText(evaluation)}${note}\n\n${verdictText(verdict)}`;
};

export const exportTraining: ModelCommand['run'] = async ({ registry, labels: ofTable, clock, stage }, given) => {
  const folder = needWord(given, 0, 'folder for the rows');
  const { warehouse } = given.texts;
  const labels = warehouse ? warehouseLabels(await readWarehouse(warehouse, process.env.AWS_REGION)) : ofTable;
  const { state } = await registry.state();
  const named = championFor(state, stage)?.version;
  const { rows, parts, wasContinued } = await exportRows(
    {
      ...{ stage, clock, labels, reviews: reviewsIn(state) },
      parent: named ? await openArtefact(registry, named) : undefined,
      onPart: (done) => console.error(`${done} rows …`),
    },
    folder,
  );
  return [
    `${rows} rows in ${parts} parts${wasContinued ? ', continued after an interruption' : ''}; ${folder}/manifest.json describes them.`,
    `python3 training/python/train.py ${folder} --out candidates   trains on them with LightGBM`,
  ].join('\n');
};

const FOLDER = join(__dirname, '../../.local/reports');
const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' };

export const report: ModelCommand['run'] = async ({ registry }, given) => {
  const { state } = await registry.state();
  const version = versionOf(state, given);
  findModel(state, version);
  const page = reportOf(
    await openArtefact(registry, version),
    await readEvaluation(registry, version),
    await readEvaluation(registry, version, 'shadow'),
  );
  const file = resolve(given.texts.out ?? join(FOLDER, `${version}.html`));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, page);
  if (given.flags.has('open')) {
    const opener = spawn(OPENERS[process.platform] ?? 'xdg-open', [file], { stdio: 'ignore', detached: true });
    opener.on('error', () => console.error('Could not open a browser; the report was written anyway.'));
    opener.unref();
  }
  return `Written to ${file}`;
};

/** A model's origin, its comparison with the champion at the time, and its history in the registry. */
export const show: ModelCommand['run'] = async ({ registry }, given) => {
  const { state } = await registry.state();
  const version = versionOf(state, given);
  const { status, since } = findModel(state, version);
  const { card, source, created_at } = await readMetadata(registry, version);
  const stored = await readEvaluation(registry, version);
  const inShadow = await readEvaluation(registry, version, 'shadow');
  const facts: ReadonlyArray<readonly string[]> = [
    ['model', version],
    ['status', `${status} since ${since}`],
    [
      'learnt from',
      `${source}, ${card.labels.fraud} fraud and ${card.labels.legitimate} legitimate in ${card.rows} rows`,
    ],
    ['screened', card.window ? `${card.window.from} to ${card.window.to}` : 'not known'],
    ['made', `${created_at}, while ${card.parent ?? 'the base model'} was champion`],
    [
      'looks at',
      card.features
        .slice(0, 5)
        .map(({ name }) => name)
        .join(', ') || 'not known',
    ],
  ];
  const changes = state.changes.filter((change) => change.version === version);
  return [
    textTable(facts),
    stored ? `${metricsText(stored.evaluation)}\n\n${verdictText(stored.verdict)}` : 'Never compared with a champion.',
    ...(stored?.learned?.length
      ? [`What it knows that the champion did not:\n${stored.learned.map((line) => `  ${line}`).join('\n')}`]
      : []),
    ...(stored?.teaching?.held ?? []).map(
      ({ whose, labels, status, found }) => `${labels} labels of ${whose} did not teach (${status}): ${found}`,
    ),
    ...(inShadow ? [`in shadow, ${metricsText(inShadow.evaluation)}\n\n${verdictText(inShadow.verdict)}`] : []),
    textTable([['WHEN', 'WHO', 'BECAME', 'WHY'], ...changes.map(({ at, by, to, reason }) => [at, by, to, reason])]),
  ].join('\n\n');
};

const IN_FORCE = 'Takes effect in every screening function within a minute.';

/** Every model, newest last; if none was promoted, the base model is the champion. */
function listed(state: RegistryState): string {
  const base = ['base model', modelIn(state, 'champion') ? '' : 'champion', '', 'bundle', ''];
  const rows = state.models.map(({ version, status, since, source, better_but }) => [
    ...[version, status, since, source],
    better_but === undefined ? '' : `refused although better: ${better_but}`,
  ]);
  return textTable([['MODEL', 'STATUS', 'SINCE', 'LEARNED FROM', ''], base, ...rows]);
}

const COMMANDS: Readonly<Record<string, ModelCommand>> = {
  list: {
    usage: 'list',
    does: 'list all models and their status',
    run: async ({ registry }) => listed((await registry.state()).state),
  },
  show: {
    usage: 'show [MODEL]',
    does: "show a model's origin, metrics and history",
    run: show,
  },
  promote: {
    usage: 'promote MODEL [--reason TEXT]',
    does: 'make it the champion, regardless of the promotion rule',
    run: async (deps, given) => {
      const version = needWord(given, 0, 'model');
      const state = await deps.registry.change((now) => promote(now, version, causeOf(deps, given)));
      return `${listed(state)}\n\n${IN_FORCE}`;
    },
  },
  rollback: {
    usage: 'rollback [--reason TEXT]',
    does: 'go back to the previous champion, or to the base model',
    run: async (deps, given) => {
      const state = await deps.registry.change((now) => rollBack(now, causeOf(deps, given)));
      return `${listed(state)}\n\n${IN_FORCE}`;
    },
  },
  shadow: {
    usage: 'shadow MODEL [--reason TEXT]',
    does: 'let a candidate score alongside the champion until the promotion rule decides',
    run: async (deps, given) => {
      const version = needWord(given, 0, 'model');
      return listed(await deps.registry.change((now) => startShadow(now, version, causeOf(deps, given))));
    },
  },
  retire: {
    usage: 'retire MODEL [--reason TEXT]',
    does: 'retire a candidate or a shadow model',
    run: async (deps, given) => {
      const version = needWord(given, 0, 'model');
      return listed(await deps.registry.change((now) => retire(now, version, causeOf(deps, given))));
    },
  },
  add: {
    usage: 'add PATH',
    does: "add a candidate: a folder from npm run import or training/python/train.py, or LightGBM's model.txt",
    run: add,
  },
  evaluate: { usage: 'evaluate [MODEL]', does: 'compare it with the champion on the newest labels', run: evaluate },
  explain: {
    usage: 'explain DECISION_ID',
    does: 'recompute a decision from its stored vector and explain it',
    run: explain,
  },
  'labels list': {
    usage: 'labels list',
    does: 'list who labels how, and which labels are held back from training',
    run: listLabels,
  },
  'labels accept': {
    usage: 'labels accept WHOSE [--reason TEXT]',
    does: 'let labels that are held back teach',
    run: acceptLabels,
  },
  'labels reject': {
    usage: 'labels reject WHOSE [--reason TEXT]',
    does: 'keep the labels of an account, analyst or key from teaching',
    run: rejectLabels,
  },
  export: {
    usage: 'export FOLDER [--warehouse FOLDER|s3://BUCKET]',
    does: 'write the training rows as Parquet, by month, to train elsewhere; if interrupted, rerun to resume',
    run: exportTraining,
  },
  report: {
    usage: 'report [MODEL] [--open] [--out FILE]',
    does: 'write an HTML report about a model and open it',
    run: report,
  },
};

export const MODEL_COMMANDS: CommandTable<ModelAdminWiring> = {
  program: 'npm run model',
  about: [
    'Acts on the local run, or with --aws on the deployed stack, using your AWS credentials and region.',
    "--stage selects whose labels, decisions and models; sandbox follows production's models once production has any.",
  ].join('\n'),
  next: 'docs/model-operations.md explains candidates, promotion and rolling back.',
  options: {
    ...STAGE_OPTIONS,
    reason: { value: 'text', does: 'why, for the audit trail' },
    out: { value: 'file', does: 'where the report goes' },
    open: { does: 'open the report in a browser' },
    warehouse: { value: 'place', does: 'take the rows of a warehouse in place of the table: a folder, or s3://bucket' },
  },
  commands: COMMANDS,
};
