import { mostShare, shareLevel } from '../../../shared/domain/models/account-shares';
import { TRUST_STEPS } from '../../../shared/domain/screening/score';

/** Labelled attempts that any account may count for a signal, whatever the others have: this many halve its weight. */
const ALWAYS_COUNTED = 50;

/** Labelled attempts of each account on which each signal fired, by strength. */
export type SignalCounts = ReadonlyArray<readonly [account: string, signal: string, counts: readonly number[]]>;

/**
 * Counts on how many labelled attempts each signal fired, by strength. Where several accounts teach, none of them counts
 * for more than its share: otherwise one account could talk a signal down for all.
 */
export function signalJudgements(counted: SignalCounts = []) {
  const accounts = new Set<string>(counted.map(([account]) => account));
  const bySignal = new Map<string, Map<string, number[]>>();
  for (const [account, signal, counts] of counted) {
    const byAccount = bySignal.get(signal) ?? new Map<string, number[]>();
    bySignal.set(signal, byAccount.set(account, [...counts]));
  }
  return {
    /** The counts, account by account, to continue from later. */
    counts: (): SignalCounts =>
      [...bySignal].flatMap(([signal, byAccount]) =>
        [...byAccount].map(([account, counts]) => [account, signal, [...counts]] as const),
      ),

    /** Counts a signal at every step up to its strength. */
    add(account: string, signal: string, logOdds: number, weight: number): void {
      accounts.add(account);
      const byAccount = bySignal.get(signal) ?? new Map<string, number[]>();
      bySignal.set(signal, byAccount);
      const counts = byAccount.get(account) ?? new Array<number>(TRUST_STEPS).fill(0);
      byAccount.set(account, counts);
      for (let step = 0; step <= Math.min(TRUST_STEPS - 1, Math.abs(logOdds)); step++) {
        counts[step] = (counts[step] as number) + weight;
      }
    },

    total(): Record<string, number[]> {
      const isOne = accounts.size <= 1;
      return Object.fromEntries(
        [...bySignal].map(([signal, byAccount]) => [
          signal,
          Array.from({ length: TRUST_STEPS }, (_, step) => {
            const counts = [...byAccount.values()].map((own) => own[step] as number);
            return Math.round(isOne ? sum(counts) : sum(bounded(counts)));
          }),
        ]),
      );
    },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Counts cut at the level of the largest share; one account alone with a signal has no share to be measured by. */
function bounded(counts: readonly number[]): number[] {
  const speaking = counts.filter((count) => count > 0).length;
  const level = speaking > 1 ? shareLevel(counts, mostShare(speaking)) : 0;
  return counts.map((count) => Math.min(count, Math.max(ALWAYS_COUNTED, level)));
}
