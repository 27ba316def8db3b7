import { needWord } from '../../shared/cli/command-line';
import type { CommandTable } from '../../shared/cli/command-table';
import { STAGE_OPTIONS } from '../../shared/cli/stage-options';
import { textTable } from '../../shared/cli/text-table';
import {
  modelIn,
  promote,
  type RegistryState,
  retire,
  rollBack,
  startShadow,
} from '../../shared/domain/models/registry-state';
import type { ModelAdminWiring } from '../../shared/runtime/model-admin-wiring';
import { add } from './add';
import { causeOf, type ModelCommand } from './arguments';
import { evaluate } from './evaluate';
import { explain } from './explain';
import { exportTraining } from './export';
import { acceptLabels, listLabels, rejectLabels } from './labels';
import { report } from './report';
import { show } from './show';

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
    usage: 'export FOLDER',
    does: 'write the training rows as Parquet, by month, to train elsewhere; if interrupted, rerun to resume',
    run: exportTraining,
  },
  report: {
    usage: 'report [MODEL] [--open] [--out FILE]',
    does: 'write an HTML report about a model and open it',
    run: report,
  },
};

/** Every command of `npm run model`, one row each. */
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
  },
  commands: COMMANDS,
};
