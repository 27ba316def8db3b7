import * as z from 'zod/mini';
import { type Declarations, eventTypeOf, NO_DECLARATIONS } from '../../shared/domain/declarations/declaration';
import type { Subject } from '../../shared/domain/screening/subjects/attempt-of';
import { screenedSubject } from '../../shared/schemas/screened-subject';

const DAY_MS = 86_400_000;
/** Used if a line does not say when its label became known. */
const USUAL_DELAY_MS = 7 * DAY_MS;
/** Histories contain zero-amount card checks; a screening needs an amount, so they are replayed with the smallest one. */
const LEAST_AMOUNT = 0.01;

export const SPLITS = ['train', 'test', 'other'] as const;
export type SplitName = (typeof SPLITS)[number];

/** One attempt in a history: the request and its time, the label and when it became known. */
export interface HistoryLine {
  readonly at_ms: number;
  readonly kind: string;
  readonly account_id: string;
  readonly subject: Subject;
  /** Undefined if it never became known. */
  readonly label: 0 | 1 | undefined;
  readonly label_known_at_ms: number;
  /** `other` is sent but never evaluated. */
  readonly split: SplitName;
}

const envelope = z.object({
  t: z.union([z.string(), z.number()]),
  kind: z.optional(z.string()),
  account: z.optional(z.string()),
  body: z.record(z.string(), z.unknown()),
  label: z.optional(z.nullable(z.union([z.literal(0), z.literal(1)]))),
  label_t: z.optional(z.nullable(z.union([z.string(), z.number()]))),
  split: z.optional(z.enum(SPLITS)),
});

export class LineFault extends Error {
  override readonly name = 'LineFault';
}

/** Milliseconds of an ISO 8601 time or a number of seconds or milliseconds. */
export function timeOf(value: string | number, member: string): number {
  const ms = typeof value === 'number' ? (value < 1e11 ? value * 1000 : value) : Date.parse(value);
  if (!Number.isFinite(ms) || ms < 0) throw new LineFault(`${member}: "${value}" is not an ISO 8601 time`);
  return Math.round(ms);
}

/**
 * Reads one object of a history; event types besides the built-in ones are those declared.
 * @throws LineFault that says what is wrong with it
 */
export function historyLine(value: unknown, declared: Declarations = NO_DECLARATIONS): HistoryLine {
  const {
    t,
    kind = 'transaction',
    account = 'replay',
    body,
    label,
    label_t,
    split = 'train',
  } = checked(envelope, value, '');
  const at_ms = timeOf(t, 't');
  const { subject, issues } = screenedSubject(
    kind,
    kind === 'transaction' ? payment(body) : body,
    eventTypeOf(declared, kind),
  );
  if (!subject) throw faultOf(issues, 'body.');
  return {
    at_ms,
    kind,
    account_id: `acc_${account}`,
    subject,
    label: label ?? undefined,
    label_known_at_ms: label_t == null ? at_ms + USUAL_DELAY_MS : Math.max(at_ms, timeOf(label_t, 'label_t')),
    split,
  };
}

const payment = (body: Readonly<Record<string, unknown>>) =>
  body.amount === 0 ? { ...body, amount: LEAST_AMOUNT } : body;

function checked<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, path: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw faultOf(result.error.issues, path);
}

const faultOf = (issues: readonly z.core.$ZodIssue[], path: string): LineFault => {
  const faults = issues.map((issue) => `${path}${issue.path.join('.')}: ${issue.message}`);
  return new LineFault(faults.slice(0, 3).join('; '));
};

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length);
