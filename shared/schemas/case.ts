import * as z from 'zod/mini';
import { CASE_SORTS } from '../domain/cases/case-search';
import { cursor, limit, nextCursor, offset, warnings } from './conventions';
import { id, instant, text, timestamp } from './text';

export const CASE_STATUSES = ['open', 'approved', 'rejected', 'expired'] as const;

const caseMembers = () => ({
  case_id: id('case'),
  subject_type: z.enum(['transaction', 'event']),
  subject_id: z.string(),
  user_id: z.string(),
  amount: z.optional(z.number()),
  currency: z.optional(z.string()),
  event_type: z.optional(z.string()),
  status: z.enum(CASE_STATUSES),
  risk_score: z.int().check(z.gte(0), z.lte(100)),
  decision: z.literal('review'),
  signals: z.array(z.string()),
  created_at: timestamp(),
  expires_at: timestamp(),
  resolved_at: z.nullable(timestamp()),
  resolved_by: z.nullable(z.string()),
  notes: z.nullable(z.string()),
  reason_code: z.optional(z.string()),
  assignee: z.nullable(z.string()),
  claimed_until: z.nullable(timestamp()),
  comments: z.int().check(z.gte(0)),
  device: z.nullable(z.string()),
});

export const reviewCase = () => z.object({ ...caseMembers(), warnings: warnings() });

export const resolveCaseRequest = z.object({
  status: z.enum(['approved', 'rejected']),
  analyst_id: z.optional(text(1, 128)),
  notes: z.optional(text(0, 4000)),
  reason_code: z.optional(text(1, 40)),
  force: z.optional(z.boolean()),
});

const score = z.optional(
  z.string().check(z.refine((value) => /^(\d{1,2}|100)$/.test(value), 'must be an integer from 0 to 100')),
);

export const listCasesQuery = z.object({
  status: z.optional(z.enum(CASE_STATUSES)),
  limit: limit(),
  offset: offset(),
  start_date: z.optional(instant()),
  end_date: z.optional(instant()),
  user_id: z.optional(text(1, 128)),
  user_prefix: z.optional(text(1, 128)),
  min_amount: z.optional(
    z.string().check(z.refine((value) => /^\d{1,12}(\.\d{1,2})?$/.test(value), 'must be an amount in US dollars')),
  ),
  assignee: z.optional(text(1, 128)),
  resolved_by: z.optional(text(1, 128)),
  signal: z.optional(text(1, 128)),
  min_score: score,
  max_score: score,
  subject_type: z.optional(z.enum(['transaction', 'event'])),
  sort: z.optional(z.enum(CASE_SORTS)),
  cursor: cursor(),
});

export type ListCasesQuery = z.infer<typeof listCasesQuery>;

export const caseList = () =>
  z.object({
    cases: z.array(z.object(caseMembers())),
    total: z.nullable(z.int()),
    limit: z.int(),
    offset: z.int(),
    has_more: z.boolean(),
    next_cursor: z.optional(nextCursor()),
    searched_to: z.optional(z.nullable(timestamp())),
    warnings: warnings(),
  });
