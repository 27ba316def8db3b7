import { UsageError } from '../../shared/cli/command-line';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** The names that the files of an endpoint are derived from. */
export interface EndpointNames {
  readonly method: Method;
  readonly path: string;
  /** `get-thing` */
  readonly operation: string;
  /** `getThing` */
  readonly verb: string;
  /** `thing` */
  readonly noun: string;
  /** `things`; also the folder of the use case, unless another is given. */
  readonly plural: string;
  readonly capability: string;
  /** Names in the path: `id`. */
  readonly params: readonly string[];
}

const PATH = /^\/v1(\/([a-z][a-z-]*|\{[a-z_]+\}))+$/;

const singular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.endsWith('s') ? word.slice(0, -1) : word;

export const camel = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export const snake = (name: string): string => name.replace(/-/g, '_');

export const pascal = (name: string): string => camel(`-${name}`);

/** Names an endpoint after its method and path: `GET /v1/things/{id}` is `get-thing`. */
export function endpointNames(method: string, path: string, capability?: string): EndpointNames {
  const known = METHODS.find((each) => each === method.toUpperCase());
  if (!known) throw new UsageError(`The method is one of ${METHODS.join(', ')}, not ${method}.`);
  if (!PATH.test(path)) throw new UsageError(`A path looks like /v1/things/{id}, not like ${path}.`);
  const segments = path.split('/').slice(2);
  const plural = segments.findLast((segment) => !segment.startsWith('{'));
  if (!plural) throw new UsageError(`The path ${path} names nothing but parameters.`);
  const noun = singular(plural);
  const isOne = segments.at(-1)?.startsWith('{') ?? false;
  const verbs = { GET: isOne ? 'get' : 'list', POST: 'create', PUT: 'update', DELETE: 'delete' } as const;
  const operation = `${verbs[known]}-${verbs[known] === 'list' ? plural : noun}`;
  const params = segments.filter((segment) => segment.startsWith('{')).map((segment) => segment.slice(1, -1));
  return {
    ...{ method: known, path, operation, noun, plural, params },
    verb: camel(operation),
    capability: capability ?? plural,
  };
}
