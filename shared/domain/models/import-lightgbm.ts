import type { SignalTrust } from '../screening/score';
import { contentVersion } from './artefact-blob';
import type { AttributeSchema } from './attribute-schema';
import type { ModelArtefact, ModelCard } from './model-artefact';
import { parseLightgbm } from './parse-lightgbm';
import { inputReader } from './scoring-model';

/** Metadata that a text model lacks. */
export interface LightgbmImport {
  /** Where the features that are not slots of the vector come from. @default no attributes */
  readonly attributes?: AttributeSchema;
  /** @default the model's probabilities are used as they are */
  readonly calibration?: ModelArtefact['calibration'];
  /** @default signals keep their full weight */
  readonly trust?: SignalTrust;
  readonly parent?: string | null;
  readonly audience?: readonly number[] | undefined;
  readonly card?: Partial<Pick<ModelCard, 'trained_at' | 'window' | 'rows' | 'labels' | 'settings'>>;
}

/**
 * An artefact from LightGBM's own `model.txt`, wherever it was trained.
 * @throws Error if the text is malformed, or needs a feature that screening does not have
 */
export function importLightgbm(text: string, given: LightgbmImport = {}): ModelArtefact {
  const forest = parseLightgbm(text);
  const artefact: Omit<ModelArtefact, 'version'> = {
    forest,
    attributes: given.attributes ?? { columns: [] },
    calibration: given.calibration ?? { slope: 1, intercept: 0, role: 'replace' },
    trust: given.trust ?? { judged: {} },
    ...(given.audience === undefined ? {} : { audience: given.audience }),
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
      ...given.card,
    },
  };
  inputReader(artefact);
  return { version: contentVersion('lightgbm', artefact), ...artefact };
}
