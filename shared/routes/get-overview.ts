import { overview, overviewQuery } from '../schemas/overview';
import { defineRoute } from './define-route';

const unlabelled = { confirmed_fraud: 0, confirmed_legitimate: 0 };

export const getOverviewRoute = defineRoute({
  operation: 'get-overview',
  method: 'GET',
  path: '/v1/overview',
  permission: 'read',
  tag: 'Overview',
  summary: 'Get the account overview',
  description:
    'Decisions over time, scores, signals, and review results. The default is the last seven days. The span is widened to whole hours, or to whole days (UTC) when it starts more than eight days back; `start_date` and `end_date` in the response say what it covers. Labels and cases count at the time of their screening. Screenings and labels appear within about a minute; `cases` is exact immediately. `review_precision` is the share of resolved cases that were rejected.',
  query: overviewQuery,
  success: {
    status: 200,
    description: 'The overview.',
    schema: overview,
    example: {
      start_date: '2026-11-14T09:00:00.000Z',
      end_date: '2026-11-14T10:00:00.000Z',
      interval: 'hour',
      screenings: { total: 212, transactions: 140, events: 72, allow: 206, challenge: 0, review: 4, block: 2 },
      decisions: [{ at: '2026-11-14T09:00:00.000Z', allow: 206, challenge: 0, review: 4, block: 2 }],
      scores: [
        { from: 0, to: 4, allow: 31, challenge: 0, review: 0, block: 0, ...unlabelled },
        { from: 60, to: 64, allow: 0, challenge: 0, review: 4, block: 0, confirmed_fraud: 2, confirmed_legitimate: 1 },
      ],
      signals: [{ signal: 'new_device', count: 18, confirmed_fraud: 2, confirmed_legitimate: 0 }],
      outcomes: {
        allow: unlabelled,
        challenge: unlabelled,
        review: { confirmed_fraud: 2, confirmed_legitimate: 1 },
        block: unlabelled,
      },
      cases: { opened: 4, open: 1, approved: 1, rejected: 2, expired: 0 },
      review_precision: 0.6667,
    },
  },
  errors: [],
});
