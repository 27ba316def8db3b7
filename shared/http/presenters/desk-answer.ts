import type { Caller } from '../../domain/accounts/account';
import { permissionsOf, roleOrAdmin } from '../../domain/accounts/role';
import type { DeskEntry } from '../../domain/cases/desk-change';
import type { AnswerOf } from '../../schemas/answer-of';
import type { comment, me } from '../../schemas/desk';

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
