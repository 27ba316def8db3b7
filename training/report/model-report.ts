import type { AttributeSchema } from '../../shared/domain/models/attribute-schema';
import type { Evaluation } from '../../shared/domain/models/evaluation/evaluation';
import type { ModelCard } from '../../shared/domain/models/model-artefact';
import type { PromotionVerdict } from '../../shared/domain/models/promotion-rule';
import type { Judged } from '../../shared/usecases/models/model-files';

/** Everything that a report shows. */
export interface ModelReport {
  readonly version: string;
  readonly card: ModelCard;
  readonly attributes: AttributeSchema;
  /** Comparison with the champion; null for a model that was never compared. */
  readonly evaluation: Evaluation | null;
  readonly verdict: PromotionVerdict | null;
  /** Whose labels taught it, and which were held back; null if unknown. */
  readonly teaching: Judged['teaching'] | null;
  /** The same comparison on the labels of its shadow period; null before that. */
  readonly shadow: { readonly evaluation: Evaluation; readonly verdict: PromotionVerdict } | null;
  /** A description of each feature, by name. */
  readonly descriptions: Readonly<Record<string, string>>;
}
