import type { AccountGain, Comparison, Harm } from './evaluation/evaluation';

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

/** All conditions together. */
export const mergeVerdicts = (...verdicts: readonly PromotionVerdict[]): PromotionVerdict => ({
  passed: verdicts.every(({ passed }) => passed),
  checks: verdicts.flatMap(({ checks }) => checks),
});

/** The input of the rule; an `Evaluation` contains all of it but the last three. */
export interface PromotionEvidence {
  readonly rows: { readonly fraud: number; readonly legitimate: number; readonly presumed: number };
  readonly champion: ComparedMetrics;
  readonly challenger: ComparedMetrics;
  readonly comparison: Pick<Comparison, 'better_share' | 'worst_account' | 'worst_without'>;
  readonly harm: Harm;
  /** How far single accounts move the scores of others; null where it was not measured: on labels from shadow, by hand. */
  readonly influence?: readonly AccountInfluence[] | null;
  /** Accounts that the champion scores for and the challenger would not. @default none */
  readonly unserved?: readonly string[];
  /** AUC of both models on the labels that the champion won on, and how many of the rarer kind those are; null if it never had to win on any. */
  readonly anchor: { readonly champion_auc: number; readonly challenger_auc: number; readonly known: number } | null;
}

interface ComparedMetrics {
  readonly auc: number;
  readonly average_precision: number;
}

/** The margins, all here. Each is explained in docs/model-operations.md. */
export const PROMOTION_RULE = {
  least_labels: 20,
  /** Average precision at least this share of the champion's, or better in this share of 200 resamples: another seed moves it as far, and the newer model knows more. */
  average_precision_kept: 0.9,
  least_better_share: 0.3,
  /** Clearly better: a hundredth of average precision, or a tenth of what is left to gain if that is less, in this share of 200 resamples. */
  average_precision_gain: 0.01,
  share_of_the_rest: 0.1,
  better_share: 0.9,
  /** Below this, labels cannot be predicted, or are random. */
  least_auc: 0.6,
  /** Loss by chance, by one account: this much with many labels, and with 20 of the rarer kind; by all together, twice as much. */
  auc_loss: 0.02,
  auc_loss_with_least: 0.05,
  /** The expected fraud is at most this many times the actual, or the actual the expected; or as near as the champion's, by this factor. */
  most_times_expected: 3,
  times_champion: 1.25,
  /** Honest traffic stopped: this share, or twice as much as there is fraud, or as much as the champion stops. */
  most_honest_stopped: 0.01,
  honest_per_fraud: 2,
  /** Tolerance for a threshold that was fitted on older rows. */
  honest_stopped_slack: 1.5,
  /** How far one account's labels may move another account's scores on average, in points. */
  most_points_moved: 3,
  /** Share of another account's legitimate traffic that one account's labels may turn into a block. */
  most_turned_to_block: 0.01,
  /** How well the others' labels must explain those of a large account: AUC of a model that learned from the others alone. */
  least_agreement: 0.6,
  /** How much worse than usual, in AUC, the others' labels may explain those of an account that teaches a first model. */
  most_disagreement: 0.1,
} as const;

/** The effect of an account's labels on another's scores, compared with a model trained without them. */
export interface AccountInfluence {
  readonly account_id: string;
  /** The account whose scores it moved furthest, and by how many points on average. */
  readonly other_id: string;
  readonly points_moved: number;
  readonly turned_to_block: number;
  /** AUC of the model without its labels, on its labels; null if too few accounts teach to tell what is usual. */
  readonly agreement?: number | null;
  readonly accounts_moved: number;
  /** The usual effect of leaving out an account, where at least three were left out. */
  readonly usual?: Omit<AccountMove, 'other_id'>;
  readonly is_accepted: boolean;
}

/** How far another account was moved. */
export type AccountMove = Pick<AccountInfluence, 'other_id' | 'points_moved' | 'turned_to_block'>;

/**
 * Whether an account's scores were moved further than another account's labels may; and further than any account's do,
 * where `usual` is the median of several: with few labels, leaving out any account moves something.
 */
export const isMovedTooFar = (
  { points_moved, turned_to_block }: Omit<AccountMove, 'other_id'>,
  usual: Omit<AccountMove, 'other_id'> = { points_moved: 0, turned_to_block: 0 },
): boolean =>
  points_moved > Math.max(PROMOTION_RULE.most_points_moved, 2 * usual.points_moved) ||
  turned_to_block > Math.max(PROMOTION_RULE.most_turned_to_block, 2 * usual.turned_to_block);

