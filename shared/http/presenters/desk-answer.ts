import type { Caller } from '../../domain/accounts/account';
import { keyName, type ShownApiKey } from '../../domain/accounts/api-key';
import { permissionsOf, roleOrAdmin } from '../../domain/accounts/role';
import type { DeskEntry } from '../../domain/cases/desk-change';
import type { AnswerOf } from '../../schemas/answer-of';
import type { apiKeys, comment, me } from '../../schemas/desk';

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
