import type { AttributeSchema } from '../../shared/domain/model/attribute-schema';
import type { ModelCard } from '../../shared/domain/model/model-artefact';
import type { Verdict } from '../../shared/domain/registry/promotion-rule';
import type { Evaluation } from '../evaluation/evaluation';

/** Everything that a report shows. */
export interface ModelReport {
  readonly version: string;
  readonly card: ModelCard;
  readonly attributes: AttributeSchema;
  /** How it did beside the champion; null for a model that was never compared. */
  readonly evaluation: Evaluation | null;
  readonly verdict: Verdict | null;
  /** The same once more, on the labels of its time in shadow; null before that. */
  readonly shadow: { readonly evaluation: Evaluation; readonly verdict: Verdict } | null;
  /** What each feature is, by its name. */
  readonly descriptions: Readonly<Record<string, string>>;
}
