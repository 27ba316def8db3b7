import type { SignalTrust } from '../screening/signal-trust';
import { contentVersion } from './artefact-blob';
import type { AttributeSchema } from './attribute-schema';
import type { ModelArtefact } from './model-artefact';
import { parseLightgbm } from './parse-lightgbm';
import { inputReader } from './scoring-model';

/** What a text model does not say of itself. */
export interface LightgbmImport {
  /** Where its features that are no slots of the vector come from. @default no attributes */
  readonly attributes?: AttributeSchema;
  /** @default the model's probabilities are taken at their word */
  readonly calibration?: ModelArtefact['calibration'];
  /** @default signals count in full beside it */
  readonly trust?: SignalTrust;
  readonly parent?: string | null;
}

/**
 * An artefact out of LightGBM's own `model.txt`, wherever it was trained.
 * @throws Error when the text is malformed, or asks for a feature that screening does not have
 */
export function importLightgbm(text: string, given: LightgbmImport = {}): ModelArtefact {
  const forest = parseLightgbm(text);
  const artefact: Omit<ModelArtefact, 'version'> = {
    forest,
    attributes: given.attributes ?? { columns: [] },
    calibration: given.calibration ?? { slope: 1, intercept: 0, role: 'replace' },
    trust: given.trust ?? { judged: {} },
    card: {
      source: 'lightgbm',
      trained_at: null,
      parent: given.parent ?? null,
      window: null,
      rows: 0,
      labels: { fraud: 0, legitimate: 0 },
      holdout: null,
      score_shares: [],
      features: [],
      monotone: {},
      settings: {},
    },
  };
  inputReader(artefact);
  return { version: contentVersion('lightgbm', artefact), ...artefact };
}
