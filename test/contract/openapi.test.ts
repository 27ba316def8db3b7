import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { publishedOpenapi, withSharedComponents } from '../../bin/sdk/published-openapi';
import { apiReference } from '../../docs/site/api-reference';
import { busEventSchema } from '../../docs/site/bus-events';
import { withoutReferences } from '../../docs/site/openapi-document';
import { EVENT_TYPES } from '../../shared/domain/webhooks/webhook-endpoint';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { ofType, pathOf, resourcesOf } from '../support/template';

const committed = JSON.parse(readFileSync(join(__dirname, '../../docs/openapi.json'), 'utf8'));

const described = withoutReferences(committed);

interface Field {
  readonly path: string;
  readonly field: { readonly description?: string; readonly examples?: readonly unknown[] };
}

/** Every property of every schema, wherever it is used. */
function fieldsOf(value: unknown, path = ''): Field[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {} } = value as { properties?: Record<string, Field['field']> };
  const own = Object.entries(properties).map(([name, field]) => ({ path: `${path}/${name}`, field }));
  const inner = Object.entries(value).flatMap(([name, each]) =>
    name === 'example' || name === 'examples' ? [] : fieldsOf(each, `${path}/${name}`),
  );
  return [...own, ...inner];
}

it('shared/routes/index.ts lists every route that a file next to it defines', () => {
  const folder = join(__dirname, '../../shared/routes');
  const [index = '', ...files] = readdirSync(folder)
    .sort((a, b) => Number(b === 'index.ts') - Number(a === 'index.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  const defined = files.flatMap((text) => [...text.matchAll(/^export const (\w+Route) = defineRoute\(/gm)]);
  expect(defined.length).toBe(ROUTES.length);
  expect(defined.filter(([, name]) => !index.includes(`.${name},\n`)).map(([, name]) => name)).toEqual([]);
});

describe('docs/openapi.json', () => {
  it('has a description and an example for every field (shared/routes/field-descriptions.json)', () => {
    const fields = fieldsOf({
      paths: described.paths,
      webhooks: described.webhooks,
      error: described.components.schemas.Error,
    });
    expect(fields.length).toBeGreaterThan(500);
    expect(fields.filter(({ field }) => !field.description).map(({ path }) => path)).toEqual([]);
    const lacking = fields.filter(({ field }) => field.examples === undefined && !('properties' in field));
    expect(lacking.map(({ path }) => path)).toEqual([]);
  });

  it('names every schema, shows every call in three languages, and says what webhook endpoints receive', () => {
    for (const { operation, path, method, success, ...route } of ROUTES) {
      if ('public' in route) continue;
      const { requestBody, responses, ...rest } = committed.paths[path][method.toLowerCase()];
      expect([operation, rest['x-codeSamples'].map(({ label }: { label: string }) => label)]).toEqual([
        operation,
        ['curl', 'TypeScript', 'Python'],
      ]);
      const schemas = [requestBody, success.status === 204 ? undefined : responses[success.status]].filter(Boolean);
      for (const { content } of schemas)
        expect(content['application/json'].schema.$ref).toMatch(/^#\/components\/schemas\/\w+$/);
    }
    expect(Object.keys(committed.webhooks).sort()).toEqual([...EVENT_TYPES, 'webhook.test'].sort());
  });

  it('is fresh: run `npm run openapi` after changing a route or schema', () => {
    expect(committed).toEqual(JSON.parse(JSON.stringify(publishedOpenapi())));
  });

  it('says what it repeats once, under a name, and means the same', () => {
    const { components: _before, ...spelledOut } = described;
    const shared = withSharedComponents(described);
    const { components: _after, ...means } = withoutReferences(shared);
    expect(means).toEqual(spelledOut);
    const lengthOf = (document: object) => JSON.stringify(document).length;
    expect(lengthOf(shared.paths)).toBeLessThan(lengthOf(described.paths) / 2);
    const errors = (Object.values(committed.paths) as Record<string, { responses: Record<string, object> }>[])
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses }) => Object.entries(responses).filter(([status]) => status >= '400'));
    expect(errors.filter(([, response]) => !('$ref' in response))).toEqual([]);
  });

  it('is what docs/bus-events.schema.json is made from: `npm run openapi` writes both', () => {
    const schema = JSON.parse(readFileSync(join(__dirname, '../../docs/bus-events.schema.json'), 'utf8'));
    expect(schema).toEqual(JSON.parse(JSON.stringify(busEventSchema(committed))));
    expect(schema.oneOf.map(({ title }: { title: string }) => title).sort()).toEqual([...EVENT_TYPES].sort());
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
    // Amazon Fraud Detector's protocol is described by its own client, not by our document.
    expect(described.sort()).toEqual(deployed.filter((route) => route !== 'POST /afd').sort());
  });

  it.each(ROUTES.filter(({ success }) => success.status !== 204).map((route) => [route.operation, route] as const))(
    '%s: its examples are what its schemas say',
    (_name, route) => {
      const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
      const operation = described.paths[route.path][route.method.toLowerCase()];
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
