import type { PromotionVerdict } from '../../domain/models/promotion-rule';
import type { LabelCounts } from '../../domain/models/training-rule';
import type { HeldLabels } from './teaching-rows';

/** How a run ended. */
export type TrainingOutcome =
  | 'follows_production'
  | 'too_few_labels'
  | 'labels_unfit'
  | 'candidate_refused'
  | 'shadow_started'
  | 'shadow_waiting'
  | 'shadow_refused'
  | 'shadow_overdue'
  | 'promoted';

/** The result of a run, for the log, the metrics and people. */
export interface TrainingReport {
  readonly outcome: TrainingOutcome;
  readonly detail: string;
  readonly version: string | null;
  readonly verdict: PromotionVerdict | null;
  readonly labels: LabelCounts | null;
  /** The champion at the start of this run, and how long it had been champion; null for the base model. */
  readonly champion: string | null;
  readonly champion_age_ms: number | null;
  /** How the champion performs on the newest labels; null if they are too few, or of one kind. */
  readonly champion_auc: number | null;
  /** How far the champion's scores of the newest rows are from those of its evaluation; null if unknown. */
  readonly score_drift: number | null;
  /** The model of this run finds clearly more fraud per alert than the champion; refused all the same, it is worth a look. */
  readonly is_better: boolean;
  /** Lessons of a newly trained model that the champion has not learned, in sentences. */
  readonly learned: readonly string[];
  readonly held: readonly HeldLabels[];
}

/** The conditions that were not met, for an audit trail. */
export const failures = ({ checks }: PromotionVerdict): string =>
  checks
    .flatMap(({ name, wanted, found, passed }) => (passed ? [] : [`${name}: wanted ${wanted}, found ${found}`]))
    .join('; ');

/** The unmet conditions by name alone, for a list. */
export const failedNames = ({ checks }: PromotionVerdict): string =>
  checks.flatMap(({ name, passed }) => (passed ? [] : [name])).join(', ');
