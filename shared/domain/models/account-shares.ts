/** How much one account may teach. Each value is explained in docs/model-operations.md. */
export const TEACHING_RULE = {
  /** No account weighs more than this share of the fraud, nor of the legitimate rows; with n accounts, 1/n if that is more. */
  most_share: 0.2,
  /** An account teaches once it has this many of each kind (sampled traffic counts as legitimate). */
  least_of_each: 20,
  /** From this many teaching accounts on, a model also scores for accounts that have not taught it. */
  shared_from: 5,
} as const;

/** A row as far as its owner's share is concerned. */
export interface OwnedRow {
  /** Absent if all rows belong to one unnamed account, as in an imported history. */
  readonly account_id?: string | undefined;
  readonly label: 0 | 1;
  readonly screened_at_ms: number;
  readonly weight?: number;
}

/** The account of a row; the unnamed one has the empty name. */
export const ownerOf = ({ account_id }: Pick<OwnedRow, 'account_id'>): string => account_id ?? '';

/** Rows by account, in the order in which accounts first appear. */
export function byAccount<R extends Pick<OwnedRow, 'account_id'>>(rows: readonly R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const group = groups.get(ownerOf(row));
    if (group) group.push(row);
    else groups.set(ownerOf(row), [row]);
  }
  return groups;
}

/** The level at which amounts must be cut for their sum to be `total`; infinite if they do not exceed it. */
export function waterLevel(amounts: readonly number[], total: number): number {
  const rising = [...amounts].sort((a, b) => a - b);
  let rest = total;
  for (let i = 0; i < rising.length; i++) {
    const amount = rising[i] as number;
    const level = rest / (rising.length - i);
    if (amount > level) return level;
    rest -= amount;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * The level at which amounts must be cut for none to be more than a share of what is left:
 * level = share × Σ min(amount, level). Infinite if no amount exceeds its share.
 *
 *   k amounts are cut   →   level = share × (k × level + the others)   →   level = share × the others / (1 − k × share)
 */
export function shareLevel(amounts: readonly number[], share: number): number {
  const falling = amounts.filter((amount) => amount > 0).sort((a, b) => b - a);
  // Summed from the smallest up: a difference of large sums would lose the small ones.
  const others = new Float64Array(falling.length + 1);
  for (let i = falling.length - 1; i >= 0; i--) others[i] = (others[i + 1] as number) + (falling[i] as number);
  for (let cut = 0; cut < falling.length; cut++) {
    const level = (share * (others[cut] as number)) / (1 - cut * share);
    // A hair above its share is rounding, not an excess.
    if ((falling[cut] as number) <= level * (1 + 1e-12)) return cut === 0 ? Number.POSITIVE_INFINITY : level;
  }
  // With a share of 1/n all are cut to the smallest, which rounding may just have missed.
  return falling.at(-1) ?? Number.POSITIVE_INFINITY;
}

/** The largest share that one of so many accounts may have. */
export const mostShare = (accounts: number): number => Math.max(TEACHING_RULE.most_share, 1 / Math.max(1, accounts));

/**
 * The weights with which rows teach: within each kind, fraud and legitimate, no account has more than its share. It is
 * bounded per kind, because fraud is rare: a fifth of all weight could be nearly all of the fraud.
 */
export function cappedWeights(rows: readonly OwnedRow[]): Float64Array {
  const totals = [new Map<string, number>(), new Map<string, number>()] as const;
  for (const row of rows) {
    const kind = totals[row.label];
    kind.set(ownerOf(row), (kind.get(ownerOf(row)) ?? 0) + (row.weight ?? 1));
  }
  const levels = totals.map((kind) => {
    const speaking = [...kind.values()].filter((total) => total > 0);
    return shareLevel(speaking, mostShare(speaking.length));
  });
  return Float64Array.from(rows, (row) => {
    const total = totals[row.label].get(ownerOf(row)) as number;
    return total === 0 ? 0 : (row.weight ?? 1) * Math.min(1, (levels[row.label] as number) / total);
  });
}

/** An account's part of a training run, for people. */
export interface AccountShare {
  readonly account_id: string;
  /** Its share of the weight of either kind, after capping. */
  readonly fraud: number;
  readonly legitimate: number;
  readonly is_at_cap: boolean;
}

/** The shares of all accounts, largest first. */
export function accountShares(rows: readonly OwnedRow[]): AccountShare[] {
  const weights = cappedWeights(rows);
  const sums = new Map<string, [number, number]>();
  const totals: [number, number] = [0, 0];
  rows.forEach((row, i) => {
    const sum = sums.get(ownerOf(row)) ?? [0, 0];
    sums.set(ownerOf(row), sum);
    sum[row.label] += weights[i] as number;
    totals[row.label] += weights[i] as number;
  });
  const cap = mostShare(sums.size) * (1 - 1e-9);
  return [...sums]
    .map(([account_id, [honest, fraud]]) => {
      const shares = { fraud: fraud / Math.max(totals[1], 1e-9), legitimate: honest / Math.max(totals[0], 1e-9) };
      return { account_id, ...shares, is_at_cap: Math.max(shares.fraud, shares.legitimate) >= cap };
    })
    .sort((a, b) => largest(b) - largest(a) || (a.account_id < b.account_id ? -1 : 1));
}

const largest = ({ fraud, legitimate }: AccountShare): number => Math.max(fraud, legitimate);

/** The accounts with enough rows of each kind to teach. */
export function teachingAccounts(rows: readonly OwnedRow[]): Set<string> {
  const teaching = [...byAccount(rows)].filter(([, own]) => {
    const fraud = own.reduce((sum, { label }) => sum + label, 0);
    return Math.min(fraud, own.length - fraud) >= TEACHING_RULE.least_of_each;
  });
  return new Set(teaching.map(([account_id]) => account_id));
}

/**
 * Splits rows by time within each account: the newest share of each is held out, so that a model is not
 * evaluated only on an account that has just labelled a lot. Both parts stay in the order of screening.
 */
export function splitNewest<R extends OwnedRow>(
  rows: readonly R[],
  share: number,
  most = Number.POSITIVE_INFINITY,
): { readonly older: R[]; readonly newest: R[] } {
  const groups = [...byAccount([...rows].sort(byTime)).values()];
  const wanted = groups.map(({ length }) => Math.floor(length * share));
  const level = Math.floor(waterLevel(wanted, most));
  const cuts = groups.map(({ length }, i) => length - Math.min(wanted[i] as number, level));
  return {
    older: groups.flatMap((group, i) => group.slice(0, cuts[i])).sort(byTime),
    newest: groups.flatMap((group, i) => group.slice(cuts[i])).sort(byTime),
  };
}

export const byTime = (a: OwnedRow, b: OwnedRow): number => a.screened_at_ms - b.screened_at_ms;
