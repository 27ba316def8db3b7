import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request header by name, case-insensitively. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const found = Object.entries(event.headers ?? {}).find(([header]) => header.toLowerCase() === wanted);
  return found?.[1];
}

/** Whether a client sent a header more than once, in which case `headerOf` knows only the last value. */
export function isHeaderRepeated(event: APIGatewayProxyEvent, name: string): boolean {
  const wanted = name.toLowerCase();
  const values = Object.entries(event.multiValueHeaders ?? {}).filter(([header]) => header.toLowerCase() === wanted);
  return values.flatMap(([, sent]) => sent ?? []).length > 1;
}
