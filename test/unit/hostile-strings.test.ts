import type { APIGatewayProxyEvent } from 'aws-lambda';
import { DomainError } from '../../shared/domain/errors';
import { parseInput } from '../../shared/http/parse-input';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { openapi } from '../support/openapi-validator';

const BYTES = 100_000;
/** What makes a matcher look twice: runs of one character, of two, and all but the end of something that fits. */
const PATTERNS = [
  'a',
  '0',
  '.',
  ':',
  '0.',
  'a:',
  '-1e',
  '[',
  '\\',
  ' ',
  'ä',
  '🦊',
  '%',
  '{"',
  'https://a.',
  '::1',
  '2026-',
];
const HOSTILE = PATTERNS.map((pattern) => `${pattern.repeat(BYTES / pattern.length)}!`);
const LIMIT_MS = 20;
const TRIES = 4;

interface Field {
  readonly name: string;
  readonly event: (text: string) => Partial<APIGatewayProxyEvent>;
}

/** Every place of a request that takes a text. */
function fieldsOf(route: Route): Field[] {
  const described = openapi.paths[route.path][route.method.toLowerCase()];
  const example = (route.requestExample ?? {}) as Record<string, unknown>;
  const body = described.requestBody?.content['application/json'].schema.properties ?? {};
  const parameters = (described.parameters ?? []) as Array<{ name: string; in: string }>;
  return [
    ...Object.keys(body).flatMap((name): Field[] => [
      { name, event: (text) => ({ body: { ...example, [name]: text } as unknown as string }) },
      {
        name: `${name}.x`,
        event: (text) => ({ body: { ...example, [name]: { [text.slice(0, 64)]: text } } as unknown as string }),
      },
      { name: `${name}.0`, event: (text) => ({ body: { ...example, [name]: [text] } as unknown as string }) },
    ]),
    ...(route.body
      ? [{ name: 'unknown', event: (text: string) => ({ body: { ...example, [text]: text } as unknown as string }) }]
      : []),
    ...parameters
      .filter((parameter) => parameter.in !== 'header')
      .map(
        ({ name, in: source }): Field => ({
          name,
          event: (text) =>
            source === 'path' ? { path: pathWith(route, text) } : { queryStringParameters: { [name]: text } },
        }),
      ),
  ];
}

const pathWith = ({ path }: Route, text: string): string => path.replace(/\{\w+\}/g, () => encodeURIComponent(text));

/** CPU of one check, the best of a few: what the machine does beside it is not counted, nor a pause of the collector. */
function cpuMs(route: Route, event: Partial<APIGatewayProxyEvent>): number {
  const whole = {
    path: pathWith(route, 'x'),
    body: route.requestExample ?? null,
    queryStringParameters: null,
    ...event,
  };
  const once = (): number => {
    const start = process.cpuUsage();
    try {
      parseInput(route, whole as APIGatewayProxyEvent);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && best > LIMIT_MS; tries++) best = Math.min(best, once());
  return best;
}

const FIELDS = (ROUTES as readonly Route[]).flatMap((route) =>
  fieldsOf(route).map((field) => [`${route.method} ${route.path} ${field.name}`, route, field] as const),
);

it.each(FIELDS)('100 KB of anything in %s are judged in under 20 ms', (_name, route, field) => {
  const slow = HOSTILE.map((text) => [text.slice(0, 10), cpuMs(route, field.event(text))] as const).filter(
    ([, ms]) => ms > LIMIT_MS,
  );
  expect(slow).toEqual([]);
});
