import { STAGES } from '../../shared/domain/stage';
import type { OpenapiDocument } from './openapi-document';
import { withoutReferences } from './openapi-document';

type Json = Record<string, unknown>;

interface Received {
  readonly post: {
    readonly summary: string;
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: Json } } };
  };
}

/** `webhook.test` is for an endpoint, and never on a bus. */
const isOnBus = (type: string): boolean => type !== 'webhook.test';

/**
 * The JSON Schema of what arrives from EventBridge: one alternative per event. The detail is the body of the webhook,
 * with the account that it belongs to.
 */
export function busEventSchema(document: OpenapiDocument): Json {
  const { webhooks } = withoutReferences(document) as unknown as {
    readonly webhooks: Readonly<Record<string, Received>>;
  };
  const events = Object.entries(webhooks).filter(([type]) => isOnBus(type));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of the Fraud Screening Service on an EventBridge bus',
    type: 'object',
    required: ['source', 'detail-type', 'detail'],
    properties: { source: { enum: STAGES.map((stage) => `fraud-screening.${stage}`) } },
    oneOf: events.map(([type, { post }]) => {
      const { properties, required, ...schema } = post.requestBody.content['application/json'].schema;
      const account_id = { type: 'string', description: 'The account that the event belongs to.' };
      const traceparent = {
        type: 'string',
        description: 'The trace of the request that was screened, if it sent one (W3C Trace Context).',
      };
      return {
        title: type,
        description: post.summary,
        properties: {
          'detail-type': { const: type },
          detail: {
            ...schema,
            properties: { account_id, traceparent, ...(properties as Json) },
            required: ['account_id', ...(required as string[])],
          },
        },
      };
    }),
  };
}
