import type { APIGatewayProxyEvent } from 'aws-lambda';

/** A request header by name, case-insensitively. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const found = Object.entries(event.headers ?? {}).find(([header]) => header.toLowerCase() === wanted);
  return found?.[1];
}
