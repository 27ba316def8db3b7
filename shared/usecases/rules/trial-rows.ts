import { CASE_CLASSES } from '../../domain/cases/case-tally';
import type { RecentLabels } from '../../domain/models/recent-label';
import type { TrialRow } from '../../domain/rules/rule-trial';
import type { DecisionSpan } from '../../domain/screening/subjects/decision-span';
import { ulidTimeMs } from '../../domain/ulid';
import { walkCases } from '../cases/walk-cases';
import type { ListDecisionsDeps } from '../screening/list-decisions';

/** Where the rows come from. */
export interface TrialRowsDeps {
  readonly labels: { recent(accountId: string, span: DecisionSpan, limit: number): Promise<RecentLabels> };
  readonly decisions: Pick<ListDecisionsDeps['decisions'], 'decided' | 'findAll'>;
  readonly cases: ListDecisionsDeps['cases'];
}

/** The most that one call reads: about two seconds. */
export const MAX_TRIAL_ROWS = { labels: 4_000, block: 1_000, challenge: 1_000, review: 1_000 } as const;

type Most = Readonly<Record<keyof typeof MAX_TRIAL_ROWS, number>>;

/** ULIDs, newest first. */
interface Found {
  readonly ulids: readonly string[];
  readonly isCut: boolean;
}

/**
 * The stored screenings of a span: the sample of what was allowed, everything that was not, and everything that has a
 * label. If one kind has more than a call reads, only the time from which all of them are complete counts.
 */
export async function trialRows(
  deps: TrialRowsDeps,
  accountId: string,
  span: DecisionSpan,
  most: Most = MAX_TRIAL_ROWS,
) {
  const [{ labels, isCut }, ...listed] = await Promise.all([
    deps.labels.recent(accountId, span, most.labels),
    decided(deps, accountId, span, { decision: 'block', limit: most.block }),
    decided(deps, accountId, span, { decision: 'challenge', limit: most.challenge }),
    reviewed(deps, accountId, span, most.review),
  ]);
  const labelled: Found = { ulids: labels.map(({ ulid }) => ulid), isCut };
  const found = [labelled, ...listed];
  const ends = found.flatMap((each) => (each.isCut ? [each.ulids.at(-1) ?? span.before] : []));
  const from = [span.from, ...ends].sort().at(-1) ?? span.from;
  const ulids = [...new Set(found.flatMap((each) => each.ulids))].filter((ulid) => ulid >= from);
  const labelOf = new Map(labels.map(({ ulid, label }) => [ulid, label]));
  const records = await deps.decisions.findAll(accountId, ulids);
  const rows = records.map((record): TrialRow => ({ record, label: labelOf.get(record.ulid) }));
  return { rows, sinceMs: ulidTimeMs(from) };
}

async function decided(
  { decisions }: TrialRowsDeps,
  accountId: string,
  { from, before }: DecisionSpan,
  { decision, limit }: { readonly decision: string; readonly limit: number },
): Promise<Found> {
  const ulids: string[] = [];
  for (let end: string | undefined = before; end !== undefined; ) {
    const slice = await decisions.decided(accountId, decision, { from, before: end }, limit - ulids.length);
    ulids.push(...slice.ulids);
    end = slice.next;
    if (ulids.length >= limit) return { ulids, isCut: true };
  }
  return { ulids, isCut: false };
}

async function reviewed(
  { cases }: TrialRowsDeps,
  accountId: string,
  { from, before }: DecisionSpan,
  limit: number,
): Promise<Found> {
  const ulids: string[] = [];
  const selection = { fromMs: ulidTimeMs(from), toMs: ulidTimeMs(before), classes: CASE_CLASSES };
  for await (const chunk of walkCases(cases, accountId, selection)) {
    ulids.push(...chunk.map(({ ulid }) => ulid));
    if (ulids.length >= limit) return { ulids: ulids.slice(0, limit), isCut: true };
  }
  return { ulids, isCut: false };
}
