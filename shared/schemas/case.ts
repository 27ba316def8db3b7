import * as z from 'zod/mini';
import { warnings } from './error';
import { limit, offset } from './paging';
import { id, text, timestamp } from './text';

export const CASE_STATUSES = ['open', 'approved', 'rejected', 'expired'] as const;

const caseMembers = () => ({
  case_id: id('case'),
  subject_type: z.enum(['transaction', 'event']),
  subject_id: z.string(),
  user_id: z.string(),
  status: z.enum(CASE_STATUSES),
  risk_score: z.int().check(z.gte(0), z.lte(100)),
  decision: z.literal('review'),
  signals: z.array(z.string()),
  created_at: timestamp(),
  expires_at: timestamp(),
  resolved_at: z.nullable(timestamp()),
  resolved_by: z.nullable(z.string()),
  notes: z.nullable(z.string()),
});

export const reviewCase = () => z.object({ ...caseMembers(), warnings: warnings() });

export const resolveCaseRequest = z.object({
  status: z.enum(['approved', 'rejected']),
  analyst_id: z.optional(text(1, 128)),
  notes: z.optional(text(0, 4000)),
});

/** ISO 8601 in UTC: a date, or a date and time with an optional fraction and `Z` or `+00:00`. */
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|\+00:00))?$/;
const instant = z.string().check(
  z.maxLength(40),
  z.refine(
    (value) => INSTANT.test(value) && !Number.isNaN(Date.parse(value)),
    'must be an ISO 8601 time in UTC such as 2026-11-14T00:00:00Z',
  ),
);

export const listCasesQuery = z.object({
  status: z.optional(z.enum(CASE_STATUSES)),
  limit,
  offset,
  start_date: z.optional(instant),
  end_date: z.optional(instant),
});

export type ListCasesQuery = z.infer<typeof listCasesQuery>;

export const caseList = () =>
  z.object({
    cases: z.array(z.object(caseMembers())),
    total: z.int(),
    limit: z.int(),
    offset: z.int(),
    has_more: z.boolean(),
    warnings: warnings(),
  });
