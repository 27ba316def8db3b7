import * as z from 'zod/mini';
import { type AfdMapping, completeMapping } from '../domain/afd/afd-mapping';
import { AFD_TARGET } from '../domain/afd/afd-target';
import { EVENT_ACTIONS } from '../domain/entities/entity-history';

const labels = z.optional(z.array(z.string()).check(z.maxLength(100)));
const name = z.string().check(z.regex(/^[0-9A-Za-z_-]{1,64}$/, 'must have 1 to 64 letters, digits, _ or -'));
const columns = z.optional(z.record(z.string(), z.string().check(z.regex(AFD_TARGET, 'is not a field of the body'))));
const kind = z.optional(
  z.enum(['transaction', ...EVENT_ACTIONS], `must be one of transaction, ${EVENT_ACTIONS.join(', ')}`),
);

export const afdMappingFile = z.strictObject({
  kind,
  currency: z.optional(z.string().check(z.regex(/^[A-Za-z]{3}$/, 'must be a currency code such as EUR'))),
  fraud_labels: labels,
  legitimate_labels: labels,
  columns,
  event_types: z.optional(
    z.record(
      name,
      z.strictObject({ kind, detector: z.optional(name), entity_types: z.optional(z.array(name)), columns }),
    ),
  ),
  outcomes: z.optional(
    z.strictObject({
      allow: z.optional(name),
      challenge: z.optional(name),
      review: z.optional(name),
      block: z.optional(name),
    }),
  ),
  detectors: z.optional(z.array(name).check(z.maxLength(100))),
  model: z.optional(name),
});

/**
 * A mapping from the text of its file.
 * @throws Error that names the invalid field
 */
export function parseAfdMapping(text: string, source: string): AfdMapping {
  const result = afdMappingFile.safeParse(JSON.parse(text));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`${source}: ${issue?.path.join('.') || 'the mapping'} ${issue?.message}`);
  }
  return completeMapping(result.data);
}
