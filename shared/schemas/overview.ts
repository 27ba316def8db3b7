import * as z from 'zod/mini';
import { warnings } from './conventions';
import { instant, timestamp } from './text';

export const overviewQuery = z.object({
  start_date: z.optional(instant()),
  end_date: z.optional(instant()),
});

const count = () => z.int().check(z.gte(0));
const decisions = () => ({ allow: count(), challenge: count(), review: count(), block: count() });
const confirmed = () => ({ confirmed_fraud: count(), confirmed_legitimate: count() });

const share = () => z.nullable(z.number().check(z.gte(0), z.lte(1)));
const usd = () => z.number().check(z.gte(0));
const seconds = () => z.nullable(z.int().check(z.gte(0)));

/** The counts that can be compared with an earlier span. */
const totals = () => ({
  start_date: timestamp(),
  end_date: timestamp(),
  screenings: z.object({ total: count(), transactions: count(), events: count(), ...decisions() }),
  in_force: z.object(decisions()),
  money: z.object({ blocked_usd: usd(), held_usd: usd(), missed_usd: usd() }),
  missed_fraud: count(),
  cases: z.object({ opened: count(), open: count(), approved: count(), rejected: count(), expired: count() }),
  review_precision: share(),
  block_precision: share(),
});

export const overview = () =>
  z.object({
    ...totals(),
    interval: z.enum(['hour', 'day']),
    decisions: z.array(z.object({ at: timestamp(), ...decisions() })),
    scores: z.array(z.object({ from: z.int(), to: z.int(), ...decisions(), ...confirmed() })),
    signals: z.array(z.object({ signal: z.string(), count: count(), ...confirmed() })),
    outcomes: z.object({
      allow: z.object(confirmed()),
      challenge: z.object(confirmed()),
      review: z.object(confirmed()),
      block: z.object(confirmed()),
    }),
    desk: z.object({
      resolved: count(),
      within_hour: count(),
      average_seconds: seconds(),
      analysts: z.array(
        z.object({
          analyst: z.nullable(z.string()),
          resolved: count(),
          rejected: count(),
          average_seconds: seconds(),
        }),
      ),
    }),
    previous: z.nullable(z.object(totals())),
    warnings: warnings(),
  });
