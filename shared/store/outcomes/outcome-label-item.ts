import type { KeptChange } from '../../domain/outcomes/kept-change';
import type { OutcomeType, StoredOutcome } from '../../domain/outcomes/outside-outcome';
import { isForced } from '../../domain/screening/subjects/screening-record';
import { labelItem } from '../models/label-store';

/**
 * Sources whose labels stand for a person at the account, and are compared with what others there say. Banks are not:
 * they only ever report fraud, mostly on what scored low, and would look as if they contradicted everybody.
 */
const SAID_BY_ACCOUNT: ReadonlySet<string> = new Set<OutcomeType>(['refund_fraud', 'user_report', 'challenge_passed']);

/** The label that training keeps after an outcome; undefined if the label stays. */
export function outcomeLabelItem(
  accountId: string,
  outcome: StoredOutcome,
  { after, move }: KeptChange,
): Record<string, unknown> | undefined {
  if (move === undefined || isForced(after.screening)) return undefined;
  const { type, key_id } = outcome;
  // An outcome never replaces a current review, so what moves comes from outside.
  const source = move.to === null || move.to.source === 'review' ? type : move.to.source;
  const given = {
    label: move.to?.label ?? 'none',
    source,
    analyst_id: null,
    labeled_at: new Date(move.at_ms).toISOString(),
    ...(source === type && SAID_BY_ACCOUNT.has(source) ? { key_id } : {}),
  } as const;
  return labelItem(accountId, after.screening, given, { number: after.label_changes, endMs: after.kept_until_ms });
}
