import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * The parameters of a path, decoded once. They are cut out of `event.path`, which a REST API hands on as it was sent:
 * whether `event.pathParameters` is decoded differs between kinds of gateways, and a user id may well contain a `%`.
 * Undefined where an escape is malformed.
 */
export function pathParams(template: string, event: APIGatewayProxyEvent): Record<string, string> | undefined {
  const names = template.split('/').reverse();
  // From the end: a base path of a custom domain may stand before what we know.
  const values = event.path.split('/').reverse();
  try {
    return Object.fromEntries(
      names.flatMap((name, at) =>
        name.startsWith('{') ? [[name.slice(1, -1), decodeURIComponent(values[at] ?? '')]] : [],
      ),
    );
  } catch {
    return undefined;
  }
}
