import * as z from 'zod/mini';
import type { LightgbmImport } from '../domain/models/import-lightgbm';
import { TRUST_STEPS } from '../domain/screening/score';

const head = { feature: z.string(), source: z.string() };
const scope = z.int();
const finite = z.number();
const codes = z.array(z.tuple([z.int(), finite]));
const amounts = z.array(z.tuple([z.int(), finite, finite.check(z.gt(0))]));

const column = z.discriminatedUnion('kind', [
  z.object({ ...head, kind: z.literal('number'), owner: z.optional(scope) }),
  z.object({ ...head, kind: z.literal('rate'), owner: z.optional(scope), codes }),
  z.object({ ...head, kind: z.literal('rank'), owner: z.optional(scope), codes }),
  z.object({ ...head, kind: z.literal('amount'), owner: z.optional(scope), codes: amounts }),
  z.object({ ...head, kind: z.literal('own_rate'), accounts: z.array(z.object({ scope, codes })) }),
]);

/** Metadata that LightGBM's `model.txt` lacks, as `training/python/train.py` writes it. */
const description = z.object({
  attributes: z.object({ columns: z.array(column) }),
  calibration: z.object({
    slope: finite.check(z.gt(0)),
    intercept: finite,
    role: z.literal('replace'),
  }),
  trust: z.object({ judged: z.record(z.string(), z.array(finite.check(z.gte(0))).check(z.length(TRUST_STEPS))) }),
  audience: z.optional(z.array(scope)),
  parent: z.nullable(z.string()),
  card: z.object({
    trained_at: z.string(),
    window: z.object({ from: z.string(), to: z.string() }),
    rows: z.int(),
    labels: z.object({ fraud: z.int(), legitimate: z.int() }),
    settings: z.record(z.string(), z.unknown()),
  }),
});

/**
 * Reads the description of a model that was trained elsewhere.
 * @throws Error that names the first invalid member
 */
export function parseDescription(text: string): LightgbmImport {
  const { data, error } = description.safeParse(JSON.parse(text));
  if (data) return data as LightgbmImport;
  const [issue] = error.issues;
  throw new Error(`model.json: ${issue?.path.join('.')}: ${issue?.message}`);
}
