import type { StoredRule } from '../../domain/rules/rule';
import { compileRules, NO_RULES, type RuleSet } from '../../domain/rules/rule-set';
import type { ScreeningRules } from '../screening/screening-judgement';

/** Dependencies of following the rules of accounts. */
export interface FollowRulesDeps {
  readonly clock: { now(): number };
  readonly books: {
    book(accountId: string): Promise<{ readonly revision: number; rules(): readonly StoredRule[] }>;
  };
  readonly onFailure: (error: unknown) => void;
}

/*
 * A function reads an account's rules at most every 30 seconds, beside the first trip of a request and never before it:
 *
 *   age of the last read   0 s ─────────── 30 s ─────────── 55 s ────────────►
 *   a request then         uses them       reads and uses   reads and waits for the result, beside its first trip
 *                                          the old ones     and for as long as that may take
 *
 * So a change works within a minute. An environment that has just started waits just as long.
 */
const READ_EVERY_MS = 30_000;
const STALE_AFTER_MS = 55_000;
/** After a failure, and for a read that never returned (the environment was frozen in the middle of it). */
const TRY_AGAIN_MS = 5_000;
const WAIT_AT_MOST_MS = 800;
/** Of more accounts, the one that was not asked for longest is forgotten. */
const MOST_ACCOUNTS = 500;

interface Followed {
  known: { readonly revision: number; readonly rules: RuleSet } | undefined;
  readAtMs: number;
  nextMs: number;
  reading: Promise<RuleSet> | undefined;
}

/** Follows the rules of accounts from within a function; if a read fails, it keeps what it knows. */
export function ruleFollower({ clock, books, onFailure }: FollowRulesDeps): ScreeningRules {
  const accounts = new Map<string, Followed>();

  function followed(accountId: string): Followed {
    const never = Number.NEGATIVE_INFINITY;
    const found = accounts.get(accountId) ?? { known: undefined, readAtMs: never, nextMs: never, reading: undefined };
    // Moved to the end: the first one was not asked for longest.
    accounts.delete(accountId);
    accounts.set(accountId, found);
    const [oldest] = accounts.keys();
    if (accounts.size > MOST_ACCOUNTS && oldest !== undefined) accounts.delete(oldest);
    return found;
  }

  async function read(accountId: string, account: Followed, startedMs: number): Promise<RuleSet> {
    const { revision, rules } = await books.book(accountId);
    // A read that was frozen for a while may return after a later one.
    if (account.known !== undefined && startedMs < account.readAtMs) return account.known.rules;
    if (account.known?.revision !== revision) {
      account.known = { revision, rules: revision === 0 ? NO_RULES : compileRules(rules()) };
    }
    account.readAtMs = startedMs;
    account.nextMs = startedMs + READ_EVERY_MS;
    return account.known.rules;
  }

  return {
    inForce(accountId) {
      const account = followed(accountId);
      const nowMs = clock.now();
      if (nowMs >= account.nextMs) {
        account.nextMs = nowMs + TRY_AGAIN_MS;
        account.reading = read(accountId, account, nowMs);
        account.reading.catch(onFailure);
      }
      const { known, reading } = account;
      const isFresh = nowMs - account.readAtMs < STALE_AFTER_MS;
      if (known !== undefined && (isFresh || reading === undefined)) return known.rules;
      if (reading === undefined) throw new Error('The rules were never read');
      return atMost(WAIT_AT_MOST_MS, reading, known?.rules);
    },
  };
}

/** What work resolves with in time; else `otherwise`, or a rejection if there is none. */
function atMost(limitMs: number, work: Promise<RuleSet>, otherwise: RuleSet | undefined): Promise<RuleSet> {
  return new Promise((resolve, reject) => {
    const giveUp = (error: unknown): void => (otherwise === undefined ? reject(error) : resolve(otherwise));
    const timer = setTimeout(() => giveUp(new Error(`no rules within ${limitMs} ms`)), limitMs);
    work.then(resolve, giveUp).finally(() => clearTimeout(timer));
  });
}

/** Fixed rules, for replays and tests. */
export const fixedRules = (rules: readonly StoredRule[]): ScreeningRules => {
  const compiled = compileRules(rules);
  return { inForce: () => compiled };
};
