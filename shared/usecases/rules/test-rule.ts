import type { Caller } from '../../domain/accounts/account';
import { DAY_MS } from '../../domain/cases/case-tally';
import { attributeTypeOf } from '../../domain/declarations/declaration';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import { invalidRequest, notFound } from '../../domain/errors';
import type { Counters } from '../../domain/overview/overview-counters';
import { INTERVAL_MS, overviewSpan } from '../../domain/overview/overview-span';
import { checkedTree } from '../../domain/rules/rule-faults';
import { type RuleTest, type RuleTrial, type TriedRule, tryRule } from '../../domain/rules/rule-trial';
import type { StoredBy } from '../../domain/rules/stored-values';
import { isRetained, RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { lowestUlid } from '../../domain/ulid';
import { backtestOf, backtestRows, backtestSql } from '../../domain/warehouse/backtest-query';
import type { WarehouseQueries } from '../../domain/warehouse/warehouse-tables';
import type { AccountOverviewDeps } from '../overview/account-overview';
import type { ManageRulesDeps } from './manage-rules';
import { type TrialRowsDeps, trialRows } from './trial-rows';

/** Dependencies of testing a rule. */
export interface TestRuleDeps extends TrialRowsDeps {
  readonly clock: { now(): number };
  readonly lists?: ManageRulesDeps['lists'];
  /** The account's declarations. @default nothing */
  readonly rules?: Pick<ManageRulesDeps['rules'], 'book'> | undefined;
  readonly counts: AccountOverviewDeps['counts'];
  /** Of the stage: how stored values are named. */
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  /** Traffic of up to two years, in files. @default there is none */
  readonly warehouse?: WarehouseQueries | undefined;
}

export const DEFAULT_TEST_DAYS = 30;
/** How far back the table goes. Tests over more are tests on the warehouse. */
export const TABLE_DAYS = 90;

/** A test on the warehouse: it takes seconds to minutes, and is fetched by its ID. */
export interface RunningTest {
  readonly test_id: string;
}

/** The effect a rule would have had on the account's own traffic: nothing is changed, and the rule is not kept. */
export async function testRule(deps: TestRuleDeps, caller: Caller, request: RuleTest): Promise<RuleTrial> {
  const { account_id, settings } = caller;
  const { rule, by } = await prepared(deps, caller, request);
  const nowMs = deps.clock.now();
  const wantedMs = Math.min((request.days ?? DEFAULT_TEST_DAYS) * DAY_MS, RETENTION_MS - 1);
  // Clocks differ a little: a screening may have a time that is yet to come.
  const span = { from: lowestUlid(nowMs - wantedMs), before: lowestUlid(nowMs + DAY_MS) };
  const { rows, sinceMs } = await trialRows(deps, account_id, span);
  const counted = await countedSince(deps, account_id, sinceMs, nowMs);
  const kept = rows.filter(({ record }) => isRetained(record, nowMs));
  const known = kept.filter(({ record: { automated_decision: made } }) => made === 'block' || made === 'challenge');
  return tryRule(rule, kept, {
    days: Math.max((nowMs - sinceMs) / DAY_MS, 1 / 1_440),
    allowed: counted('allow'),
    // Without a history there are no lists of blocked and challenged ones: only those with a label are known.
    unlisted: settings.keep_history === false ? Math.max(0, counted('block') + counted('challenge') - known.length) : 0,
    by,
  });
}

/** The rule, and how the account names its values. */
async function prepared(
  deps: Pick<TestRuleDeps, 'lists' | 'rules' | 'pseudonyms'>,
  { account_id, settings }: Caller,
  { expression, action, points }: RuleTest,
): Promise<{ readonly rule: TriedRule; readonly by: StoredBy }> {
  const [lists, book, pseudonyms] = await Promise.all([
    deps.lists?.all(account_id),
    deps.rules?.book(account_id),
    deps.pseudonyms(),
  ]);
  const tree = checkedTree(expression, lists, book?.declarations);
  if (typeof tree === 'string') throw invalidRequest([{ field: 'expression', message: tree }]);
  const typeOf = (key: string) => book && attributeTypeOf(book.declarations, key);
  return {
    rule: { action, points: points ?? undefined, tree },
    by: { accountId: account_id, pseudonyms, settings, typeOf },
  };
}

/** Starts a test on the warehouse; the rule is checked first. */
export async function startRuleTest(deps: TestRuleDeps, caller: Caller, request: RuleTest): Promise<RunningTest> {
  if (!deps.warehouse) {
    const message = `must be at most ${TABLE_DAYS}: without a warehouse, screenings are kept that long`;
    throw invalidRequest([{ field: 'days', message }]);
  }
  await prepared(deps, caller, request);
  const { days } = request;
  const sql = backtestSql({ account_id: caller.account_id, request }, deps.clock.now() - (days ?? 0) * DAY_MS);
  return { test_id: await deps.warehouse.start(sql) };
}

/** The result of a test on the warehouse, or that it is still running. */
export async function getRuleTest(deps: TestRuleDeps, caller: Caller, id: string): Promise<RuleTrial | RunningTest> {
  const query = await deps.warehouse?.state(id);
  const asked = query && backtestOf(query.sql);
  if (!deps.warehouse || !query || asked?.account_id !== caller.account_id) throw notFound('test');
  const { request, since_ms } = asked;
  if (query.state === 'running') return { test_id: id };
  if (query.state !== 'succeeded')
    throw invalidRequest([{ field: 'days', message: 'are too many: Athena stopped the query' }]);
  const { rule, by } = await prepared(deps, caller, request);
  const { rows, isComplete, allowed, sinceMs } = backtestRows(await deps.warehouse.rows(id), since_ms);
  const span = Math.max((deps.clock.now() - sinceMs) / DAY_MS, 1 / 1_440);
  return tryRule(rule, rows, { days: span, allowed, unlisted: 0, isComplete, by });
}

/** Counts of decisions since an instant. Of the hour or day that it falls into, the share that is left counts. */
async function countedSince(
  { counts }: Pick<TestRuleDeps, 'counts'>,
  accountId: string,
  sinceMs: number,
  nowMs: number,
): Promise<(decision: string) => number> {
  const span = overviewSpan(Math.min(sinceMs, nowMs), nowMs, nowMs);
  const parts = span.fromMs < span.toMs ? await counts.read(accountId, span) : new Map<number, Counters>();
  const lengthMs = INTERVAL_MS[span.interval];
  return (decision) => {
    let total = 0;
    for (const [at, counters] of parts) {
      const endMs = Math.min(at + lengthMs, nowMs);
      const share = at >= sinceMs ? 1 : Math.max(0, endMs - sinceMs) / Math.max(1, endMs - at);
      total += share * (counters.get(decision) ?? 0);
    }
    return Math.round(total);
  };
}
