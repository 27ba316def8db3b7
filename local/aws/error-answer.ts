import type { AwsAnswer, AwsError } from './call';

const escapeXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** An error in the form the service itself would use, so that the SDK turns it into its usual exception. */
export function errorAnswer(service: string, { type, message, status }: AwsError): AwsAnswer {
  if (service === 's3') {
    const code = type.replace(/Exception$/, '');
    return {
      status: type === 'AccessDeniedException' ? 403 : status,
      headers: { 'content-type': 'application/xml' },
      body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`,
    };
  }
  const body = JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message, Message: message });
  if (service === 'apigateway') {
    const rest = type === 'AccessDeniedException' ? 403 : status;
    return { status: rest, headers: { 'content-type': 'application/json', 'x-amzn-errortype': type }, body };
  }
  return { status, headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': type }, body };
}
