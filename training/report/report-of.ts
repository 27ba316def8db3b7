import type { ModelArtefact } from '../../shared/domain/models/model-artefact';
import { FEATURES } from '../../shared/domain/screening/features';
import type { Judged } from '../../shared/usecases/models/model-files';
import { renderReport } from './render-report';

const descriptions = Object.fromEntries(FEATURES.map(({ name, description }) => [name, description]));

/** The page about a model: its own metrics, the comparison with the champion at the time, and shadow, if it got that far. */
export const reportOf = (
  { version, card, attributes }: ModelArtefact,
  judged: Judged | null = null,
  shadow: Judged | null = null,
): string =>
  renderReport({
    ...{ version, card, attributes, descriptions, shadow },
    evaluation: judged?.evaluation ?? null,
    verdict: judged?.verdict ?? null,
    teaching: judged?.teaching ?? null,
  });
