import { overview, overviewQuery } from '../schemas/overview';
import { defineRoute } from './define-route';

export const getOverviewRoute = defineRoute('GET /v1/overview', {
  operation: 'get-overview',
  permission: 'read',
  tag: 'Overview',
  query: overviewQuery,
  success: { schema: overview },
});
