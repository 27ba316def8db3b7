import type { GatewayAnswer, GatewayErrorType } from './gateway-responses';
import { compileTemplate } from './mapping-template';
import { compileParameter, type ParameterSource } from './parameter';

export interface MockIntegration {
  readonly RequestTemplates?: Readonly<Record<string, string>>;
  readonly PassthroughBehavior?: 'WHEN_NO_MATCH' | 'WHEN_NO_TEMPLATES' | 'NEVER';
  readonly IntegrationResponses?: readonly {
    readonly StatusCode: string;
    readonly SelectionPattern?: string;
    readonly ResponseTemplates?: Readonly<Record<string, string>>;
    readonly ResponseParameters?: Readonly<Record<string, string>>;
  }[];
}

export interface MethodResponse {
  readonly StatusCode: string;
  readonly ResponseParameters?: Readonly<Record<string, boolean>>;
}

export type Mock = (source: ParameterSource, body: string) => GatewayAnswer | GatewayErrorType;

const HEADER = 'method.response.header.';

function statusOf(text: string): string | undefined {
  try {
    const { statusCode } = JSON.parse(text) as { statusCode?: unknown };
    return statusCode === undefined ? undefined : String(statusCode);
  } catch {
    return undefined;
  }
}

/** A MOCK integration: the request template chooses a status, the integration response for that status is returned. */
export function mockIntegration(integration: MockIntegration, methodResponses: readonly MethodResponse[]): Mock {
  const templates = new Map(
    Object.entries(integration.RequestTemplates ?? {}).map(([type, text]) => [
      type.toLowerCase(),
      compileTemplate(text),
    ]),
  );
  const responses = (integration.IntegrationResponses ?? []).map((response) => {
    const declared = methodResponses.find(({ StatusCode }) => String(StatusCode) === String(response.StatusCode));
    if (!declared)
      throw new Error(`no method response declares the status ${response.StatusCode} of an integration response`);
    const headers = Object.entries(response.ResponseParameters ?? {}).map(([name, expression]) => {
      if (declared.ResponseParameters?.[name] === undefined) {
        throw new Error(
          `the method response ${response.StatusCode} does not declare ${name}, which AWS refuses at deployment`,
        );
      }
      return [name.slice(HEADER.length), compileParameter(expression)] as const;
    });
    const text = response.ResponseTemplates?.['application/json'];
    return {
      status: Number(response.StatusCode),
      pattern: response.SelectionPattern ? new RegExp(`^(?:${response.SelectionPattern})$`) : undefined,
      template: text === undefined ? undefined : compileTemplate(text),
      headers,
    };
  });

  return (source, body) => {
    const type = (source.header('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
    const template = templates.get(type);
    const behavior = integration.PassthroughBehavior ?? 'WHEN_NO_MATCH';
    const refused = behavior === 'NEVER' || (behavior === 'WHEN_NO_TEMPLATES' && templates.size > 0);
    if (!template && refused) return 'UNSUPPORTED_MEDIA_TYPE';
    // Without a template for its media type the body passes through unchanged, and must itself be `{"statusCode":…}`.
    const status = statusOf(template ? template(source.variables) : body);
    if (status === undefined) return 'API_CONFIGURATION_ERROR';
    const chosen = responses.find(({ pattern }) => pattern?.test(status)) ?? responses.find(({ pattern }) => !pattern);
    if (!chosen) return 'API_CONFIGURATION_ERROR';
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    for (const [name, parameter] of chosen.headers) {
      const value = parameter(source);
      if (value === undefined) continue;
      if (name.toLowerCase() === 'content-type') delete headers['content-type'];
      headers[name] = value;
    }
    return { status: chosen.status, headers, body: chosen.template?.(source.variables) ?? '' };
  };
}
