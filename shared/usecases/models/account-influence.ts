import { DEFAULT_SETTINGS } from '../../domain/accounts/account';
import { type AccountShare, accountShares, mostShare } from '../../domain/models/account-shares';
import { areaUnderRoc, rankingCurve } from '../../domain/models/evaluation/ranking-curve';
import { isAccepted } from '../../domain/models/label-reviews';
import type { ModelArtefact } from '../../domain/models/model-artefact';
import {
  type AccountInfluence,
  type AccountMove,
  contradictsOthers,
  isMovedTooFar,
  movesTooMuch,
  PROMOTION_RULE,
} from '../../domain/models/promotion-rule';
import type { LabelReview } from '../../domain/models/registry-state';
import { rowScorer } from '../../domain/models/row-scorer';
import { accountScope } from '../../domain/models/scoring-model';
import { decide } from '../../domain/screening/decide';
import type { LabelledRow } from './labelled-rows';

/** A trained challenger, and everything needed to compare it with one trained without an account. */
export interface InfluenceInput {
  /** The rows that the challenger was trained on. */
  readonly rows: readonly LabelledRow[];
  /** Rows that it was not trained on, of all accounts. */
  readonly probes: readonly LabelledRow[];
  readonly challenger: ModelArtefact;
  /** Scores for accounts that the challenger does not serve. */
  readonly base: ModelArtefact | undefined;
  readonly reviews: readonly LabelReview[];
  /** Trains like the challenger was trained, so that nothing differs but the weights. */
  readonly trainOn: (rows: readonly LabelledRow[]) => ModelArtefact;
}

/** Fewer rows of an account say nothing about an average. */
const LEAST_PROBES = 20;
/** One sampled row stands for 64: fewer rows than this say nothing about a share. */
const LEAST_TURNED = 3;
/** Accounts with at least half of what one may weigh are left out in turn, the largest first: each is one more training. */
const MOST_LEFT_OUT = 8;
/** With fewer accounts there is no usual. */
const LEAST_TO_COMPARE = 3;
/** Stands for every account that has taught nothing, of whose attributes the model therefore knows nothing. */
export const NEWCOMER = 'an account without labels';

/**
 * The influence of each large account on the others: the challenger is trained again with the account's rows weighing nothing, and
 * both score the others' rows; the second one also says whether the others' labels explain those of the account. Worst
 * first; empty if only one account teaches.
 */
