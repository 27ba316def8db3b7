import type { CaseSlice } from '../../domain/cases/case-search';
import { type CaseSelection, countIn, DAY_MS, dayStart, type Tally } from '../../domain/cases/case-tally';
import type { ReviewCase } from '../../domain/cases/review-case';
import { ulidTimeMs } from '../../domain/ulid';

/** Dependencies of walking through cases. */
export interface WalkedCases {
  hours(accountId: string, fromMs: number, toMs: number): Promise<Tally>;
  ofDay(accountId: string, selection: CaseSelection, slice: CaseSlice): Promise<ReviewCase[]>;
}

export interface Walk {
  /** The case that the walk continues after. @default it starts at the beginning */
  readonly beyond?: string | undefined;
  readonly isOldestFirst?: boolean;
  /** How many cases the first step reads. @default as many as fill a page */
  readonly firstChunk?: number;
}

/** Enough to fill a page even if few match, and 100 kB at most. A walk that continues takes longer steps. */
const FIRST_CHUNK = 200;
const LARGEST_CHUNK = 1_600;

/** Cases of a selection in order of creation, in chunks; days without any cost nothing. */
export async function* walkCases(
  cases: WalkedCases,
  accountId: string,
  { fromMs, toMs, classes }: CaseSelection,
  { beyond, isOldestFirst = false, firstChunk = FIRST_CHUNK }: Walk = {},
): AsyncGenerator<readonly ReviewCase[], void, undefined> {
  if (fromMs >= toMs) return;
  const order = isOldestFirst ? 1 : -1;
  const tally = await cases.hours(accountId, fromMs, toMs - 1);
  const hours = [...tally].filter(([, counts]) => countIn(counts, classes) > 0);
  const days = [...new Set(hours.map(([at]) => dayStart(at)))].sort((a, b) => order * (a - b));
  const firstDay = beyond === undefined ? undefined : dayStart(ulidTimeMs(beyond));
  let size = firstChunk;
  for (const day of days) {
    if (firstDay !== undefined && order * (day - firstDay) < 0) continue;
    const span = { fromMs: Math.max(fromMs, day), toMs: Math.min(toMs, day + DAY_MS), classes };
    let from = day === firstDay ? beyond : undefined;
    for (let chunk: ReviewCase[]; span.fromMs < span.toMs; from = chunk.at(-1)?.ulid) {
      const limit = size;
      chunk = await cases.ofDay(accountId, span, { beyond: from, limit, isOldestFirst });
      size = Math.min(size * 2, LARGEST_CHUNK);
      if (chunk.length > 0) yield chunk;
      if (chunk.length < limit) break;
    }
  }
}
