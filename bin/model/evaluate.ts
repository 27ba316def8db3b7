import { UsageError } from '../../shared/cli/command-line';
import { judge } from '../../shared/domain/models/promotion-rule';
import { championFor, findModel } from '../../shared/domain/models/registry-state';
import { compareModels, summaryOf } from '../../shared/usecases/models/compare-models';
import { labelledRows } from '../../shared/usecases/models/labelled-rows';
import { openArtefact } from '../../shared/usecases/models/model-files';
import { teachingRows } from '../../shared/usecases/models/teaching-rows';
import { type ModelCommand, versionOf } from './arguments';
import { metricsText, verdictText } from './metrics-text';

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
  const judged = isBoth(unseen) ? unseen : newest;
  if (!isBoth(judged))
    throw new UsageError('Not enough labels to evaluate yet: both fraud and legitimate ones are needed.');
  const evaluation = compareModels(judged, champion, challenger, base());
  const note = judged === unseen ? '' : '\nIt was trained on some of these rows, so its metrics are optimistic.';
  const verdict = judge({ ...evaluation, anchor: null });
  return `${metricsText(evaluation)}${note}\n\n${verdictText(verdict)}`;
};
