import { overview, overviewQuery } from '../schemas/overview';
import { defineRoute } from './define-route';

const unlabelled = { confirmed_fraud: 0, confirmed_legitimate: 0 };

const totals = {
  start_date: '2026-11-14T09:00:00.000Z',
  end_date: '2026-11-14T10:00:00.000Z',
  screenings: { total: 212, transactions: 140, events: 72, allow: 206, challenge: 0, review: 4, block: 2 },
  in_force: { allow: 207, challenge: 0, review: 1, block: 4 },
  money: { blocked_usd: 912.4, held_usd: 129.9, missed_usd: 64.9 },
  missed_fraud: 1,
  cases: { opened: 4, open: 1, approved: 1, rejected: 2, expired: 0 },
  review_precision: 0.6667,
  block_precision: 1,
};

export const getOverviewRoute = defineRoute('GET /v1/overview', {
  operation: 'get-overview',
  permission: 'read',
  tag: 'Overview',
  summary: 'Get the account overview',
  description:
    'Decisions over time, scores, signals, and review results. The default is the last seven days. The span is widened to whole hours, or to whole days (UTC) when it starts more than eight days back; `start_date` and `end_date` in the response say what it covers. Labels and cases count at the time of their screening. Screenings and labels appear within about a minute; `cases` is exact immediately. `review_precision` is the share of resolved cases that were rejected, `block_precision` the share of fraud among automatic blocks whose outcome is known. `in_force` counts decisions as they stand now; `GET /v1/decisions` lists the same ones. Money is in US dollars at rough rates, by the decision in force. `previous` has the same totals a week earlier, or for the days before where the span is shown in days; null beyond 90 days.',
  query: overviewQuery,
  success: {
    description: 'The overview.',
    schema: overview,
    example: {
      ...totals,
      interval: 'hour',
      decisions: [{ at: '2026-11-14T09:00:00.000Z', allow: 206, challenge: 0, review: 4, block: 2 }],
      scores: [
        { from: 0, to: 4, allow: 31, challenge: 0, review: 0, block: 0, ...unlabelled },
        { from: 60, to: 64, allow: 0, challenge: 0, review: 4, block: 0, confirmed_fraud: 2, confirmed_legitimate: 1 },
      ],
      signals: [{ signal: 'new_device', count: 18, confirmed_fraud: 2, confirmed_legitimate: 0 }],
      outcomes: {
        allow: { confirmed_fraud: 1, confirmed_legitimate: 0 },
        challenge: unlabelled,
        review: { confirmed_fraud: 2, confirmed_legitimate: 1 },
        block: { confirmed_fraud: 1, confirmed_legitimate: 0 },
      },
      desk: {
        resolved: 3,
        within_hour: 2,
        average_seconds: 1_260,
        analysts: [{ analyst: 'ana.silva', resolved: 3, rejected: 2, average_seconds: 1_260 }],
      },
      previous: {
        ...totals,
        start_date: '2026-11-07T09:00:00.000Z',
        end_date: '2026-11-07T10:00:00.000Z',
      },
    },
  },
});
