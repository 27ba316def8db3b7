/** A JSON schema, as far as the reference shows it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly unknown[];
  readonly parameters: ReadonlyArray<Parameter | Reference>;
  readonly requestBody?: { readonly content: { readonly 'application/json': Media } };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}

/** docs/openapi.json, as far as the reference shows it. */
export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly examples: Readonly<
      Record<string, { readonly summary: string; readonly value: { readonly error: { readonly code: string } } }>
    >;
  };
}

export const isReference = (value: object): value is Reference => '$ref' in value;

/** The document with every named schema, response and parameter in place of the references to it. */
export function withoutReferences<Document extends { readonly components: object }>(document: Document): Document {
  const components = document.components as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...others } = value as { readonly $ref?: unknown };
    const [, kind = '', name = ''] =
      typeof $ref === 'string' ? (/^#\/components\/(schemas|responses|parameters)\/([\w-]+)$/.exec($ref) ?? []) : [];
    if (name !== '') return { ...(walk(components[kind]?.[name]) as object), ...others };
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]));
  };
  return walk(document) as Document;
}
