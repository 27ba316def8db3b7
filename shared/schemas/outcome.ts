import * as z from 'zod/mini';
import { OUTCOME_TYPES } from '../domain/outcomes/outside-outcome';
import { wasEverCurrency } from '../domain/screening/currency-rates';
import { warnings } from './conventions';
import { processorMembers } from './screening';
import { id, instant, reference, references, text, timestamp } from './text';

export const recordOutcomeRequest = z.object({
  subject_id: z.optional(text(1, 64)),
  reference: z.optional(reference()),
  type: z.enum(OUTCOME_TYPES),
  source_id: text(1, 128),
  reason_code: z.optional(text(1, 64)),
  network: z.optional(text(1, 32)),
  amount: z.optional(z.number().check(z.gt(0), z.lte(1e12))),
  currency: z.optional(
    z.string().check(
      z.toUpperCase(),
      z.refine((code) => wasEverCurrency(code), 'must be an ISO 4217 currency code such as EUR'),
    ),
  ),
  occurred_at: instant(),
  ...processorMembers(),
});

export const addReferencesRequest = z.object({ references: references().check(z.minLength(1)) });

const label = () => z.enum(['fraud', 'legitimate']);

export const recordedOutcome = () =>
  z.object({
    outcome_id: id('out'),
    /** Null while the reference is unknown. */
    subject_id: z.nullable(z.string()),
    type: z.enum(OUTCOME_TYPES),
    label: z.enum(['fraud', 'legitimate', 'none']),
    label_in_force: z.nullable(label()),
    applied: z.boolean(),
    recorded_at: timestamp(),
    warnings: warnings(),
  });

export const addedReferences = () =>
  z.object({
    transaction_id: id('txn'),
    references: z.array(z.string()),
    warnings: warnings(),
  });
