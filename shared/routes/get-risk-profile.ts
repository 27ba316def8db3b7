import * as z from 'zod/mini';
import { riskProfile } from '../schemas/screening';
import { chosenId } from '../schemas/text';
import { defineRoute } from './define-route';

export const getRiskProfileRoute = defineRoute({
  operation: 'get-risk-profile',
  method: 'GET',
  path: '/v1/users/{user_id}/risk-profile',
  permission: 'read',
  tag: 'Users',
  summary: "Get a user's risk profile",
  description:
    'Everything the service knows about a user from past screenings, and their current risk. Devices are shown as short hashes. Counts over a window are estimates from bucketed counters; `amount_usd` is in US dollars at a rough rate. `by_time_of_day` has three-hour buckets of the day in UTC; it, the amounts by currency, countries, recent devices and the last place come from attempts that were allowed or approved.',
  params: z.object({ user_id: chosenId('user') }),
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
      recent_activity: {
        transactions: {
          last_10m: { count: 1, amount_usd: 141.2 },
          last_1h: { count: 1, amount_usd: 141.2 },
          last_24h: { count: 1, amount_usd: 141.2 },
          last_7d: { count: 3, amount_usd: 203.5 },
          last_30d: { count: 9, amount_usd: 640 },
        },
        failed_logins: { last_10m: 0, last_1h: 0, last_24h: 0 },
        last_changes: [{ event_type: 'password_reset', at: '2026-11-13T18:04:12.000Z' }],
        last_place: { country: 'DE', network: 'residential', at: '2026-11-14T09:30:00.000Z' },
        by_time_of_day: [0, 0, 1, 6, 4, 5, 4, 1],
      },
    },
  },
  errors: ['not_found'],
});
