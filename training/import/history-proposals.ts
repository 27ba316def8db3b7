import { textTable } from '../../shared/cli/text-table';
import { DEFAULT_SETTINGS, MAX_TRACKED_ATTRIBUTES } from '../../shared/domain/accounts/account';
import { canonicalText } from '../../shared/domain/entities/canonical-value';
import type { ModelCard } from '../../shared/domain/models/model-artefact';
import { observationOf } from '../../shared/domain/screening/attributes/attribute-privacy';
import { hadFraudBefore, type LabelledAttempt, proposeTracked } from '../engine/learn/propose-tracked';
import type { History } from '../replay/history';

type Proposals = NonNullable<ModelCard['worth_tracking']>;

/** The newest labelled lines that are looked at: 50 attributes of 200,000 lines take 40 MB. */
const MOST_LINES = 200_000;
const NUMBER = /^[+-]?\d{1,12}(\.\d{1,9})?$/;
/** If so many of its values are numbers, an attribute is learned as one. */
const NUMERIC_SHARE = 0.5;

/**
 * Attributes worth tracking, from the values of a history themselves: also of those that models may not observe, or have no
 * room for.
 */
export function historyProposals(history: History): Proposals {
  const skipped = Math.max(0, labelledIn(history) - MOST_LINES);
  const attempts: Array<Omit<LabelledAttempt, 'isKnown'>> = [];
  const users: number[] = [];
  const columns = new Map<string, { readonly values: Int32Array; numbers: number; present: number }>();
  let labelled = 0;
  for (const [, { subject, label, at_ms, label_known_at_ms }] of history.lines()) {
    if (label === undefined || labelled++ < skipped) continue;
    const at = attempts.length;
    attempts.push({ label, screened_at_ms: at_ms, labeled_at_ms: label_known_at_ms });
    users.push(numberOf(subject.user_id));
    for (const [key, value] of Object.entries(subject.custom_attributes ?? {})) {
      if (value === '' || DEFAULT_SETTINGS.tracked_attributes.includes(key)) continue;
      const column = columns.get(key) ?? { values: new Int32Array(MOST_LINES).fill(-1), numbers: 0, present: 0 };
      columns.set(key, column);
      column.values[at] = numberOf(canonicalText(value));
      column.present++;
      if (observationOf(key) === 'any' && NUMBER.test(value)) column.numbers++;
    }
  }
  const known = hadFraudBefore(attempts, users);
  const candidates = [...columns]
    .filter(([, { numbers, present }]) => numbers < NUMERIC_SHARE * present)
    .map(([key, { values }]) => ({ key, values }));
  return proposeTracked(
    attempts.map((attempt, at) => ({ ...attempt, isKnown: known[at] as boolean })),
    candidates,
  ).map((proposal) => ({ account_id: null, ...proposal }));
}

function labelledIn(history: History): number {
  let count = 0;
  for (const [, { label }] of history.lines()) if (label !== undefined) count++;
  return count;
}

/** FNV-1a to 31 bits: two of 200,000 values share a number in one of ten histories, which changes nothing. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 1;
}

/** What to track, and how to say so; nothing if there is nothing to propose. */
export function proposalText(proposals: Proposals): string[] {
  if (proposals.length === 0) return [];
  const room = MAX_TRACKED_ATTRIBUTES - DEFAULT_SETTINGS.tracked_attributes.length;
  const keys = proposals.slice(0, room).map(({ key }) => key);
  return [
    '',
    'Worth tracking: attributes whose values have a history that predicts fraud (one write unit per screening each):',
    textTable([
      ['ATTRIBUTE', 'VALUES', 'REPEATED', 'FRAUD AFTER FRAUD'],
      ...proposals.map(({ key, values, repeated, lift }) => [
        key,
        String(values),
        `${Math.round(100 * repeated)}%`,
        `${lift} times as likely`,
      ]),
    ]),
    `  npm run admin -- accounts set ACCOUNT_ID --tracked-attributes ${[...DEFAULT_SETTINGS.tracked_attributes, ...keys].join(',')}`,
  ];
}
