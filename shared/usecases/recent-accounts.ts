/** Of more accounts, the one that was not asked for longest is forgotten. */
const MOST_ACCOUNTS = 500;

/** What a function keeps in memory per account, for the accounts that it was asked for last. */
export function recentAccounts<Kept>(begin: () => Kept): (accountId: string) => Kept {
  const accounts = new Map<string, Kept>();
  return (accountId) => {
    const found = accounts.get(accountId) ?? begin();
    // Moved to the end: the first one was not asked for longest.
    accounts.delete(accountId);
    accounts.set(accountId, found);
    const [oldest] = accounts.keys();
    if (accounts.size > MOST_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
    return found;
  };
}

/** What work resolves with in time, or a rejection that says what there is none of. */
export function withinLimit<Value>(limitMs: number, work: Promise<Value>, what: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ${what} within ${limitMs} ms`)), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
