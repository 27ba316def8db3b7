import { StartError } from '../start-error';
import type { StackResource } from '../template/types';
import { compileTemplate } from './mapping-template';
import { compileParameter, type Parameter, type ParameterSource } from './parameter';

/** The errors that a REST API returns itself: default status, message, and the type in `x-amzn-ErrorType`. */
export const GATEWAY_ERRORS = {
  MISSING_AUTHENTICATION_TOKEN: [403, 'Missing Authentication Token', 'MissingAuthenticationTokenException'],
  INVALID_SIGNATURE: [403, 'The security token included in the request is invalid.', 'IncompleteSignatureException'],
  UNAUTHORIZED: [401, 'Unauthorized', 'UnauthorizedException'],
  ACCESS_DENIED: [403, 'User is not authorized to access this resource', 'AccessDeniedException'],
  AUTHORIZER_FAILURE: [500, 'Internal server error', 'AuthorizerFailureException'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'Internal server error', 'AuthorizerConfigurationException'],
  INVALID_API_KEY: [403, 'Forbidden', 'ForbiddenException'],
  THROTTLED: [429, 'Too Many Requests', 'TooManyRequestsException'],
  QUOTA_EXCEEDED: [429, 'Limit Exceeded', 'LimitExceededException'],
  REQUEST_TOO_LARGE: [413, 'Request Too Long', 'RequestTooLargeException'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Unsupported Media Type', 'UnsupportedMediaTypeException'],
  BAD_REQUEST_PARAMETERS: [400, 'Bad Request', 'BadRequestException'],
  INTEGRATION_FAILURE: [504, 'Endpoint request failed', 'InternalServerErrorException'],
  INTEGRATION_TIMEOUT: [504, 'Endpoint request timed out', 'InternalServerErrorException'],
  API_CONFIGURATION_ERROR: [500, 'Internal server error', 'InternalServerErrorException'],
  // A Lambda proxy that fails or returns nonsense: 502, a case of DEFAULT_5XX without its own type.
  DEFAULT_5XX: [502, 'Internal server error', 'InternalServerErrorException'],
} as const satisfies Readonly<Record<string, readonly [number, string, string]>>;

export type GatewayErrorType = keyof typeof GATEWAY_ERRORS;

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Properties {
  readonly ResponseType: string;
  readonly StatusCode?: string | number;
  readonly ResponseTemplates?: Readonly<Record<string, string>>;
  readonly ResponseParameters?: Readonly<Record<string, string>>;
}

interface Compiled {
  readonly status: number | undefined;
  readonly template: ReturnType<typeof compileTemplate> | undefined;
  readonly headers: readonly (readonly [string, Parameter])[];
}

const HEADER = 'gatewayresponse.header.';

function compile(resource: StackResource): readonly [string, Compiled] {
  const properties = resource.properties as unknown as Properties;
  const template = properties.ResponseTemplates?.['application/json'];
  try {
    const headers = Object.entries(properties.ResponseParameters ?? {}).map(([name, expression]) => {
      if (!name.startsWith(HEADER)) throw new Error(`the parameter ${name} is not emulated`);
      return [name.slice(HEADER.length), compileParameter(expression)] as const;
    });
    const status = properties.StatusCode === undefined ? undefined : Number(properties.StatusCode);
    return [
      properties.ResponseType,
      { status, headers, template: template === undefined ? undefined : compileTemplate(template) },
    ];
  } catch (error) {
    throw new StartError(`${resource.logicalId} (${resource.type}) cannot run here: ${(error as Error).message}.`);
  }
}

/** Builds the gateway's own errors, formatted by the template's gateway responses. */
export function gatewayResponses(
  resources: readonly StackResource[],
): (type: GatewayErrorType, source: ParameterSource, message?: string) => GatewayAnswer {
  const compiled = new Map(resources.map(compile));
  return (type, source, given) => {
    const [status, standard, errorType] = GATEWAY_ERRORS[type];
    const response = compiled.get(type) ?? compiled.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    const message = given ?? standard;
    const variables = {
      ...source.variables,
      'context.error.message': message,
      'context.error.messageString': JSON.stringify(message),
      'context.error.responseType': type,
    };
    const headers: Record<string, string> = { 'content-type': 'application/json', 'x-amzn-ErrorType': errorType };
    for (const [name, parameter] of response?.headers ?? []) {
      const value = parameter({ ...source, variables });
      if (value === undefined) continue;
      if (name.toLowerCase() === 'content-type') delete headers['content-type'];
      headers[name] = value;
    }
    const body = response?.template?.(variables) ?? JSON.stringify({ message });
    return { status: response?.status ?? status, headers, body };
  };
}
