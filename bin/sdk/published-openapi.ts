import { codeSamples } from '../../docs/site/code-samples';
import type { OpenapiDocument, Operation } from '../../docs/site/openapi-document';
import { webhookEvents } from '../../docs/site/webhook-events';
import { NEWEST_API_VERSION } from '../../shared/domain/api-version';
import { ROUTES } from '../../shared/routes';
import { openapiDocument } from '../../shared/routes/openapi';
import { answerName, requestName, schemaNames, withReferences } from './sdk-types';
import { withSharedComponents } from './shared-components';

type Json = Record<string, unknown>;

const asComponents = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', '"#/components/schemas/'));

/** The document as it is published: named schemas, what webhook endpoints receive, and code samples. */
export function publishedOpenapi(): OpenapiDocument {
  const document = JSON.parse(JSON.stringify(openapiDocument())) as OpenapiDocument & { components: { schemas: Json } };
  const names = schemaNames();
  // The document knows it as Error; the clients, where that name is taken, as ErrorBody.
  const { ErrorBody: _, ...schemas } = Object.fromEntries(
    [...names].map(([name, schema]) => [name, asComponents(withReferences(schema, names, name))]),
  );
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  for (const route of ROUTES) {
    if ('public' in route) continue;
    const method = route.method.toLowerCase();
    const operation = document.paths[route.path]?.[method] as Operation & { 'x-codeSamples'?: unknown };
    operation['x-codeSamples'] = codeSamples(route.method, route.path, operation);
    const request = operation.requestBody?.content['application/json'] as { schema: unknown } | undefined;
    if (request) request.schema = reference(requestName(route.operation));
    const answer = operation.responses[route.success.status]?.content?.['application/json'] as
      | { schema: unknown }
      | undefined;
    if (answer) answer.schema = reference(answerName(route.operation));
  }
  const { ErrorCode: _code, ...named } = schemas as Json;
  const components = { ...document.components, schemas: { ...named, ...document.components.schemas } };
  const whole = { ...document, webhooks: webhookEvents(NEWEST_API_VERSION), components };
  // As it is written: members that are undefined are not there.
  return withSharedComponents(JSON.parse(JSON.stringify(whole)) as OpenapiDocument);
}
