import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Takes an absent body for an empty object. What a client declares about nothing (`curl -d ''`) does not matter. */
export function fillBody(event: APIGatewayProxyEvent): void {
  if ((event.body ?? '') !== '') return;
  const others = Object.entries(event.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'content-type');
  event.body = '{}';
  event.isBase64Encoded = false;
  event.headers = { ...Object.fromEntries(others), 'Content-Type': 'application/json' };
}
