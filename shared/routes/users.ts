import * as z from 'zod/mini';
import { linkGraph } from '../schemas/links';
import * as schemas from '../schemas/personal-data';
import { riskProfile } from '../schemas/screening';
import { chosenId, resourceId } from '../schemas/text';
import { getEvidenceRoute } from './decisions';
import { defineRoute } from './define-route';
import { listedDecisionExample, openCaseExample } from './examples';

export const getRiskProfileRoute = defineRoute('GET /v1/users/{user_id}/risk-profile', {
  operation: 'get-risk-profile',
  permission: 'read',
  tag: 'Users',
  summary: "Get a user's risk profile",
  description:
    'Everything the service knows about a user from past screenings, and their current risk. Devices are shown as short hashes. Counts over a window are estimates from bucketed counters; `amount_usd` is in US dollars at a rough rate. `by_time_of_day` has three-hour buckets of the day in UTC; it, the amounts by currency, countries, recent devices and the last place come from attempts that were allowed or approved.',
  params: z.object({ user_id: chosenId('user') }),
  success: {
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
        declines: { last_10m: 0, last_1h: 0, last_24h: 1, cards_last_24h: 1 },
        last_changes: [{ event_type: 'password_reset', at: '2026-11-13T18:04:12.000Z' }],
        last_place: { country: 'DE', network: 'residential', at: '2026-11-14T09:30:00.000Z' },
        by_time_of_day: [0, 0, 1, 6, 4, 5, 4, 1],
      },
    },
  },
  errors: ['not_found'],
});

const user = { id: 'n_Jx0cH1b7mQz4Yt2K', type: 'user', label: 'user-42', confirmed_fraud: false, users: 1 };
const device = { id: 'n_b7mQz4Yt2KJx0cH1', type: 'device', label: 'device b7mQz4', confirmed_fraud: true, users: 2 };
const other = { id: 'n_Yt2KJx0cH1b7mQz4', type: 'user', label: 'user Yt2KJx', confirmed_fraud: true, users: 1 };

export const getUserLinksRoute = defineRoute('GET /v1/users/{user_id}/links', {
  operation: 'get-user-links',
  family: 'explore',
  permission: 'read',
  tag: 'Users',
  summary: 'See who a user is connected with',
  description:
    'What the user was last seen with (devices, IP addresses, tracked attributes), and who else was seen with it: at most two hops and 50 nodes. The first node is the user. What more than 20 users share, such as an office, is shown but not walked through. `type` is `user`, `device`, `ip_address` or `attribute:<key>`; labels name nobody. `users` counts the last 30 to 60 days. `truncated` says that more is known than is shown. New links appear within two minutes.',
  params: z.object({ user_id: chosenId('user') }),
  success: {
    description: 'Nodes, and edges from users to what they used.',
    schema: linkGraph,
    example: {
      nodes: [user, device, other],
      edges: [
        { from: user.id, to: device.id, since: '2026-11-01T08:00:00.000Z' },
        { from: other.id, to: device.id, since: '2026-11-12T21:14:03.120Z' },
      ],
      truncated: false,
    },
  },
  errors: ['not_found'],
});

const PERSONAL_DATA = { family: 'explore', tag: 'Personal data' } as const;

export const exportUserRoute = defineRoute('POST /v1/users/{user_id}/export', {
  operation: 'export-user',
  ...PERSONAL_DATA,
  permission: 'personal_data',
  summary: 'Export what is held about a user',
  description:
    'The profile, every decision of the last 90 days with its outcomes, case and comments, the links, and the entries of lists that name the user, or a device, address or attribute value that nobody else was seen with. Other values of devices, addresses and attributes are not held and cannot be exported. Up to 200 decisions per response: pass `next_cursor` as `cursor` to get the next ones.',
  params: z.object({ user_id: chosenId('user') }),
  query: schemas.exportUserQuery,
  success: {
    description: 'Everything held, or its next part.',
    schema: schemas.userExport,
    example: {
      user_id: 'user-42',
      exported_at: '2026-11-14T09:30:00.000Z',
      profile: null,
      decisions: [listedDecisionExample],
      evidence: [getEvidenceRoute.success.example],
      cases: [openCaseExample],
      comments: [],
      links: null,
      counters: { refunds_per_user: 2 },
      list_entries: [
        {
          list: 'vips',
          value: 'user-42',
          reason: 'Customer since 2011',
          expires_at: null,
          added_at: '2026-10-02T08:00:00.000Z',
        },
      ],
      next_cursor: null,
    },
  },
  errors: ['not_found'],
});

export const forgetLabelsRoute = defineRoute('POST /v1/users/{user_id}/forget-labels', {
  operation: 'forget-labels',
  ...PERSONAL_DATA,
  permission: 'personal_data',
  summary: 'Take back what labels did to a victim',
  description:
    'After an account takeover the victim’s own user, devices and cards may count as fraudulent. This removes the fraud labels of the user, and of devices and cards that the user was allowed with in a screening that nobody labelled as fraud: what only the thief used keeps its labels. `reason` is kept with the time and who asked.',
  params: z.object({ user_id: chosenId('user') }),
  body: schemas.forgetLabelsRequest,
  success: {
    description: 'How much was taken back.',
    schema: schemas.forgottenLabels,
    example: {
      user_id: 'user-42',
      forgotten: { users: 1, devices: 1, cards: 0 },
      forgotten_at: '2026-11-14T09:30:00.000Z',
    },
  },
  errors: ['not_found'],
  requestExample: { reason: 'Account takeover, confirmed by phone' },
});

export const eraseUserRoute = defineRoute('DELETE /v1/users/{user_id}', {
  operation: 'erase-user',
  ...PERSONAL_DATA,
  permission: 'personal_data',
  summary: 'Erase a user',
  description:
    'The profile is gone at once; results, cases, comments, labels, list entries, webhook messages and links within 24 hours, and so are devices, addresses and attributes that nobody else was seen with. Confirmed fraud and entries of block lists about the user, and about devices and cards that nobody else used, stay by pseudonym alone for `label_window_days`; `everything=true` erases these too. What is screened afterwards is new. A record of the erasure remains, without the person’s data. An account may erase 1,000 users per day (UTC); after that the answer is 429.',
  params: z.object({ user_id: chosenId('user') }),
  query: schemas.eraseUserQuery,
  success: {
    status: 202,
    description: 'The erasure has begun; `GET /v1/erasures/{erasure_id}` tells how far it has come.',
    schema: schemas.requestedErasure,
    example: { erasure_id: 'era_01K9ZC3V5T8QJ4M2N6P7R8S9TB', keeps_fraud_evidence: true },
  },
  errors: ['not_found'],
});

export const getErasureRoute = defineRoute('GET /v1/erasures/{erasure_id}', {
  operation: 'get-erasure',
  ...PERSONAL_DATA,
  permission: 'personal_data',
  summary: 'See how far an erasure has come',
  description:
    'Names nobody. `erased` counts items by kind; `items_checked` counts what was read to find them. The erasure of a user who is not known is completed at once.',
  params: z.object({ erasure_id: resourceId('erasure', 'era') }),
  success: {
    description: 'The erasure.',
    schema: schemas.erasure,
    example: {
      erasure_id: 'era_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      status: 'completed',
      requested_at: '2026-11-14T09:30:00.000Z',
      requested_by: 'ana.silva',
      completed_at: '2026-11-14T09:41:12.000Z',
      keeps_fraud_evidence: true,
      items_checked: 48211,
      erased: { result: 12, link: 3, entity: 2 },
    },
  },
  errors: ['not_found'],
});
