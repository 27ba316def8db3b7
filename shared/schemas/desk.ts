import * as z from 'zod/mini';
import { TIMELINE_KINDS } from '../domain/cases/timeline';
import { type ErrorCode, STATUS } from '../domain/errors';
import { OUTCOME_TYPES } from '../domain/outcomes/outside-outcome';
import { resolveCaseRequest } from './case';
import { warnings } from './conventions';
import { processorMembers } from './screening';
import { id, text, timestamp } from './text';

export const claimRequest = z.object({
  analyst_id: z.optional(text(1, 128)),
  assign_to: z.optional(text(1, 128)),
});

export const commentRequest = z.object({ text: text(1, 4000), analyst_id: z.optional(text(1, 128)) });

export const comment = () =>
  z.object({
    comment_id: id('cmt'),
    case_id: id('case'),
    text: z.string(),
    actor: z.string(),
    at: timestamp(),
    warnings: warnings(),
  });

const decisions = ['allow', 'challenge', 'review', 'block'] as const;

export const timeline = () =>
  z.object({
    entries: z.array(
      z.object({
        at: timestamp(),
        actor: z.nullable(z.string()),
        kind: z.enum(TIMELINE_KINDS),
        proven: z.optional(z.boolean()),
        key_id: z.optional(z.string()),
        decision: z.optional(z.enum(decisions)),
        previous_decision: z.optional(z.enum(decisions)),
        risk_score: z.optional(z.int()),
        text: z.optional(z.string()),
        notes: z.optional(z.nullable(z.string())),
        reason_code: z.optional(z.string()),
        outcome: z.optional(z.enum(OUTCOME_TYPES)),
        label: z.optional(z.enum(['fraud', 'legitimate', 'none'])),
        in_force: z.optional(z.boolean()),
        withdrawn: z.optional(z.boolean()),
        network: z.optional(z.string()),
        amount: z.optional(z.number()),
        currency: z.optional(z.string()),
        occurred_at: z.optional(timestamp()),
        ...processorMembers(),
      }),
    ),
    warnings: warnings(),
  });

export const resolveCasesRequest = z.extend(resolveCaseRequest, {
  case_ids: z.array(text(1, 64)).check(z.minLength(1), z.maxLength(100)),
});

export const caseResults = () =>
  z.object({
    results: z.array(
      z.object({
        case_id: z.string(),
        status: z.enum(['ok', ...(Object.keys(STATUS) as ErrorCode[])]),
      }),
    ),
    warnings: warnings(),
  });

export const me = () =>
  z.object({
    account_id: z.string(),
    key_id: z.string(),
    person: z.nullable(z.string()),
    role: z.string(),
    permissions: z.array(z.string()),
    reason_codes: z.array(z.string()),
    warnings: warnings(),
  });

export const apiKeys = () =>
  z.object({
    keys: z.array(
      z.object({
        key_id: z.string(),
        name: z.string(),
        hint: z.string(),
        role: z.string(),
        person: z.nullable(z.string()),
        created_at: timestamp(),
        expires_at: z.nullable(timestamp()),
        revoked_at: z.nullable(timestamp()),
        last_used_at: z.nullable(timestamp()),
      }),
    ),
    warnings: warnings(),
  });
