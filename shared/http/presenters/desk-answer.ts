import type { Caller } from '../../domain/accounts/account';
import { keyName, type ShownApiKey } from '../../domain/accounts/api-key';
import { permissionsOf, roleOrAdmin } from '../../domain/accounts/role';
import type { DeskEntry } from '../../domain/cases/desk-change';
import { isEvent, isTransaction } from '../../domain/screening/subjects/screening-record';
import type { Change } from '../../domain/webhooks/webhook-event';
import type { AnswerOf } from '../../schemas/answer-of';
import type { apiKeys, comment, me } from '../../schemas/desk';
import { caseAnswer } from './case-answer';
import { decisionAnswer } from './decision-answer';
import { listChangeAnswer } from './list-answer';
import { ruleChangeAnswer } from './rule-answer';
import { eventAnswer, transactionAnswer } from './screening-answer';

export const commentAnswer = (caseId: string, { ulid, text = '', actor, at }: DeskEntry): AnswerOf<typeof comment> => ({
  comment_id: `cmt_${ulid}`,
  case_id: caseId,
  text,
  actor,
  at,
});

export function meAnswer({ account_id, key_id, settings, ...key }: Caller): AnswerOf<typeof me> {
  const role = roleOrAdmin(key.role);
  return {
    ...{ account_id, key_id, person: key.person ?? null, role },
    permissions: permissionsOf(role),
    reason_codes: settings.reason_codes ?? [],
  };
}

/** Keys as people tell them apart: never the key, nor its hash. */
export const keysAnswer = (keys: readonly ShownApiKey[]): AnswerOf<typeof apiKeys> => ({
  keys: keys.map((key) => {
    const { key_id, hint, role, person, created_at, expires_at, revoked_at, last_used_at } = key;
    return { key_id, name: keyName(key), hint, role, person, created_at, expires_at, revoked_at, last_used_at };
  }),
});

/** The subject of a change, as its GET returned it at the given time: the `data` of webhook messages. */
export function changeAnswer(change: Change, atMs: number) {
  switch (change.kind) {
    case 'screened': {
      const { record } = change;
      if (isTransaction(record)) return transactionAnswer(record);
      if (isEvent(record)) return eventAnswer(record);
      throw new Error(`A screening of an unknown type: ${record.subject_type}`);
    }
    case 'reviewed':
      return decisionAnswer(change.record);
    case 'case_opened':
    case 'case_resolved':
      return caseAnswer(change.reviewCase, atMs);
    case 'list_changed':
      return listChangeAnswer(change.listChange);
    case 'rule_changed':
      return ruleChangeAnswer(change.version);
    default:
      return change satisfies never;
  }
}
