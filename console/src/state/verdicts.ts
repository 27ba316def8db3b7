import { signal } from '@preact/signals';
import { type Failure, failureOf, hasCode } from '../api/client';
import { getCase, resolveCase, resolveCases } from '../api/routes';
import type { CaseResult, Outcome, ReviewCase } from '../api/types';
import { announce } from './page';

/*
 * A decision is held back for a moment, so that a slip can be undone:
 *
 *   decide ──► waiting ──5 s──► sending ──► done (a notice)
 *                 │                │ ├─────► 409: someone else resolved it first (a notice)
 *                 └─ undo          │ └─────► failed ──► retry or undo; claimed by somebody else: decide anyway
 *
 * Only one waits at a time: the next decision sends the previous one immediately. A decision may be on many cases: it
 * is sent in one request, and its notice tells which of them were not decided.
 */
export const GRACE_MS = 5_000;

export interface Verdict {
  readonly reviewCase: ReviewCase;
  readonly others: readonly ReviewCase[];
  /** Makes a repeat of the request harmless. */
  readonly once: string;
  readonly reasonCode: string;
  /** Although somebody else works on it. */
  readonly force: boolean;
  readonly status: Outcome;
  readonly notes: string;
  readonly analystId: string;
  readonly phase: 'waiting' | 'sending' | 'failed';
  readonly failure?: Failure | undefined;
}

export interface Notice {
  readonly kind: 'done' | 'beaten' | 'many';
  readonly reviewCase: ReviewCase;
  readonly results?: readonly CaseResult[];
}

/** Decisions that the service does not have yet, oldest first. */
export const verdicts = signal<readonly Verdict[]>([]);
export const notices = signal<readonly Notice[]>([]);
/** Typed notes by case: they survive navigation and an undo. */
export const drafts = signal<Readonly<Record<string, string>>>({});
export const reasons = signal<Readonly<Record<string, string>>>({});
/** Increases with every outcome the service has confirmed, so that lists and counts refresh. */
export const confirmed = signal(0);

// Cases decided on in this session, sent or not: "next" skips them even if a list still has them open.
const decidedIds = new Set<string>();
export const isDecided = (caseId: string): boolean => decidedIds.has(caseId);

let timer: ReturnType<typeof setTimeout> | undefined;

const idOf = ({ reviewCase }: Verdict): string => reviewCase.case_id;
const casesOf = ({ reviewCase, others }: Verdict): readonly ReviewCase[] => [reviewCase, ...others];
export const verdictOn = (caseId: string): Verdict | undefined =>
  verdicts.value.find((each) => casesOf(each).some(({ case_id }) => case_id === caseId));

function put(verdict: Verdict): void {
  verdicts.value = verdicts.value.map((each) => (idOf(each) === idOf(verdict) ? verdict : each));
}

function remove(caseId: string): void {
  verdicts.value = verdicts.value.filter((each) => idOf(each) !== caseId);
}

export const keepDraft = (caseId: string, notes: string): void => {
  drafts.value = { ...drafts.value, [caseId]: notes };
};

export const keepReason = (caseId: string, reason: string): void => {
  reasons.value = { ...reasons.value, [caseId]: reason };
};

/** Decides on a case, or on several at once; nothing is sent before the grace period ends. */
export function decide(cases: readonly ReviewCase[], status: Outcome, analystId: string, force = false): void {
  const [reviewCase, ...others] = cases.filter(({ case_id }) => !verdictOn(case_id));
  if (!reviewCase) return;
  const { case_id } = reviewCase;
  void sendWaiting();
  notices.value = notices.value.filter(({ kind }) => kind !== 'done');
  const notes = (drafts.value[case_id] ?? '').trim();
  const reasonCode = reasons.value[case_id] ?? '';
  const once = crypto.randomUUID();
  const verdict = { reviewCase, others, status, notes, reasonCode, analystId, once, force, phase: 'waiting' } as const;
  verdicts.value = [...verdicts.value, verdict];
  for (const each of casesOf(verdict)) decidedIds.add(each.case_id);
  timer = setTimeout(() => void sendWaiting(), GRACE_MS);
}

export function undo(): readonly ReviewCase[] {
  const taken = verdicts.value.findLast(({ phase }) => phase !== 'sending');
  if (!taken) return [];
  if (taken.phase === 'waiting') clearTimeout(timer);
  remove(idOf(taken));
  for (const each of casesOf(taken)) decidedIds.delete(each.case_id);
  announce('Undone. The decision was not sent.');
  return casesOf(taken);
}

/** Sends pending decisions now instead of after the grace period. */
export async function sendWaiting(): Promise<void> {
  clearTimeout(timer);
  const waiting = verdicts.value.find(({ phase }) => phase === 'waiting');
  if (waiting) await send(waiting);
}

/** Sends every pending decision before the analyst signs out. */
export async function sendAll(): Promise<void> {
  clearTimeout(timer);
  await Promise.all(verdicts.value.filter(({ phase }) => phase !== 'sending').map(send));
}

export async function send(verdict: Verdict): Promise<void> {
  const { reviewCase, others, status, analystId } = verdict;
  put({ ...verdict, phase: 'sending', failure: undefined });
  try {
    if (others.length > 0) await sendMany(verdict);
    else finish('done', await resolveCase(reviewCase.case_id, verdict));
  } catch (error) {
    const failure = failureOf(error);
    // The current state of the case; if even that cannot be read, the decision stays for a retry.
    const now = hasCode(failure, 'case_not_open')
      ? await getCase(reviewCase.case_id).catch(() => undefined)
      : undefined;
    if (now) {
      // Resolved as we wanted, and by us: only the answer was lost.
      finish(now.status === status && now.resolved_by === analystId ? 'done' : 'beaten', now);
      return;
    }
    put({ ...verdict, phase: 'failed', failure });
    announce('Your decision was not sent.');
  }
}

async function sendMany(verdict: Verdict): Promise<void> {
  const ids = casesOf(verdict).map(({ case_id }) => case_id);
  const results = await resolveCases(ids, verdict, verdict.once);
  remove(idOf(verdict));
  // Those that were not decided are open for others, and for another try.
  for (const { case_id, status } of results) if (status !== 'ok') decidedIds.delete(case_id);
  const notice = { kind: 'many', reviewCase: verdict.reviewCase, results } as const;
  notices.value = [...notices.value.filter((each) => each.kind === 'beaten'), notice];
  const done = results.filter(({ status }) => status === 'ok').length;
  announce(`${done} of ${results.length} cases ${verdict.status}.`);
  confirmed.value += 1;
}

function finish(kind: Notice['kind'], reviewCase: ReviewCase): void {
  remove(reviewCase.case_id);
  const { [reviewCase.case_id]: _sent, ...rest } = drafts.value;
  if (kind === 'done') drafts.value = rest;
  notices.value = [...notices.value.filter((each) => each.kind === 'beaten'), { kind, reviewCase }];
  confirmed.value += 1;
}

export const dismiss = (notice: Notice): void => {
  notices.value = notices.value.filter((each) => each !== notice);
};

/** Forgets all decisions: another analyst may sign in here. */
export function forgetVerdicts(): void {
  clearTimeout(timer);
  verdicts.value = [];
  notices.value = [];
  drafts.value = {};
  reasons.value = {};
  decidedIds.clear();
}

// Closing the page would lose a pending decision: the browser asks first.
addEventListener('beforeunload', (event) => {
  if (verdicts.value.length > 0) event.preventDefault();
});
addEventListener('online', () => {
  for (const failed of verdicts.value.filter(({ phase }) => phase === 'failed')) void send(failed);
});
