import { needWord } from '../../shared/cli/command-line';
import { textTable } from '../../shared/cli/text-table';
import { decideLabels, reviewsIn } from '../../shared/domain/models/label-reviews';
import { championFor } from '../../shared/domain/models/registry-state';
import { labelledRows } from '../../shared/usecases/models/labelled-rows';
import { openArtefact } from '../../shared/usecases/models/model-files';
import { statisticsOf } from '../../shared/usecases/models/teaching-rows';
import { causeOf, type ModelCommand } from './arguments';

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

/** Lets labels that were held teach from the next training on. */
export const acceptLabels: ModelCommand['run'] = async (deps, given) => {
  const whose = needWord(given, 0, 'account, or account/analyst:NAME or account/key:ID');
  await deps.registry.change((now) => decideLabels(now, whose, 'accepted', causeOf(deps, given)));
  return `Labels of ${whose} teach from the next training run on.`;
};

/** Keeps labels from ever teaching. */
export const rejectLabels: ModelCommand['run'] = async (deps, given) => {
  const whose = needWord(given, 0, 'account, or account/analyst:NAME or account/key:ID');
  await deps.registry.change((now) => decideLabels(now, whose, 'rejected', causeOf(deps, given)));
  return `Labels of ${whose} given until now do not teach. Later ones are compared with the rest again.`;
};
