import { signal } from '@preact/signals';
import { failureOf, hasCode } from '../api/client';
import {
  claimCase,
  commentCase,
  getCase,
  getDecision,
  getRiskProfile,
  getTimeline,
  listCases,
  releaseCase,
} from '../api/routes';
import type { Decision, ReviewCase, RiskProfile, TimelineEntry } from '../api/types';
import { visible } from '../text/words';
import { loader } from './loadable';
import { announce, whileVisible } from './page';
import { datesOf, isSearch, queueView } from './queue';
import { lastFilter } from './route';
import { session } from './session';
import { isDecided } from './verdicts';

export interface CaseData {
  readonly reviewCase: ReviewCase;
  readonly decision: Decision;
}

const current = loader<CaseData>();
const profile = loader<RiskProfile>();
export const caseView = current.state;
export const profileView = profile.state;

/** The case that was on the screen last: where the focus goes when the analyst comes back to the list. */
export const lastCaseId = signal<string | undefined>(undefined);

/** The open case after this one: undefined while it is being looked for, null when there is none. */
export const nextCaseId = signal<string | null | undefined>(undefined);

let ahead: { readonly caseId: string; readonly data: Promise<CaseData> } | undefined;

/** Case and decision share a ULID, so both are asked for at once. */
async function readCase(caseId: string, abort?: AbortSignal): Promise<CaseData> {
  const [reviewCase, decision] = await Promise.all([
    getCase(caseId, abort),
    getDecision(caseId.replace('case_', 'dec_'), abort),
  ]);
  return { reviewCase, decision };
}

/** The next open case of a search; else the next older one, and after the oldest, the newest. */
async function findNext({ case_id, created_at }: ReviewCase): Promise<string | undefined> {
  if (isSearch(lastFilter.value)) {
    const rows = queueView.value.data?.rows ?? [];
    const at = rows.findIndex((row) => row.case_id === case_id);
    return rows.slice(at + 1).find((row) => row.status === 'open' && !isDecided(row.case_id))?.case_id;
  }
  const { start_date, end_date } = datesOf(lastFilter.value);
  const isNext = (other: ReviewCase): boolean => other.case_id !== case_id && !isDecided(other.case_id);
  const first = async (until: string | undefined) => {
    const { cases } = await listCases({ status: 'open', limit: 10, start_date, end_date: until });
    return cases.find(isNext)?.case_id;
  };
  return (await first(created_at)) ?? (await first(end_date));
}

let looking: Promise<string | null> = Promise.resolve(null);

async function lookAhead(reviewCase: ReviewCase): Promise<string | null> {
  const found = (await findNext(reviewCase).catch(() => undefined)) ?? null;
  if (caseView.value.data?.reviewCase.case_id !== reviewCase.case_id) return found;
  nextCaseId.value = found;
  if (!found || ahead?.caseId === found) return found;
  const data = readCase(found);
  // A failed prefetch is not shown; opening the case tries again.
  data.catch(() => {
    ahead = undefined;
  });
  ahead = { caseId: found, data };
  return found;
}

export const nextCase = (): Promise<string | null> => looking;

/** Shows a case, prefetched where possible; the user's profile and the next case load in the background. */
export async function openCase(caseId: string): Promise<void> {
  const early = ahead?.caseId === caseId ? ahead.data : undefined;
  ahead = undefined;
  nextCaseId.value = undefined;
  lastCaseId.value = caseId;
  // Coming back to a case shows the old data until it is reloaded.
  const isSame = caseView.value.data?.reviewCase.case_id === caseId;
  if (!isSame) profile.reset();
  // A prefetch that fails after all, for example at its time limit, must not cost the analyst the case.
  const loading = current.load(
    (abort) => early?.catch(() => readCase(caseId, abort)) ?? readCase(caseId, abort),
    isSame,
  );
  const loaded = (): CaseData | undefined =>
    caseView.value.data?.reviewCase.case_id === caseId ? caseView.value.data : undefined;
  looking = loading.then(() => {
    const data = loaded();
    return data ? lookAhead(data.reviewCase) : null;
  });
  await loading;
  if (loaded()) await Promise.all([loadProfile(), looking]);
}

export async function loadProfile(): Promise<void> {
  const userId = caseView.value.data?.reviewCase.user_id;
  if (userId === undefined) return;
  const isSame = profileView.value.data?.user_id === userId;
  await profile.load((abort) => getRiskProfile(userId, abort), isSame);
}

