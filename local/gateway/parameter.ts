import { CONTEXT_VARIABLES, type TemplateVariables } from './mapping-template';

/** What a header mapping may read from the request it answers. */
export interface ParameterSource {
  readonly variables: TemplateVariables;
  header(name: string): string | undefined;
  query(name: string): string | undefined;
}

export type Parameter = (source: ParameterSource) => string | undefined;

const KNOWN: ReadonlySet<string> = new Set(CONTEXT_VARIABLES);

/** The right side of a header mapping: a quoted literal, `context.…`, or a part of the method request. */
export function compileParameter(expression: string): Parameter {
  const literal = /^'(.*)'$/s.exec(expression)?.[1];
  if (literal !== undefined) return () => literal;
  if (KNOWN.has(expression)) return ({ variables }) => variables[expression];
  const [, part, name] = /^method\.request\.(header|querystring)\.(.+)$/.exec(expression) ?? [];
  if (!name) throw new Error(`the mapping expression ${expression} is not emulated`);
  return part === 'header' ? ({ header }) => header(name) : ({ query }) => query(name);
}
