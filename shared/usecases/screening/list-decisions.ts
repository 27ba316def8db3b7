import type { Caller } from '../../domain/accounts/account';
import { selectionOf } from '../../domain/cases/case-tally';
import { cursorUlid, decodeCursor, encodeCursor } from '../../domain/cursor';
import { entityNames, pseudonymOf } from '../../domain/entities/entity-ref';
import type { Pseudonyms } from '../../domain/entities/pseudonyms';
import { invalidRequest } from '../../domain/errors';
import type { KeptSubject } from '../../domain/outcomes/kept-subject';
import type { DecisionSlice, DecisionSpan } from '../../domain/screening/subjects/decision-span';
import {
  currentDecision,
  isRetained,
  RETENTION_MS,
  type ScreeningRecord,
} from '../../domain/screening/subjects/screening-record';
import { lowestUlid, ulidTimeMs } from '../../domain/ulid';
import type { DecisionsOfUser } from '../cases/cases-of-user';
import { type WalkedCases, walkCases } from '../cases/walk-cases';

/** Dependencies of listing decisions. */
export interface ListDecisionsDeps {
  readonly clock: { now(): number };
  readonly pseudonyms: () => Pseudonyms | Promise<Pseudonyms>;
  readonly decisions: DecisionsOfUser & {
    decided(accountId: string, decision: string, span: DecisionSpan, limit: number): Promise<DecisionSlice>;
    findAll(accountId: string, ulids: readonly string[]): Promise<ScreeningRecord[]>;
    /** Subjects kept for outcomes from outside, by ULID. */
    keptOf(accountId: string, ulids: readonly string[]): Promise<ReadonlyMap<string, KeptSubject>>;
  };
  /** Screenings under review are listed with their cases. */
  readonly cases: WalkedCases;
}

export interface DecisionFilter {
  readonly user_id?: string | undefined;
  readonly decision?: string | undefined;
  /** `missed_fraud`: payments that were allowed, and that somebody outside reported as fraud. */
  readonly outcome?: 'missed_fraud' | undefined;
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of decisions, newest first; `nextCursor` is null on the last one. */
export interface DecisionPage {
  readonly decisions: readonly ScreeningRecord[];
  readonly kept: ReadonlyMap<string, KeptSubject>;
  readonly nextCursor: string | null;
  readonly isListing: boolean;
}

const LIST = 'decisions';
const DAY_MS = 86_400_000;

/** Decisions of a user, or of a kind. A page costs the same wherever it is. */
export async function listDecisions(
  deps: ListDecisionsDeps,
  caller: Caller,
  filter: DecisionFilter,
): Promise<DecisionPage> {
  const { limit, cursor, startMs = 0 } = filter;
  const nowMs = deps.clock.now();
  const fromMs = Math.max(startMs, nowMs - RETENTION_MS + 1);
  // Clocks differ a little: a screening may have a time that is yet to come.
  const toMs = Math.min(filter.endMs ?? Number.POSITIVE_INFINITY, nowMs + DAY_MS);
  const position = cursor === undefined ? undefined : cursorUlid(decodeCursor(cursor, LIST, 1)[0]);
  const bound = lowestUlid(toMs);
  const before = position === undefined || position > bound ? bound : position;
  const slices = await slicesOf(deps, caller, filter);
  const isWanted = (record: ScreeningRecord): boolean =>
    isRetained(record, nowMs) && (filter.decision === undefined || currentDecision(record) === filter.decision);

  const found: ScreeningRecord[] = [];
  const span = { from: lowestUlid(fromMs), before };
  if (fromMs < toMs) {
    for await (const ulids of slices(span)) {
      for (let at = 0; at < ulids.length && found.length <= limit; ) {
        const some = ulids.slice(at, at + limit + 1 - found.length);
        found.push(...(await deps.decisions.findAll(caller.account_id, some)).filter(isWanted));
        at += some.length;
      }
      if (found.length > limit) break;
    }
  }
  const decisions = found.slice(0, limit);
  const last = decisions.at(-1);
  const mayHaveOutcomes = decisions.filter(({ kept_until_ms }) => kept_until_ms !== undefined);
  return {
    decisions,
    kept: await deps.decisions.keptOf(
      caller.account_id,
      mayHaveOutcomes.map(({ ulid }) => ulid),
    ),
    nextCursor: found.length > limit && last ? encodeCursor(LIST, last.ulid) : null,
    isListing: caller.settings.keep_history !== false,
  };
}

type Slices = (span: DecisionSpan) => AsyncIterable<readonly string[]>;

const following = (read: (span: DecisionSpan) => Promise<DecisionSlice>): Slices =>
  async function* slices(span) {
    for (let before: string | undefined = span.before; before !== undefined; ) {
      const { ulids, next }: DecisionSlice = await read({ from: span.from, before });
      if (ulids.length > 0) yield ulids;
      before = next;
    }
  };

/** Where the candidates come from: the user's history, the list of a decision or outcome, or the lists of cases. */
async function slicesOf(deps: ListDecisionsDeps, { account_id }: Caller, filter: DecisionFilter): Promise<Slices> {
  const { user_id, decision, outcome, limit } = filter;
  if (outcome !== undefined && (user_id !== undefined || decision !== undefined)) {
    throw invalidRequest([{ field: 'outcome', message: 'cannot be combined with user_id or decision' }]);
  }
  if (outcome !== undefined) return following((span) => deps.decisions.decided(account_id, outcome, span, limit));
  if (user_id !== undefined) {
    const user = pseudonymOf(entityNames(account_id, await deps.pseudonyms()).user(user_id));
    return following((span) => deps.decisions.ofUser(account_id, user, span, { limit, decision }));
  }
  if (decision === undefined || decision === 'allow') {
    const message = 'is required, unless decision is review, challenge or block, or outcome is given';
    throw invalidRequest([{ field: 'user_id', message }]);
  }
  if (decision !== 'review') return following((span) => deps.decisions.decided(account_id, decision, span, limit));
  return async function* slices({ from, before }) {
    const selection = { ...selectionOf(undefined, ulidTimeMs(from), ulidTimeMs(before) + 1, 0), classes: UNRESOLVED };
    for await (const chunk of walkCases(deps.cases, account_id, selection)) {
      // The last millisecond may hold cases from both sides of the bound.
      yield chunk.map(({ ulid }) => ulid).filter((ulid) => ulid < before);
    }
  };
}

const UNRESOLVED = ['unresolved'] as const;
