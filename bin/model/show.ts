import { textTable } from '../../shared/cli/text-table';
import { findModel } from '../../shared/domain/models/registry-state';
import { readEvaluation, readMetadata } from '../../shared/usecases/models/model-files';
import { type ModelCommand, versionOf } from './arguments';
import { metricsText, verdictText } from './metrics-text';

/** A model's origin, its comparison with the champion at the time, and its history in the registry. */
export const show: ModelCommand['run'] = async ({ registry }, given) => {
  const { state } = await registry.state();
  const version = versionOf(state, given);
  const { status, since } = findModel(state, version);
  const { card, source, created_at } = await readMetadata(registry, version);
  const judged = await readEvaluation(registry, version);
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
    judged ? `${metricsText(judged.evaluation)}\n\n${verdictText(judged.verdict)}` : 'Never compared with a champion.',
    ...(judged?.learned?.length
      ? [`What it knows that the champion did not:\n${judged.learned.map((line) => `  ${line}`).join('\n')}`]
      : []),
    ...(judged?.teaching?.held ?? []).map(
      ({ whose, labels, status, found }) => `${labels} labels of ${whose} did not teach (${status}): ${found}`,
    ),
    ...(inShadow ? [`in shadow, ${metricsText(inShadow.evaluation)}\n\n${verdictText(inShadow.verdict)}`] : []),
    textTable([['WHEN', 'WHO', 'BECAME', 'WHY'], ...changes.map(({ at, by, to, reason }) => [at, by, to, reason])]),
  ].join('\n\n');
};
