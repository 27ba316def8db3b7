import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * The parameters of a path, decoded once. They are cut out of `event.path`, which a REST API passes on as it was sent:
 * gateway types differ in whether they decode `event.pathParameters`, and a user ID may well contain a `%`.
 * Undefined if an escape is malformed.
 */
export function pathParams(template: string, event: APIGatewayProxyEvent): Record<string, string> | undefined {
  const names = template.split('/').reverse();
  // From the end: a custom domain's base path may precede the path that we know.
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
