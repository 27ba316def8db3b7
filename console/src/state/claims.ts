import { signal } from '@preact/signals';
import { failureOf, hasCode } from '../api/failure';
import { claimCase, releaseCase } from '../api/routes';
import type { ReviewCase } from '../api/types';
import { visible } from '../text/words';
import { announce } from './announce';
import { refreshCase, showCase } from './case-view';
import { whileVisible } from './clock';
import { session } from './session';
import { isDecided } from './verdicts';

/** A claim lasts 15 minutes: renewed in time even if one renewal fails. */
const RENEW_MS = 5 * 60_000;

/** Cases that the analyst decides although somebody else works on them. */
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

/** Claims the open case on the screen and keeps it until the page is left, unless it was decided by then. */
export function holdCase(caseId: string): () => void {
  void claim(caseId);
  const stop = whileVisible(RENEW_MS, () => void claim(caseId));
  return () => {
    stop();
    const analyst = session.value;
    if (analyst?.canResolve && !isDecided(caseId)) void releaseCase(caseId, analyst.analystId).catch(() => undefined);
  };
}
