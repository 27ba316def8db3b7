import { defineRoute } from './define-route';

export const getDocsRoute = defineRoute('GET /docs', {
  operation: 'get-docs',
  permission: 'none',
  tag: 'Reference',
  public: true,
  success: { contentType: 'text/html' },
});

export const getDocsScriptRoute = defineRoute('GET /docs/reference.js', {
  operation: 'get-docs-script',
  permission: 'none',
  tag: 'Reference',
  public: true,
  success: { contentType: 'text/javascript' },
});

export const getOpenapiRoute = defineRoute('GET /openapi.json', {
  operation: 'get-openapi',
  permission: 'none',
  tag: 'Reference',
  public: true,
  success: {},
});
