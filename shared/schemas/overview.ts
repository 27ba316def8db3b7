import * as z from 'zod/mini';
import { warnings } from './error';
import { instant, timestamp } from './text';

export const overviewQuery = z.object({
  start_date: z.optional(instant),
  end_date: z.optional(instant),
});

const count = () => z.int().check(z.gte(0));
const decisions = () => ({ allow: count(), challenge: count(), review: count(), block: count() });
const confirmed = () => ({ confirmed_fraud: count(), confirmed_legitimate: count() });

export const overview = () =>
  z.object({
    start_date: timestamp(),
    end_date: timestamp(),
    interval: z.enum(['hour', 'day']),
    screenings: z.object({ total: count(), transactions: count(), events: count(), ...decisions() }),
    decisions: z.array(z.object({ at: timestamp(), ...decisions() })),
    scores: z.array(z.object({ from: z.int(), to: z.int(), ...decisions(), ...confirmed() })),
    signals: z.array(z.object({ signal: z.string(), count: count(), ...confirmed() })),
    outcomes: z.object({
      allow: z.object(confirmed()),
      challenge: z.object(confirmed()),
      review: z.object(confirmed()),
      block: z.object(confirmed()),
    }),
    cases: z.object({ opened: count(), open: count(), approved: count(), rejected: count(), expired: count() }),
    review_precision: z.nullable(z.number().check(z.gte(0), z.lte(1))),
    warnings: warnings(),
  });
