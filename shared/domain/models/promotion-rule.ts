/** One condition of the rule, with the value found: shown to people verbatim. */
export interface Check {
  readonly name: string;
  readonly wanted: string;
  readonly found: string;
  readonly passed: boolean;
}

export interface PromotionVerdict {
  readonly passed: boolean;
  readonly checks: readonly Check[];
}

/** The input of the rule; `Evaluation` of training/evaluation contains all of it. */
export interface Judgement {
  readonly rows: { readonly fraud: number; readonly legitimate: number; readonly presumed: number };
  readonly champion: ComparedMetrics;
  readonly challenger: ComparedMetrics;
  readonly comparison: { readonly better_share: number; readonly worst_account_auc_gain: number | null };
  /** AUC of both models on the labels that the champion won on; null if it never had to win on any. */
  readonly anchor: { readonly champion_auc: number; readonly challenger_auc: number } | null;
}

interface ComparedMetrics {
  readonly auc: number;
  readonly average_precision: number;
  readonly calibration_error: number;
}

/** The margins, in one place. Each is explained in docs/model-operations.md. */
export const PROMOTION_RULE = {
  /** Labels of each kind that an evaluation needs. */
  least_labels: 20,
  /** A hundredth of average precision, or a tenth of what is left to gain if that is less. */
  average_precision_gain: 0.01,
  share_of_the_rest: 0.1,
  /** Of 200 paired resamples. */
  better_share: 0.9,
  auc_loss: 0.005,
  calibration_error_rise: 0.02,
  /** Of an account with at least 20 labels of each kind. */
  account_auc_loss: 0.05,
  anchor_auc_loss: 0.03,
} as const;

const three = (value: number): string => (Number.isFinite(value) ? value.toFixed(3) : 'none');

/**
 * Whether the challenger is better than the champion by more than chance and at nobody's expense. Applied twice to
 * every model: on the newest labels, held back from training, and on those that came in while it ran in shadow.
 */
export function judge({ rows, champion, challenger, comparison, anchor }: Judgement): PromotionVerdict {
  const rule = PROMOTION_RULE;
  const known = Math.min(rows.fraud, rows.legitimate + rows.presumed);
  const wantedGain = Math.min(rule.average_precision_gain, rule.share_of_the_rest * (1 - champion.average_precision));
  const gain = challenger.average_precision - champion.average_precision;
  const aucGain = challenger.auc - champion.auc;
  const calibrationRise = challenger.calibration_error - champion.calibration_error;
  const account = comparison.worst_account_auc_gain;
  const anchorGain = anchor ? anchor.challenger_auc - anchor.champion_auc : null;
  const checks: Check[] = [
    {
      name: 'enough labels',
      wanted: `${rule.least_labels} of each kind`,
      found: `${rows.fraud} fraud, ${rows.legitimate + rows.presumed} legitimate`,
      passed: known >= rule.least_labels,
    },
    {
      name: 'finds more fraud per alert',
      wanted: `average precision up by ${three(wantedGain)}`,
      found: `${three(champion.average_precision)} → ${three(challenger.average_precision)}`,
      passed: gain >= wantedGain && gain > 0,
    },
    {
      name: 'not by chance',
      wanted: `better in ${100 * rule.better_share}% of resamples`,
      found: `${(100 * comparison.better_share).toFixed(1)}%`,
      passed: comparison.better_share >= rule.better_share,
    },
    {
      name: 'ranks no worse',
      wanted: `AUC down by no more than ${rule.auc_loss}`,
      found: `${three(champion.auc)} → ${three(challenger.auc)}`,
      passed: aucGain >= -rule.auc_loss,
    },
    {
      name: 'calibrated no worse',
      wanted: `calibration error up by no more than ${rule.calibration_error_rise}`,
      found: `${three(champion.calibration_error)} → ${three(challenger.calibration_error)}`,
      passed: calibrationRise <= rule.calibration_error_rise,
    },
    {
      name: "at no account's expense",
      wanted: `AUC of no account down by more than ${rule.account_auc_loss}`,
      found: account === null ? 'no account with enough labels' : `worst ${three(account)}`,
      passed: account === null || account >= -rule.account_auc_loss,
    },
    {
      name: 'still knows what the champion learned',
      wanted: `AUC there down by no more than ${rule.anchor_auc_loss}`,
      found: anchor === null ? 'nothing yet' : `${three(anchor.champion_auc)} → ${three(anchor.challenger_auc)}`,
      passed: anchorGain === null || anchorGain >= -rule.anchor_auc_loss,
    },
  ];
  return { passed: checks.every(({ passed }) => passed), checks };
}
