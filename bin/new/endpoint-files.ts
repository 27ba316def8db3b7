import { camel, type EndpointNames, pascal, snake } from './endpoint-names';

/** Until it is replaced the endpoint answers 500; a test fails as long as a function says so. */
export const UNWIRED = 'no store is wired yet';

/** Files by their path from the root of the repository. */
export type NewFiles = Readonly<Record<string, string>>;

const schemaFile = ({ noun }: EndpointNames): string => `import * as z from 'zod/mini';
import { warnings } from './error';
import { timestamp } from './text';

/** A function: only OpenAPI and tests pay for the schema of an answer. */
export const ${camel(noun)} = () =>
  z.object({
    ${snake(noun)}_id: z.string(),
    created_at: timestamp(),
    warnings: warnings(),
  });
`;

const routeFile = ({ noun, plural, operation, method, path, params, verb }: EndpointNames): string => {
  // Bounded, so that nothing longer than a key of the table gets that far; `resourceId` is for IDs of our own.
  const shape = params.map((name) => `${name}: chosenId('${noun}')`).join(', ');
  const status = method === 'POST' ? 201 : 200;
  return `${params.length > 0 ? "import * as z from 'zod/mini';\n" : ''}import { ${camel(noun)} } from '../schemas/${noun}';
${params.length > 0 ? "import { chosenId } from '../schemas/text';\n" : ''}import { defineRoute } from './define-route';

export const ${verb}Route = defineRoute({
  operation: '${operation}',
  method: '${method}',
  path: '${path}',
  permission: '${method === 'GET' ? 'read' : 'webhooks'}',
  tag: '${pascal(plural)}',
  summary: '${operation.replace(/-/g, ' ').replace(/^./, (first) => first.toUpperCase())}',
  description: 'What a caller must know to use it.',
${params.length > 0 ? `  params: z.object({ ${shape} }),\n` : ''}  success: {
    status: ${status},
    description: 'The ${noun}.',
    schema: ${camel(noun)},
    example: { ${snake(noun)}_id: 'th_1', created_at: '2026-11-14T09:30:00.000Z' },
  },
  errors: ['not_found'],
});
`;
};

const useCaseFile = ({ noun, plural, verb, params }: EndpointNames): string => {
  const args = params.map((name) => `${camel(name.replace(/_/g, '-'))}: string`);
  const values = params.map((name) => camel(name.replace(/_/g, '-')));
  return `import type { Caller } from '../../domain/accounts/account';
import { notFound } from '../../domain/errors';

/** A ${noun}; it moves to shared/domain as soon as anything else knows of it. */
export interface ${pascal(noun)} {
  readonly id: string;
  readonly created_at_ms: number;
}

/** Dependencies of ${verb}. */
export interface ${pascal(verb)}Deps {
  readonly ${camel(plural)}: { find(${['accountId: string', ...args].join(', ')}): Promise<${pascal(noun)} | undefined> };
}

/** One sentence: what it does, and what it promises. */
export async function ${verb}(${[`deps: ${pascal(verb)}Deps`, 'caller: Caller', ...args].join(', ')}): Promise<${pascal(noun)}> {
  const found = await deps.${camel(plural)}.find(${['caller.account_id', ...values].join(', ')});
  if (!found) throw notFound('${noun}');
  return found;
}
`;
};

const presenterFile = ({ noun }: EndpointNames): string => `import type { AnswerOf } from '../../schemas/answer-of';
import type { ${camel(noun)} } from '../../schemas/${noun}';

/** What it is made of: a type of shared/domain, once there is one. */
interface Presented {
  readonly id: string;
  readonly created_at_ms: number;
}

export const ${camel(noun)}Answer = ({ id, created_at_ms }: Presented): AnswerOf<typeof ${camel(noun)}> => ({
  ${snake(noun)}_id: id,
  created_at: new Date(created_at_ms).toISOString(),
});
`;

const handlerFile = (names: EndpointNames): string => {
  const { noun, plural, operation, verb, capability, params } = names;
  const request = params.length > 0 ? '{ caller, params }' : '{ caller }';
  const call = [`${verb}(deps`, 'caller', ...params.map((name) => `params.${name}`)].join(', ');
  return `import { type EndpointDeps, endpoint } from '../../shared/http/endpoint';
import { ${camel(noun)}Answer } from '../../shared/http/presenters/${noun}-answer';
import { ${verb}Route } from '../../shared/routes/${operation}';
import { systemClock } from '../../shared/runtime/clock';
import { functionLogger } from '../../shared/runtime/logger';
import { type ${pascal(verb)}Deps, ${verb} } from '../../shared/usecases/${capability}/${operation}';

export const build = (deps: EndpointDeps & ${pascal(verb)}Deps) =>
  endpoint(${verb}Route, deps, async (${request}) => ${camel(noun)}Answer(await ${call})));

export const handler = build({
  clock: systemClock,
  log: functionLogger('${operation}'),
  ${camel(plural)}: { find: () => Promise.reject(new Error('${operation}: ${UNWIRED}')) },
});
`;
};

/** The first version of an endpoint's own files: it compiles, and answers once a store is wired. */
export const endpointFiles = (names: EndpointNames): NewFiles => ({
  [`shared/schemas/${names.noun}.ts`]: schemaFile(names),
  [`shared/routes/${names.operation}.ts`]: routeFile(names),
  [`shared/usecases/${names.capability}/${names.operation}.ts`]: useCaseFile(names),
  [`shared/http/presenters/${names.noun}-answer.ts`]: presenterFile(names),
  [`functions/http/${names.operation}.ts`]: handlerFile(names),
});

export const ACCESS_FILE = 'lib/function-access.ts';

/** The table of grants with a row for the operation, which grants nothing yet. */
export function withAccessRow(source: string, { operation }: EndpointNames): string {
  const before = "  'get-openapi': {},\n";
  if (!source.includes(before)) throw new Error(`${ACCESS_FILE} has no row of get-openapi to put the new one before`);
  return source.replace(before, `  '${operation}': {},\n${before}`);
}
