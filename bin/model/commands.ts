import {
  modelIn,
  promote,
  type RegistryState,
  retire,
  rollBack,
  startShadow,
} from '../../shared/domain/models/registry-state';
import type { ModelAdminWiring } from '../../shared/runtime/model-admin-wiring';
import { STAGE_OPTIONS } from '../admin/stage-options';
import { needWord } from '../cli/command-line';
import type { CommandTable } from '../cli/command-table';
import { textTable } from '../cli/text-table';
import { add } from './add';
import { causeOf, type ModelCommand } from './arguments';
import { evaluate } from './evaluate';
import { explain } from './explain';
import { report } from './report';
import { show } from './show';

const IN_FORCE = 'In force in every screening function within a minute.';

/** Every model, the newest last; without a champion the base model is it. */
function listed(state: RegistryState): string {
  const base = ['base model', modelIn(state, 'champion') ? '' : 'champion', '', 'bundle'];
  const rows = state.models.map(({ version, status, since, source }) => [version, status, since, source]);
  return textTable([['MODEL', 'STATUS', 'SINCE', 'LEARNT FROM'], base, ...rows]);
}

const COMMANDS: Readonly<Record<string, ModelCommand>> = {
  list: {
    usage: 'list',
    does: 'list all models and what they are',
    run: async ({ registry }) => listed((await registry.state()).state),
  },
  show: {
    usage: 'show [MODEL]',
    does: 'show where a model comes from, how it did and what was done with it',
    run: show,
  },
  promote: {
    usage: 'promote MODEL [--reason TEXT]',
    does: 'make it the champion, whatever the rule says',
    run: async (deps, given) => {
      const version = needWord(given, 0, 'model');
      const state = await deps.registry.change((now) => promote(now, version, causeOf(deps, given)));
      return `${listed(state)}\n\n${IN_FORCE}`;
    },
  },
  rollback: {
    usage: 'rollback [--reason TEXT]',
    does: 'go back to the champion before, in the end to the base model',
    run: async (deps, given) => {
      const state = await deps.registry.change((now) => rollBack(now, causeOf(deps, given)));
      return `${listed(state)}\n\n${IN_FORCE}`;
    },
  },
  shadow: {
    usage: 'shadow MODEL [--reason TEXT]',
    does: 'let a candidate score beside the champion, and be judged by the rule',
    run: async (deps, given) => {
      const version = needWord(given, 0, 'model');
      return listed(await deps.registry.change((now) => startShadow(now, version, causeOf(deps, given))));
    },
  },
  retire: {
    usage: 'retire MODEL [--reason TEXT]',
    does: 'take a candidate or a model in shadow out of the running',
    run: async (deps, given) => {
      const version = needWord(given, 0, 'model');
      return listed(await deps.registry.change((now) => retire(now, version, causeOf(deps, given))));
    },
  },
  add: { usage: 'add PATH', does: "add a candidate: a folder of npm run import, or LightGBM's model.txt", run: add },
  evaluate: { usage: 'evaluate [MODEL]', does: 'compare it with the champion on the newest labels', run: evaluate },
  explain: {
    usage: 'explain DECISION_ID',
    does: 'make a decision once more from its stored vector, and say what moved it',
    run: explain,
  },
  report: {
    usage: 'report [MODEL] [--open] [--out FILE]',
    does: 'write a page about a model, and open it',
    run: report,
  },
};

/** Every command of `npm run model`, one row each. */
export const MODEL_COMMANDS: CommandTable<ModelAdminWiring> = {
  program: 'npm run model',
  about: [
    'Acts on the local run; with --aws, on the deployed stack, with your AWS credentials and region.',
    'Both stages follow one registry; the stage says whose labels and decisions are read.',
  ].join('\n'),
  options: {
    ...STAGE_OPTIONS,
    reason: { value: 'text', does: 'why, for the audit trail' },
    out: { value: 'file', does: 'where the report goes' },
    open: { does: 'open the report in a browser' },
  },
  commands: COMMANDS,
};