export function accountInfluence(input: InfluenceInput): AccountInfluence[] {
  const { rows, challenger, trainOn, reviews } = input;
  const shares = accountShares(rows);
  if (shares.length < 2) return [];
  const probes = withNewcomers(input.probes, challenger);
  const after = scoresOf(probes, challenger, input.base);
  const served = challenger.audience === undefined ? {} : { audience: challenger.audience };
  const isLarge = ({ fraud, legitimate }: AccountShare) => Math.max(fraud, legitimate) >= mostShare(shares.length) / 2;
  const found = shares
    .filter(isLarge)
    .slice(0, MOST_LEFT_OUT)
    .flatMap(({ account_id, is_at_cap }) => {
      const without = trainOn(rows.map((row) => (row.account_id === account_id ? { ...row, weight: 0 } : row)));
      const { audience: _, ...model } = without;
      const own = rows.filter((row) => row.account_id === account_id);
      const agreement = shares.length < LEAST_TO_COMPARE ? null : agreementOf(own, model);
      const before = scoresOf(probes, { ...model, ...served }, input.base);
      const moves = movesOf(account_id, probes, before, after);
      const [worst] = moves;
      return worst === undefined ? [] : [{ account_id, is_at_cap, agreement, moves, worst }];
    });
  const usualOf = (group: typeof found) => {
    const medianOf = (read: (move: AccountMove) => number) => median(group.map(({ worst }) => read(worst)));
    if (group.length < LEAST_TO_COMPARE) return { points_moved: 0, turned_to_block: 0 };
    return {
      points_moved: medianOf(({ points_moved }) => points_moved),
      turned_to_block: medianOf(({ turned_to_block }) => turned_to_block),
    };
  };
  // Below the cap many accounts are compared, and one of them is always the furthest by chance.
  const usual = { atCap: usualOf(found.filter(({ is_at_cap }) => is_at_cap)), below: usualOf(found) };
  // Where the labels of most accounts cannot be explained by the others', no single one stands out.
  const isComparable =
    median(found.flatMap(({ agreement }) => agreement ?? [])) >= PROMOTION_RULE.least_agreement &&
    found.length >= LEAST_TO_COMPARE;
  return found
    .map(({ account_id, is_at_cap, agreement: explained, moves, worst }) => {
      const own = is_at_cap ? usual.atCap : usual.below;
      const agreement = isComparable ? explained : null;
      const accounts_moved = moves.filter((move) => isMovedTooFar(move, own)).length;
      const is_accepted = isAccepted(reviews, account_id);
      return { account_id, ...worst, agreement, accounts_moved, usual: own, is_accepted };
    })
    .sort(worstFirst);
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;

/** The one that moves most accounts is to blame: an account whose labels contradict the rest is moved by each of them in turn. */
const worstFirst = (a: AccountInfluence, b: AccountInfluence): number =>
  Number(movesTooMuch(b)) - Number(movesTooMuch(a)) ||
  b.accounts_moved - a.accounts_moved ||
  b.points_moved - a.points_moved;

/** How well a model that did not learn from an account ranks its labels; null if they are all of one kind. */
function agreementOf(rows: readonly LabelledRow[], model: ModelArtefact): number | null {
  const scoreOf = rowScorer(model);
  const found = areaUnderRoc(
    rankingCurve({
      labels: Uint8Array.from(rows, ({ label }) => label),
      weights: Float64Array.from(rows, ({ weight = 1 }) => weight),
      scores: Float64Array.from(rows, (row) => scoreOf(row).probability),
    }),
  );
  return Number.isFinite(found) ? found : null;
}

/** An account whose labels are to be held, and the influence that says why. */
export interface AccountToHold {
  readonly account_id: string;
  readonly why: AccountInfluence;
}

/**
 * Whose labels are to be held. First those that the others' labels do not explain. Where one account moves another too far, whichever of the two did not teach the champion is
 * new, and is the one to look at. Otherwise the one that moves most; of two that taught together, nobody can say which is
 * wrong: then both. Where only two teach, nobody is held for it.
 */
export function accountsToHold(
  influence: readonly AccountInfluence[],
  champion: ModelArtefact | undefined,
  teaching: ReadonlySet<string>,
): AccountToHold[] {
  const apart = influence.filter(contradictsOthers);
  if (apart.length > 0) return apart.map((why) => ({ account_id: why.account_id, why }));
  const movers = influence.filter(movesTooMuch);
  const { audience } = champion ?? {};
  const isNew = (id: string) => teaching.has(id) && audience?.includes(accountScope(id)) === false;
  const fresh = new Map(
    movers.flatMap((why) => [why.account_id, why.other_id].filter(isNew).map((id) => [id, why] as const)),
  );
  if (fresh.size > 0) return [...fresh].map(([account_id, why]) => ({ account_id, why }));
  const worst = teaching.size > 2 ? movers.slice(0, 1) : movers;
  return worst.map((why) => ({ account_id: why.account_id, why }));
}

/**
 * Whose labels a first model is trained without: those that the others' labels explain clearly worse than they usually do.
 * There is no champion yet whose calibration limits how far a new model moves, so that few false labels among true ones would
 * move everybody, by no more than a truthful account does by chance. A later model learns from them, within its bounds.
 */
export function accountsToLeaveOut(influence: readonly AccountInfluence[]): AccountInfluence[] {
  const agreements = influence.flatMap(({ agreement }) => agreement ?? []);
  const least = median(agreements) - PROMOTION_RULE.most_disagreement;
  return influence.filter(
    ({ agreement = null, is_accepted }) => !is_accepted && agreement !== null && agreement < least,
  );
}

interface Probe {
  readonly whose: string;
  readonly owner: string;
  readonly row: LabelledRow;
}

/** Rows of everybody; and again as an account would have them that did not teach the model, if it serves such. */
function withNewcomers(rows: readonly LabelledRow[], { audience }: ModelArtefact): Probe[] {
  const own = rows.map((row) => ({ whose: row.account_id, owner: row.account_id, row }));
  if (audience !== undefined) return own;
  const asNew = own.map(({ owner, row }) => ({ whose: NEWCOMER, owner, row: { ...row, account_id: NEWCOMER } }));
  return [...own, ...asNew];
}

type Scores = ReadonlyMap<Probe, number>;

function scoresOf(probes: readonly Probe[], model: ModelArtefact, base: ModelArtefact | undefined): Scores {
  const scoreOf = rowScorer(model, base);
  return new Map(probes.map((probe) => [probe, scoreOf(probe.row).risk_score]));
}

/** How far the others are moved, those with enough rows, worst first. */
function movesOf(account_id: string, probes: readonly Probe[], before: Scores, after: Scores): AccountMove[] {
  const others = new Map<string, Probe[]>();
  for (const probe of probes) {
    if (probe.owner === account_id) continue;
    const own = others.get(probe.whose) ?? [];
    others.set(probe.whose, own);
    own.push(probe);
  }
  return [...others]
    .filter(([, own]) => own.length >= LEAST_PROBES)
    .map(([other_id, own]) => {
      const all = { weight: 0, points: 0, legitimate: 0, turned: 0, turnedRows: 0 };
      for (const probe of own) {
        const { weight = 1, label } = probe.row;
        const [was, is] = [before.get(probe) as number, after.get(probe) as number];
        all.weight += weight;
        all.points += weight * Math.abs(is - was);
        if (label === 1) continue;
        all.legitimate += weight;
        // From 84 to 85 is a rounding of the same opinion.
        const isFar = is - was > PROMOTION_RULE.most_points_moved;
        if (!isFar || isBlock(was) || !isBlock(is)) continue;
        all.turned += weight;
        all.turnedRows++;
      }
      const turned_to_block = all.turnedRows < LEAST_TURNED ? 0 : all.turned / Math.max(1, all.legitimate);
      return { other_id, points_moved: all.points / all.weight, turned_to_block };
    })
    .sort((a, b) => harm(b) - harm(a));
}

const isBlock = (score: number): boolean => decide(score, DEFAULT_SETTINGS) === 'block';

const harm = ({ points_moved, turned_to_block }: AccountMove): number =>
  Math.max(points_moved / PROMOTION_RULE.most_points_moved, turned_to_block / PROMOTION_RULE.most_turned_to_block);
