import * as z from 'zod/mini';
import { comment, commentRequest } from '../schemas/desk';
import { resourceId } from '../schemas/text';
import { defineRoute } from './define-route';

export const commentCaseRoute = defineRoute({
  operation: 'comment-case',
  family: 'desk',
  method: 'POST',
  path: '/v1/cases/{id}/comments',
  permission: 'cases',
  tag: 'Cases',
  summary: 'Comment on a case',
  description:
    'In any state of the case. Comments are on its timeline, are never changed, and go with the case after 90 days. At most 200 per case.',
  idempotency: 'answer',
  params: z.object({ id: resourceId('case', 'case') }),
  body: commentRequest,
  success: {
    status: 201,
    description: 'The comment.',
    schema: comment,
    example: {
      comment_id: 'cmt_01K9ZC8M2S4VXW6Y8ZABCDEFGH',
      case_id: 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
      text: 'Called the cardholder: no answer.',
      actor: 'ana.silva',
      at: '2026-11-14T09:32:40.000Z',
    },
  },
  errors: [
    'not_found',
    'idempotency_in_progress',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_mismatch',
  ],
  requestExample: { text: 'Called the cardholder: no answer.', analyst_id: 'ana.silva' },
});
