import type { KeptSubject, Statement } from '../outcomes/kept-subject';
import { type ProcessorWord, processorWord } from '../outcomes/processor-word';
import type { ScreeningRecord } from '../screening/subjects/screening-record';
import type { DeskEntry } from './desk-change';
import type { AuditEntry } from './outcome';
import { CASE_LIFE_MS, caseStatusAt, type ReviewCase } from './review-case';

/** Everything that is kept about a subject, in no particular order. */
export interface SubjectHistory {
  readonly record: ScreeningRecord | undefined;
  readonly reviewCase: ReviewCase | undefined;
  readonly audits: readonly AuditEntry[];
  readonly desk: readonly DeskEntry[];
  /** Outcomes from outside, and the label that counts. @default it has neither references nor outcomes */
  readonly kept?: Pick<KeptSubject, 'statements' | 'in_force'> | undefined;
}

export const TIMELINE_KINDS = [
  'screened',
  'case_opened',
  'claimed',
  'released',
  'assigned',
  'commented',
  'viewed',
  'resolved',
  'reviewed',
  'corrected',
  'outcome',
  'expired',
] as const;

/** One thing that happened. `actor` is null if it was the service itself, or an analyst without a name. */
export interface TimelineEntry extends ProcessorWord {
  readonly at: string;
  readonly actor: string | null;
  readonly kind: (typeof TIMELINE_KINDS)[number];
  /** Whether the actor's own key proves who it was; absent for what the service did. */
  readonly proven?: boolean;
  readonly key_id?: string;
  readonly decision?: ScreeningRecord['automated_decision'];
  readonly previous_decision?: ScreeningRecord['automated_decision'];
  readonly risk_score?: number;
  readonly text?: string;
  readonly notes?: string | null;
  readonly reason_code?: string;
  /** Outcomes from outside only, as are those below. */
  readonly outcome?: Statement['type'];
  readonly label?: Statement['label'];
  /** Whether its label is the one that counts: a person's review beats a chargeback. */
  readonly in_force?: boolean;
  readonly withdrawn?: boolean;
  readonly network?: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly occurred_at?: string;
}

const screened = ({ screened_at_ms, automated_decision, risk_score }: ScreeningRecord): TimelineEntry => ({
  at: new Date(screened_at_ms).toISOString(),
  actor: null,
  kind: 'screened',
  decision: automated_decision,
  risk_score,
});

/** A decision that replaces another person's is a correction, wherever it was made. */
function decided(audit: AuditEntry, number: number): TimelineEntry {
  const { source, at, analyst_id, key_id, proven = false, decision, previous_decision, notes } = audit;
  const first = source === 'case' ? 'resolved' : 'reviewed';
  return {
    at,
    actor: analyst_id,
    kind: number === 0 ? first : 'corrected',
    proven,
    key_id,
    decision,
    previous_decision,
    notes,
    ...(audit.reason_code === undefined ? {} : { reason_code: audit.reason_code }),
  };
}

const handled = ({ at, actor, kind, proven, key_id, text }: DeskEntry): TimelineEntry => ({
  ...{ at, actor, kind, proven, key_id },
  ...(text === undefined ? {} : { text }),
});

/** An outcome is listed when it became known, which may be months after the payment. */
function reported(
  { type, label, recorded_at_ms, occurred_at, is_withdrawn, ...said }: Statement,
  current: KeptSubject['in_force'],
): TimelineEntry {
  const { reason_code, network, amount, currency } = said;
  const withdrawn = is_withdrawn === true;
  return {
    at: new Date(recorded_at_ms).toISOString(),
    actor: null,
    kind: 'outcome',
    outcome: type,
    label,
    in_force: !withdrawn && label !== 'none' && current?.source === type && current.label === label,
    withdrawn,
    occurred_at: new Date(occurred_at).toISOString(),
    ...(reason_code === undefined ? {} : { reason_code }),
    ...(network === undefined ? {} : { network }),
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...processorWord(said),
  };
}

/** The history of a subject until now, oldest first. Entries of the same instant keep the order given here. */
export function timelineOf({ record, reviewCase, audits, desk, kept }: SubjectHistory, nowMs: number): TimelineEntry[] {
  const created_at = reviewCase && new Date(reviewCase.created_at_ms).toISOString();
  const ended = reviewCase && caseStatusAt(reviewCase, nowMs) === 'expired';
  const entries: TimelineEntry[] = [
    ...(record ? [screened(record)] : []),
    ...(created_at ? [{ at: created_at, actor: null, kind: 'case_opened' } as const] : []),
    ...desk.map(handled),
    ...audits.map(decided),
    ...Object.values(kept?.statements ?? {}).map((each) => reported(each, kept?.in_force ?? null)),
    ...(ended
      ? [{ at: new Date(reviewCase.created_at_ms + CASE_LIFE_MS).toISOString(), actor: null, kind: 'expired' } as const]
      : []),
  ];
  return entries.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}
