import type { ComparedRows, SaidOfRows } from './evaluate';
import type { AccountGain } from './evaluation';
import { areaUnderRoc, rankingCurve } from './ranking-curve';

/** With fewer labels of either kind, nothing can be said about an account. */
const LEAST_OF_EACH = 20;
/** Leaving out a small account changes nothing: only the largest are tried. */
const MOST_LEFT_OUT = 10;
const LEAST_LOSS = 0.02;
const LOSS_AT_LEAST_LABELS = 0.05;

/** How much AUC may be lost by chance: .05 with 20 labels of the rarer kind, .02 from 125 on. */
export const allowedLoss = (labels: number): number =>
  Math.max(LEAST_LOSS, LOSS_AT_LEAST_LABELS * Math.sqrt(LEAST_OF_EACH / labels));

/** The account that the challenger serves worst, measured by what it may lose; null if none has enough labels. */
export const worstAccount = (rows: ComparedRows): AccountGain | null =>
  worstOf([...positionsByAccount(rows)].map(([account, positions]) => gainOn(rows, account, positions)));

/** The account without which the comparison turns out worst; null if too few labels would be left. */
export function worstWithout(rows: ComparedRows): AccountGain | null {
  const largest = [...positionsByAccount(rows)].sort((a, b) => b[1].length - a[1].length).slice(0, MOST_LEFT_OUT);
  return worstOf(
    largest.map(([account]) => {
      const rest = Array.from(rows.labels, (_, at) => at).filter((at) => rows.accounts[at] !== account);
      return gainOn(rows, account, rest);
    }),
  );
}

function positionsByAccount({ accounts }: ComparedRows): Map<number, number[]> {
  const positions = new Map<number, number[]>();
  accounts.forEach((account, at) => {
    const own = positions.get(account);
    if (own) own.push(at);
    else positions.set(account, [at]);
  });
  return positions;
}

function gainOn(rows: ComparedRows, account: number, positions: readonly number[]): AccountGain | null {
  const labels = Uint8Array.from(positions, (i) => rows.labels[i] as number);
  const fraud = labels.reduce((sum, label) => sum + label, 0);
  const rarer = Math.min(fraud, labels.length - fraud);
  if (rarer < LEAST_OF_EACH) return null;
  const weights = Float64Array.from(positions, (i) => rows.weights[i] as number);
  const aucOf = ({ probabilities }: SaidOfRows) =>
    areaUnderRoc(rankingCurve({ scores: positions.map((i) => probabilities[i] as number), labels, weights }));
  return {
    account_id: rows.accountIds[account] ?? `account ${account}`,
    auc_gain: aucOf(rows.challenger) - aucOf(rows.champion),
    allowed_loss: allowedLoss(rarer),
  };
}

function worstOf(gains: ReadonlyArray<AccountGain | null>): AccountGain | null {
  const margin = ({ auc_gain, allowed_loss }: AccountGain) => auc_gain + allowed_loss;
  return gains.reduce((worst, gain) => {
    if (gain === null) return worst;
    return worst === null || margin(gain) < margin(worst) ? gain : worst;
  }, null);
}
