import { defineRoute } from './define-route';

export const getDocsRoute = defineRoute('GET /docs', {
  operation: 'get-docs',
  permission: 'none',
  tag: 'Reference',
  summary: 'The reference as a web page',
  description: 'Self-contained; it loads nothing from third parties. No key required.',
  public: true,
  success: { description: 'A page.', contentType: 'text/html' },
});

export const getDocsScriptRoute = defineRoute('GET /docs/reference.js', {
  operation: 'get-docs-script',
  permission: 'none',
  tag: 'Reference',
  summary: 'The script of the reference page',
  description: 'Redoc, served here so that the page needs no other host. No key required.',
  public: true,
  success: { description: 'A script.', contentType: 'text/javascript' },
});

export const getOpenapiRoute = defineRoute('GET /openapi.json', {
  operation: 'get-openapi',
  permission: 'none',
  tag: 'Reference',
  summary: 'This description of the API',
  description: 'OpenAPI 3.1, generated from the schemas that validate requests. No key required.',
  public: true,
  success: { description: 'The OpenAPI document.' },
});
