import type { ErrorCode, Fault } from '../domain/errors';
import docs from './route-docs.json';

/** The reference's words about a route. */
export interface RouteDocs {
  readonly summary: string;
  readonly description: string;
  readonly success: string;
  /** Description of the 201 (`Created`, same schema) of a PUT that creates. @default it never creates */
  readonly created?: string;
  /** Description of a 202 with the same schema. @default there is none */
  readonly accepted?: string;
  /** An example of the body. */
  readonly request?: unknown;
  readonly example?: unknown;
}

export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = docs.tags;

/** When every error code is returned, and a response, word for word; a test provokes and compares them. */
export const ERROR_DOCS: Readonly<
  Record<ErrorCode, { readonly when: string; readonly message: string; readonly details?: readonly Fault[] }>
> = docs.errors;

const EXAMPLES: Readonly<Record<string, unknown>> = docs.examples;

/** Several routes show the same example: `$example` names it, and members next to it replace or follow its own. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const { $example, ...own } = value as { readonly $example?: string };
  const members = Object.entries(own).map(([name, member]) => [name, resolved(member)]);
  return {
    ...($example === undefined ? {} : (resolved(EXAMPLES[$example]) as object)),
    ...Object.fromEntries(members),
  };
}

export const routeDocs = (operation: string): RouteDocs =>
  resolved((docs.routes as Readonly<Record<string, unknown>>)[operation]) as RouteDocs;
