import type { AccountShare } from '../../domain/models/account-shares';
import { decodeArtefact, encodeArtefact } from '../../domain/models/artefact-blob';
import type { EvaluatedRows, Evaluation } from '../../domain/models/evaluation/evaluation';
import type { ModelArtefact, ModelCard } from '../../domain/models/model-artefact';
import type { PromotionVerdict } from '../../domain/models/promotion-rule';
import type { LabelSource } from '../../domain/models/registry-state';
import type { TrainingRow } from '../../domain/models/training-row';
import type { ModelFilesPort } from './registry-port';
import type { HeldLabels } from './teaching-rows';

/** A model with its LightGBM text. */
export interface MadeModel {
  readonly artefact: ModelArtefact;
  readonly text: string;
  /** Its newest rows, scored by a forest that had not seen them; absent if there was too little fraud. */
  readonly heldOut?: HeldOutRows | undefined;
  /** How it was trained, to train another the same way; absent if it was trained elsewhere. */
  readonly plan?: TrainingPlan;
}

/** Held-out rows with their scores. */
export interface HeldOutRows {
  readonly rows: readonly TrainingRow[];
  readonly scores: Uint8Array;
  readonly probabilities: Float64Array;
  /** The probabilities of the model alone, before signals add theirs. */
  readonly expected: Float64Array;
}

/** Everything that a training decided besides its trees: with the same plan, two models differ by their labels alone. */
export interface TrainingPlan {
  readonly features: readonly string[];
  readonly trees: number;
  readonly line: { readonly slope: number; readonly intercept: number };
}

/** Facts about a version that are known without opening it. */
export interface ModelMetadata {
  readonly version: string;
  readonly source: LabelSource;
  readonly created_at: string;
  readonly card: ModelCard;
  /** The rows it was evaluated on; null if it was never compared. */
  readonly judged_on: EvaluatedRows | null;
  readonly verdict: PromotionVerdict | null;
}

/** A comparison with the champion, and the decision of the rule. */
export interface StoredEvaluation {
  readonly evaluation: Evaluation;
  readonly verdict: PromotionVerdict;
  /** Lessons that the champion had not learned, in sentences; absent from comparisons of older models. */
  readonly learned?: readonly string[];
  /** Whose labels taught it, and which were held back; absent from comparisons in shadow and of older models. */
  readonly teaching?: { readonly shares: readonly AccountShare[]; readonly held: readonly HeldLabels[] };
}

/** Where a model came from, when, and how it compared; null if it was never compared. */
export interface ModelOrigin {
  readonly source: LabelSource;
  readonly created_at: string;
  readonly evaluated: StoredEvaluation | null;
}

/** Stores all files of a version; it is registered afterwards, so a registered version is always complete. */
export async function storeModel(
  registry: Pick<ModelFilesPort, 'store'>,
  { artefact, text }: MadeModel,
  { source, created_at, evaluated }: ModelOrigin,
): Promise<void> {
  const { version, card } = artefact;
  const metadata: ModelMetadata = {
    ...{ version, source, created_at, card },
    judged_on: evaluated?.evaluation.rows ?? null,
    verdict: evaluated?.verdict ?? null,
  };
  await registry.store(version, {
    artefact: encodeArtefact(artefact),
    text,
    metadata: JSON.stringify(metadata),
    evaluation: JSON.stringify(evaluated),
  });
}

const parsed = <T>(bytes: Uint8Array): T => JSON.parse(Buffer.from(bytes).toString()) as T;

/** Reads what `storeModel` stored. */
export const openArtefact = async (registry: Pick<ModelFilesPort, 'file'>, version: string): Promise<ModelArtefact> =>
  decodeArtefact(await registry.file(version, 'artefact'));

export const readMetadata = async (registry: Pick<ModelFilesPort, 'file'>, version: string): Promise<ModelMetadata> =>
  parsed(await registry.file(version, 'metadata'));

/** The result of a comparison; null if there has been none yet. */
export async function readEvaluation(
  registry: Pick<ModelFilesPort, 'findFile'>,
  version: string,
  file: 'evaluation' | 'shadow' = 'evaluation',
): Promise<StoredEvaluation | null> {
  const found = await registry.findFile(version, file);
  return found ? parsed(found) : null;
}
