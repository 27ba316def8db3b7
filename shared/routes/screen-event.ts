import { screenEventRequest, screenedEvent } from '../schemas/screening';
import { defineRoute } from './define-route';

export const screenEventRoute = defineRoute({
  operation: 'screen-event',
  method: 'POST',
  path: '/v1/events',
  permission: 'screen',
  tag: 'Events',
  summary: 'Screen a user action other than a payment',
  description:
    'Logins, signups, password resets and account changes. They are scored, and later screenings take them into account.',
  idempotency: 'claim',
  body: screenEventRequest,
  success: {
    status: 200,
    description: 'The result, with its explanation.',
    schema: screenedEvent,
    example: {
      event_id: 'evt_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      decision_id: 'dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      event_type: 'login',
      user_id: 'user-42',
      risk_score: 5,
      risk_level: 'low',
      decision: 'allow',
      decided_by: { kind: 'score', name: null },
      rules: [],
      lists: [],
      signals: [],
      explanation: { base: 5, contributions: [] },
      model_version: 'rules-1',
      case_id: null,
      screened_at: '2026-11-14T09:30:00.000Z',
    },
  },
  errors: ['idempotency_in_progress', 'payload_too_large', 'unsupported_media_type', 'idempotency_mismatch'],
  requestExample: {
    event_type: 'login',
    user_id: 'user-42',
    outcome: 'failed',
    ip_address: '203.0.113.7',
    device_fingerprint: 'fp_3f9c2a',
  },
});
