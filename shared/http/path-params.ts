import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * The parameters of a path, decoded once. They are cut out of `event.path`, which a REST API passes on as it was sent:
 * gateway types differ in whether they decode `event.pathParameters`, and a user ID may well contain a `%`.
 * Undefined if an escape is malformed.
 */
export function pathParams(template: string, event: APIGatewayProxyEvent): Record<string, string> | undefined {
  const names = template.split('/').reverse();
  // From the end: a custom domain's base path may precede the path that we know.
  // API Gateway takes a trailing slash for the same resource.
  const values = event.path.replace(/\/$/, '').split('/').reverse();
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

/** The path of a resource as one text, however the client escaped it: for names of what happens there. */
export const canonicalPath = (template: string, params: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
