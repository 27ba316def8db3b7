import { screenEventRequest, screenedEvent } from '../schemas/screening';
import { defineRoute } from './define-route';

export const screenEventRoute = defineRoute('POST /v1/events', {
  operation: 'screen-event',
  permission: 'screen',
  tag: 'Events',
  idempotency: 'claim',
  body: screenEventRequest(),
  success: { schema: screenedEvent },
});
