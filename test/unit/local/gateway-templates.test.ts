// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are API Gateway's.
import { compileParameter, compileTemplate, gatewayResponses } from '../../../local/gateway/gateway-responses';
import { mockIntegration } from '../../../local/gateway/rest-api';
import type { StackResource } from '../../../local/template/resolve-stack';

const source = (headers: Record<string, string> = {}) => ({
  variables: { 'context.requestId': 'r-1' },
  header: (name: string) => headers[name.toLowerCase()],
  query: () => undefined,
});

const response = (properties: Record<string, unknown>): StackResource => ({
  logicalId: 'Response',
  type: 'AWS::ApiGateway::GatewayResponse',
  name: 'Response',
  properties,
  ref: 'response',
  attribute: () => '',
});

describe('mapping templates', () => {
  it.each([
    ['{"id":"$context.requestId"}', '{"id":"r-1"}'],
    ['{"id":"${context.requestId}x"}', '{"id":"r-1x"}'],
    ['$!context.requestId costs $5', 'r-1 costs $5'],
    ['{"statusCode":405}', '{"statusCode":405}'],
  ])('%s', (template, expected) => {
    expect(compileTemplate(template)({ 'context.requestId': 'r-1' })).toBe(expected);
  });

  it.each(['#set($a = 1)', "$input.path('$.a')", '$context.unheard', '$util.escapeJavaScript($context.path)'])(
    'fails on what it would have to guess: %s',
    (template) => {
      expect(() => compileTemplate(template)).toThrow('is not emulated');
    },
  );
});

describe('header mappings', () => {
  it.each([
    ["'literal, with comma'", 'literal, with comma'],
    ['context.requestId', 'r-1'],
    ['method.request.header.Origin', 'https://a.example'],
    ['method.request.header.Absent', undefined],
  ])('%s', (expression, expected) => {
    expect(compileParameter(expression)(source({ origin: 'https://a.example' }))).toBe(expected);
  });

  it('fails on another expression', () => {
    expect(() => compileParameter('stageVariables.x')).toThrow(
      'the mapping expression stageVariables.x is not emulated',
    );
  });
});

describe('gateway responses', () => {
  const envelope = { 'application/json': '{"code":"$context.error.responseType","text":$context.error.messageString}' };
  const answer = gatewayResponses([
    response({ ResponseType: 'DEFAULT_4XX', ResponseTemplates: envelope }),
    response({
      ResponseType: 'THROTTLED',
      StatusCode: '429',
      ResponseParameters: { 'gatewayresponse.header.Retry-After': "'1'" },
    }),
    response({ ResponseType: 'MISSING_AUTHENTICATION_TOKEN', StatusCode: '404', ResponseTemplates: envelope }),
  ]);

  it('uses the response of the type', () => {
    expect(answer('MISSING_AUTHENTICATION_TOKEN', source())).toMatchObject({
      status: 404,
      body: '{"code":"MISSING_AUTHENTICATION_TOKEN","text":"Missing Authentication Token"}',
    });
    expect(answer('THROTTLED', source())).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '1' },
      body: '{"message":"Too Many Requests"}',
    });
  });

  it('falls back to the default of the class, with the status of the type', () => {
    expect(answer('UNAUTHORIZED', source())).toMatchObject({
      status: 401,
      body: '{"code":"UNAUTHORIZED","text":"Unauthorized"}',
    });
    expect(answer('INTEGRATION_TIMEOUT', source())).toMatchObject({
      status: 504,
      body: '{"message":"Endpoint request timed out"}',
    });
  });

  it('fails at start on a template it cannot fill', () => {
    const odd = response({
      ResponseType: 'DEFAULT_5XX',
      ResponseTemplates: { 'application/json': '$context.unheard' },
    });
    expect(() => gatewayResponses([odd])).toThrow('Response (AWS::ApiGateway::GatewayResponse) cannot run here');
  });
});

describe('mock integrations', () => {
  const integration = {
    RequestTemplates: { 'application/json': '{"statusCode":405}' },
    IntegrationResponses: [
      {
        StatusCode: '405',
        SelectionPattern: '405',
        ResponseTemplates: { 'application/json': '{"id":"$context.requestId"}' },
        ResponseParameters: { 'method.response.header.Allow': "'GET, POST'" },
      },
    ],
  };
  const declared = [{ StatusCode: '405', ResponseParameters: { 'method.response.header.Allow': true } }];

  it('answers with the template of the chosen status', () => {
    expect(mockIntegration(integration, declared)(source(), '')).toEqual({
      status: 405,
      headers: { 'content-type': 'application/json', Allow: 'GET, POST' },
      body: '{"id":"r-1"}',
    });
  });

  it.each([
    ['NEVER', 'UNSUPPORTED_MEDIA_TYPE'],
    ['WHEN_NO_TEMPLATES', 'UNSUPPORTED_MEDIA_TYPE'],
    ['WHEN_NO_MATCH', 'API_CONFIGURATION_ERROR'],
  ] as const)('treats another media type as AWS does when passing through %s', (PassthroughBehavior, expected) => {
    const mock = mockIntegration({ ...integration, PassthroughBehavior }, declared);
    expect(mock(source({ 'content-type': 'text/plain' }), 'hello')).toBe(expected);
  });

  it('fails at start on what AWS refuses to deploy', () => {
    expect(() => mockIntegration(integration, [])).toThrow('no method response declares the status 405');
    expect(() => mockIntegration(integration, [{ StatusCode: '405' }])).toThrow(
      'does not declare method.response.header.Allow',
    );
  });
});