export async function refreshCase(): Promise<void> {
  const shown = caseView.value.data;
  if (!shown || caseView.value.isLoading) return;
  const reviewCase = await getCase(shown.reviewCase.case_id).catch(() => undefined);
  if (!reviewCase || caseView.value.data !== shown) return;
  const before = shown.reviewCase;
  showCase(reviewCase);
  if (reviewCase.status !== before.status) announce(`This case is now ${reviewCase.status}.`);
}

export function showCase(reviewCase: ReviewCase): void {
  const shown = caseView.value.data;
  if (shown?.reviewCase.case_id !== reviewCase.case_id) return;
  const isSame = (['status', 'assignee', 'claimed_until', 'comments'] as const).every(
    (member) => shown.reviewCase[member] === reviewCase[member],
  );
  if (!isSame) caseView.value = { data: { ...shown, reviewCase }, isLoading: false };
}

export function closeCase(): void {
  current.reset();
  profile.reset();
  nextCaseId.value = undefined;
  ahead = undefined;
}

/** A claim lasts 15 minutes: renewed in time even if one renewal fails. */
const RENEW_MS = 5 * 60_000;

export const insisted = signal<ReadonlySet<string>>(new Set());

export const insistOn = (caseId: string): void => {
  insisted.value = new Set([...insisted.value, caseId]);
};

/** Who else works on a case; undefined if nobody does, or if it is the analyst. */
export const otherHolder = ({ assignee }: ReviewCase): string | undefined =>
  assignee !== null && assignee !== session.value?.analystId ? assignee : undefined;

async function claim(caseId: string): Promise<void> {
  const analyst = session.value;
  if (!analyst?.canResolve || isDecided(caseId)) return;
  try {
    showCase(await claimCase(caseId, analyst.analystId));
  } catch (error) {
    // Somebody else has it, or it is no longer open: the page says so. Without a claim the case can still be decided.
    const failure = failureOf(error);
    if (failure.kind !== 'refused') return;
    // The message of the API names an ISO timestamp, which nobody wants read out.
    const holder = hasCode(failure, 'case_claimed') && failure.details.find(({ field }) => field === 'assignee');
    if (holder) announce(`${visible(holder.message)} is working on this case.`);
    void refreshCase();
  }
}

/** Whether somebody was given a case, and need not be at it: it stays theirs. */
export const isGiven = ({ claimed_until: until }: ReviewCase): boolean =>
  until !== null && Date.parse(until) > Date.now() + 4 * RENEW_MS;

/** Claims the open case on the screen and keeps it until the page is left, unless it was decided by then. */
export function holdCase(caseId: string): () => void {
  // The claim stands on the timeline: read before, it would have to be read twice.
  void claim(caseId).then(() => loadTimeline(caseId));
  const stop = whileVisible(RENEW_MS, () => void claim(caseId));
  return () => {
    stop();
    const analyst = session.value;
    const shown = caseView.value.data?.reviewCase;
    if (analyst?.canResolve && !isDecided(caseId) && !(shown && isGiven(shown)))
      void releaseCase(caseId, analyst.analystId).catch(() => undefined);
  };
}

const entries = loader<{ readonly caseId: string; readonly entries: readonly TimelineEntry[] }>();
export const timelineView = entries.state;
export const commentProblem = signal<string | undefined>(undefined);

export const loadTimeline = (caseId: string): Promise<void> =>
  entries.load(
    async (abort) => ({ caseId, entries: await getTimeline(caseId, abort) }),
    timelineView.value.data?.caseId === caseId,
  );

// The same text sent again after a lost answer is the same comment.
let pending: { readonly text: string; readonly once: string } | undefined;

export async function sendComment(caseId: string, text: string): Promise<boolean> {
  const analystId = session.value?.analystId ?? '';
  if (pending?.text !== text) pending = { text, once: crypto.randomUUID() };
  try {
    await commentCase(caseId, analystId, text, pending.once);
  } catch {
    commentProblem.value = 'The comment was not saved. Try again.';
    return false;
  }
  pending = undefined;
  commentProblem.value = undefined;
  announce('Comment saved.');
  await Promise.all([loadTimeline(caseId), refreshCase()]);
  return true;
}

export function closeTimeline(): void {
  entries.reset();
  commentProblem.value = undefined;
  pending = undefined;
}