/** Whether an account's labels may not teach before an operator has seen them. */
export const movesTooMuch = (found: AccountInfluence): boolean =>
  !found.is_accepted && isMovedTooFar(found, found.usual);

/** Whether an account's fraud looks no more suspicious to all the others than its legitimate traffic. */
export const contradictsOthers = ({ agreement = null, is_accepted }: AccountInfluence): boolean =>
  !is_accepted && agreement !== null && agreement < PROMOTION_RULE.least_agreement;

/** How far the others explain an account's labels, in words. */
export const agreementText = ({ account_id, agreement = null }: AccountInfluence): string =>
  `the others' labels rank those of ${account_id} with AUC ${three(agreement ?? Number.NaN)}`;

/** Why an account's labels are held, in words. */
export const whyHeld = (found: AccountInfluence): string =>
  contradictsOthers(found) ? agreementText(found) : influenceText(found);

/** An influence in words, for the rule, the audit trail and the operator. */
export const influenceText = (found: AccountInfluence): string =>
  `${found.account_id} moves ${found.other_id} by ${found.points_moved.toFixed(1)} points and ${(100 * found.turned_to_block).toFixed(1)}% of its legitimate traffic into a block${found.is_accepted ? ' (accepted)' : ''}`;

/** How much AUC of an account may be lost by chance: .05 with 20 labels of the rarer kind, .02 from 125 on. */
export const allowedLoss = (labels: number): number =>
  Math.max(
    PROMOTION_RULE.auc_loss,
    PROMOTION_RULE.auc_loss_with_least * Math.sqrt(PROMOTION_RULE.least_labels / labels),
  );

const gainCheck = (name: string, wanted: string, gain: AccountGain | null): Check => ({
  name,
  wanted: gain === null ? wanted : `${wanted} (${three(gain.allowed_loss)})`,
  found: gain === null ? 'no account with enough labels' : `${gain.account_id} ${three(gain.auc_gain)}`,
  passed: gain === null || gain.auc_gain >= -gain.allowed_loss,
});

const three = (value: number): string => (Number.isFinite(value) ? value.toFixed(3) : 'none');

/** The account whose labels the others explain least; one that an operator has accepted only if there is no other. */
const leastAgreed = (influence: readonly AccountInfluence[]): AccountInfluence | undefined =>
  influence
    .filter(({ agreement = null }) => agreement !== null)
    .sort((a, b) => Number(a.is_accepted) - Number(b.is_accepted) || (a.agreement ?? 1) - (b.agreement ?? 1))[0];

/** Whether a challenger finds more fraud per alert than the champion, by more than chance. */
export function isClearlyBetter({ champion, challenger, comparison }: Ranked): boolean {
  const { average_precision_gain, share_of_the_rest, better_share } = PROMOTION_RULE;
  const wanted = Math.min(average_precision_gain, share_of_the_rest * (1 - champion.average_precision));
  const gain = challenger.average_precision - champion.average_precision;
  return gain > 0 && gain >= wanted && comparison.better_share >= better_share;
}

type Ranked = Pick<PromotionEvidence, 'champion' | 'challenger'> & {
  readonly comparison: Pick<Comparison, 'better_share'>;
};

/** The expected fraud as a multiple of the actual, or the reverse if that is larger. */
const timesOff = (expected: number, actual: number): number =>
  Math.exp(Math.abs(Math.log(Math.max(1e-9, expected) / actual)));

/** The most honest traffic that a model may stop where so much is fraud. */
export const mostHonestStopped = (fraudShare: number): number =>
  Math.max(
    PROMOTION_RULE.most_honest_stopped,
    (PROMOTION_RULE.honest_per_fraud * fraudShare) / Math.max(1e-9, 1 - fraudShare),
  );

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

/**
 * Calibration and honest traffic stopped: training fits both (`fit-bounds.ts`), so that no model is refused for them on the rows
 * that it was fitted to, whatever it has learned.
 */
