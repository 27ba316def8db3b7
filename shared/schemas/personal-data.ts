import * as z from 'zod/mini';
import { reviewCase } from './case';
import { warnings } from './conventions';
import { linkGraph } from './links';
import { evidence, listedDecision, riskProfile } from './screening';
import { id, text, timestamp } from './text';

export const requestedErasure = () =>
  z.object({ erasure_id: id('era'), keeps_fraud_evidence: z.boolean(), warnings: warnings() });

export const eraseUserQuery = z.object({ everything: z.optional(z.enum(['true', 'false'])) });

export const erasure = () =>
  z.object({
    erasure_id: id('era'),
    status: z.enum(['pending', 'completed']),
    requested_at: timestamp(),
    requested_by: z.string(),
    completed_at: z.nullable(timestamp()),
    keeps_fraud_evidence: z.boolean(),
    items_checked: z.int().check(z.gte(0)),
    erased: z.record(z.string(), z.int().check(z.gte(0))),
    warnings: warnings(),
  });

const comment = () => z.object({ case_id: id('case'), at: timestamp(), actor: z.string(), text: z.string() });

const namingEntry = () =>
  z.object({
    list: z.string(),
    value: z.string(),
    reason: z.nullable(z.string()),
    expires_at: z.nullable(timestamp()),
    added_at: timestamp(),
  });

export const userExport = () =>
  z.object({
    user_id: z.string(),
    exported_at: timestamp(),
    profile: z.nullable(riskProfile()),
    decisions: z.array(listedDecision()),
    evidence: z.array(evidence()),
    cases: z.array(reviewCase()),
    comments: z.array(comment()),
    links: z.nullable(linkGraph()),
    counters: z.record(z.string(), z.number()),
    list_entries: z.array(namingEntry()),
    next_cursor: z.nullable(z.string()),
    warnings: warnings(),
  });

export const exportUserQuery = z.object({ cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(512))) });

export const forgetLabelsRequest = z.object({ reason: text(1, 4000) });

export const forgottenLabels = () =>
  z.object({
    user_id: z.string(),
    forgotten: z.object({ users: z.int(), devices: z.int(), cards: z.int() }),
    forgotten_at: timestamp(),
    warnings: warnings(),
  });
