import { signal } from '@preact/signals';
import { commentCase, getTimeline } from '../api/routes';
import type { TimelineEntry } from '../api/types';
import { announce } from './announce';
import { refreshCase } from './case-view';
import { loader } from './loadable';
import { session } from './session';

const entries = loader<{ readonly caseId: string; readonly entries: readonly TimelineEntry[] }>();
export const timelineView = entries.state;
/** Why the last comment was not saved. */
export const commentProblem = signal<string | undefined>(undefined);

export const loadTimeline = (caseId: string): Promise<void> =>
  entries.load(
    async (abort) => ({ caseId, entries: await getTimeline(caseId, abort) }),
    timelineView.value.data?.caseId === caseId,
  );

// The same text sent again after a lost answer is the same comment.
let pending: { readonly text: string; readonly once: string } | undefined;

/** Whether the comment was saved. */
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