function harmChecks({ expected, actual, honest_stopped, fraud_share }: Harm): Check[] {
  const rule = PROMOTION_RULE;
  const times = Math.max(rule.most_times_expected, rule.times_champion * timesOff(expected.champion, actual));
  const most = rule.honest_stopped_slack * Math.max(mostHonestStopped(fraud_share), honest_stopped.champion);
  return [
    {
      name: 'expects the fraud there is',
      wanted: `at most ${times.toFixed(1)} times the actual, or the actual as many times it`,
      found: `${expected.challenger.toFixed(1)} expected, ${actual.toFixed(1)} actual; the champion expected ${expected.champion.toFixed(1)}`,
      passed: actual === 0 || timesOff(expected.challenger, actual) <= times,
    },
    {
      name: 'stops few honest people',
      wanted: `at most ${percent(most)} of them`,
      found: `${percent(honest_stopped.champion)} → ${percent(honest_stopped.challenger)}`,
      passed: honest_stopped.challenger <= most,
    },
  ];
}

/**
 * Whether the challenger may replace the champion: it ranks no worse, and harms nobody. A tie goes to the challenger, which
 * has learned from labels that the champion never saw. Applied twice to every model: on the newest labels, held back from
 * training, and on those that came in while it ran in shadow.
 */
export function decidePromotion({
  rows,
  champion,
  challenger,
  comparison,
  harm,
  anchor,
  ...others
}: PromotionEvidence): PromotionVerdict {
  const rule = PROMOTION_RULE;
  const known = Math.min(rows.fraud, rows.legitimate + rows.presumed);
  const least = rule.average_precision_kept * champion.average_precision;
  // Of one that finds clearly more fraud per alert, no more is asked than a ranking: how the rest is ordered stops nobody.
  const isBetter = isClearlyBetter({ champion, challenger, comparison });
  const leastAucOf = (auc: number, labels: number) =>
    isBetter ? rule.least_auc : Math.max(rule.least_auc, auc - 2 * allowedLoss(labels));
  const leastAuc = leastAucOf(champion.auc, known);
  const leastThere = anchor === null ? 0 : leastAucOf(anchor.champion_auc, anchor.known);
  const { influence, unserved = [] } = others;
  const mover = influence?.find(movesTooMuch) ?? influence?.[0];
  const stranger = leastAgreed(influence ?? []);
  const checks: Check[] = [
    {
      name: 'enough labels',
      wanted: `${rule.least_labels} of each kind`,
      found: `${rows.fraud} fraud, ${rows.legitimate + rows.presumed} legitimate`,
      passed: known >= rule.least_labels,
    },
    {
      name: 'finds no less fraud per alert',
      wanted: `average precision of at least ${three(least)}, or better in ${100 * rule.least_better_share}% of resamples`,
      found: `${three(champion.average_precision)} → ${three(challenger.average_precision)}, better in ${(100 * comparison.better_share).toFixed(1)}% of resamples`,
      passed: challenger.average_precision >= least || comparison.better_share >= rule.least_better_share,
    },
    {
      name: 'ranks no worse',
      wanted: `AUC of at least ${three(leastAuc)}`,
      found: `${three(champion.auc)} → ${three(challenger.auc)}`,
      passed: challenger.auc >= leastAuc,
    },
    ...harmChecks(harm),
    gainCheck("at no account's expense", 'AUC of no account down by more than chance', comparison.worst_account),
    gainCheck('not owed to one account', 'AUC of the others no worse without any one', comparison.worst_without),
    {
      name: 'no account moves the others',
      wanted: `by at most ${rule.most_points_moved} points on average, and ${100 * rule.most_turned_to_block}% into a block`,
      found: mover === undefined ? 'no account with so much weight' : influenceText(mover),
      passed: mover === undefined || !movesTooMuch(mover),
    },
    {
      name: 'no account contradicts the others',
      wanted: `AUC of at least ${rule.least_agreement} on its labels, by a model that learned from the others alone`,
      found: stranger === undefined ? 'too few accounts to compare' : agreementText(stranger),
      passed: stranger === undefined || !contradictsOthers(stranger),
    },
    {
      name: 'serves whom the champion serves',
      wanted: 'a model for every account that has one',
      found: unserved.length === 0 ? 'all of them' : `not ${unserved.join(', ')}`,
      passed: unserved.length === 0,
    },
    {
      name: 'still knows what the champion learned',
      wanted: anchor === null ? 'as it did' : `AUC there of at least ${three(leastThere)}`,
      found: anchor === null ? 'nothing yet' : `${three(anchor.champion_auc)} → ${three(anchor.challenger_auc)}`,
      passed: anchor === null || anchor.challenger_auc >= leastThere,
    },
  ];
  return { passed: checks.every(({ passed }) => passed), checks };
}
