import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { NEWEST_API_VERSION } from '../domain/api-version';

interface StaticText {
  readonly contentType: string;
  readonly text: string;
  readonly contentSecurityPolicy?: string;
}

export const staticText =
  ({ contentType, text, contentSecurityPolicy }: StaticText) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => ({
    statusCode: 200,
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'public, max-age=300',
      'X-Request-Id': event.requestContext.requestId,
      'X-Api-Version': NEWEST_API_VERSION,
      'X-Content-Type-Options': 'nosniff',
      ...(contentSecurityPolicy ? { 'Content-Security-Policy': contentSecurityPolicy } : {}),
    },
    body: text,
  });
