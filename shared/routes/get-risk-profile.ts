import * as z from 'zod/mini';
import { riskProfile } from '../schemas/screening';
import { defineRoute } from './define-route';

export const getRiskProfileRoute = defineRoute({
  operation: 'get-risk-profile',
  method: 'GET',
  path: '/v1/users/{user_id}/risk-profile',
  tag: 'Users',
  summary: "Get a user's risk profile",
  description:
    'What the service knows of a user from everything screened so far, and the risk as of now. Devices are shown as short hashes. Counts over 24 hours and 7 days are estimates from bucketed counters.',
  params: z.object({ user_id: z.string() }),
  success: {
    status: 200,
    description: 'The profile.',
    schema: riskProfile,
    example: {
      user_id: 'user-42',
      risk_score: 5,
      risk_level: 'low',
      signals: [],
      first_seen_at: '2026-10-01T08:00:00.000Z',
      last_seen_at: '2026-11-14T09:30:00.000Z',
      transactions: {
        count: 12,
        allowed: 11,
        reviewed: 1,
        blocked: 0,
        amount_by_currency: { EUR: 812.4 },
        last_24h: 1,
        last_7d: 3,
      },
      events: { count: 9, by_type: { login: 8, signup: 1 } },
      devices: { count: 2, recent: [{ device: 'k3Jd9a', last_seen_at: '2026-11-14T09:30:00.000Z' }] },
      ip_addresses: { count: 3, countries: ['DE'] },
      outcomes: { confirmed_fraud: 0, confirmed_legitimate: 1 },
    },
  },
  errors: ['not_found'],
});
