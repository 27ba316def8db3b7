import { defineRoute } from './define-route';

export const getOpenapiRoute = defineRoute({
  operation: 'get-openapi',
  method: 'GET',
  path: '/openapi.json',
  permission: 'none',
  tag: 'Reference',
  summary: 'This description of the API',
  description: 'OpenAPI 3.1, generated from the schemas that validate requests. No key required.',
  public: true,
  success: { status: 200, description: 'The OpenAPI document.' },
  errors: [],
});
