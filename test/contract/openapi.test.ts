import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { apiReference } from '../../docs/site/api-reference';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { openapiDocument } from '../../shared/routes/openapi';
import { ofType, pathOf, resourcesOf } from '../support/template';

const committed = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8'));

describe('docs/openapi.json', () => {
  it('is fresh: run `npm run openapi` after changing a route or schema', () => {
    expect(committed).toEqual(JSON.parse(JSON.stringify(openapiDocument())));
  });

  it('is what docs/guide/api.md shows: `npm run openapi` writes both', () => {
    expect(readFileSync(join(__dirname, '../../docs/guide/api.md'), 'utf8')).toBe(apiReference(committed));
  });

  it.each([
    ['rate_limited', 'THROTTLED'],
    ['unavailable', 'INTEGRATION_FAILURE'],
    ['internal_error', 'DEFAULT_5XX'],
  ])('shows %s in the words of the gateway', (code, type) => {
    const answers = ofType(resourcesOf('FraudScreening-sandbox'), 'AWS::ApiGateway::GatewayResponse');
    const { Properties } = answers.find(({ Properties: { ResponseType } }) => ResponseType === type) ?? answers[0]!;
    const { message } = JSON.parse(Properties.ResponseTemplates['application/json']).error;
    expect(committed.components.examples[code].value.error).toMatchObject({ code, message });
  });

  it.each(['sandbox', 'production'])('describes every route that %s deploys, and no other', (stage) => {
    const resources = resourcesOf(`FraudScreening-${stage}`);
    const methods = ofType(resources, 'AWS::ApiGateway::Method').map(({ Properties }) => ({
      method: Properties.HttpMethod as string,
      path: pathOf(resources, Properties.ResourceId),
      isServed: Properties.Integration.Type === 'AWS_PROXY',
    }));
    // The function of a family gets every method of a path; which of them it answers is in the route table.
    const ofFamilies = new Set(
      methods.filter(({ method, isServed }) => method === 'ANY' && isServed).map(({ path }) => path),
    );
    const routesThere = (ROUTES as readonly Route[]).filter(({ path }) => ofFamilies.has(path));
    const deployed = [...methods.filter(({ method }) => method !== 'ANY'), ...routesThere].map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect([...ofFamilies].filter((path) => !committed.paths[path])).toEqual([]);
    const described = Object.entries<object>(committed.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(deployed.sort());
  });

  it.each(ROUTES.filter(({ success }) => success.status !== 204).map((route) => [route.operation, route] as const))(
    '%s: its examples are what its schemas say',
    (_name, route) => {
      const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
      const operation = committed.paths[route.path][route.method.toLowerCase()];
      const pairs = [
        operation.requestBody?.content['application/json'],
        operation.responses[route.success.status].content?.['application/json'],
      ].filter((media) => media?.example !== undefined);
      for (const { schema, example } of pairs) {
        const valid = ajv.validate(schema, example);
        expect(ajv.errors ?? []).toEqual([]);
        expect(valid).toBe(true);
      }
      if (!route.public) expect(pairs.length).toBeGreaterThan(0);
    },
  );
});
