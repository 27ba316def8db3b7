import { refusedSetting } from '../../lib/template-rules/api-gateway-rules';
import { type Functions, functionOf } from '../lambda/invoke-asynchronously';
import { permissions } from '../lambda/permissions';
import type { LambdaFunction } from '../lambda/pool';
import { StartError } from '../start-error';
import type { Stacks } from '../template/resolve-stacks';
import type { StackResource } from '../template/types';
import { type Authorizer, lambdaAuthorizer } from './authorizer';
import { deployedResources } from './deployment-snapshot';
import { type MethodResponse, type Mock, type MockIntegration, mockIntegration } from './mock';
import type { ApiFacts } from './request';
import { type Routes, routes } from './routes';

/** One method of the API, ready to be called. */
export interface Method {
  readonly resourceId: string;
  readonly apiKeyRequired: boolean;
  readonly authorizer: Authorizer | undefined;
  readonly integration:
    | {
        readonly kind: 'lambda';
        readonly target: LambdaFunction;
        readonly timeoutMs: number;
        /** Whether the function's policy lets the gateway invoke it for this very request. */
        readonly isPermitted: (verb: string, path: string) => boolean;
      }
    | { readonly kind: 'mock'; readonly respond: Mock };
}

export interface RestApi {
  readonly facts: ApiFacts;
  readonly routes: Routes<Method>;
  readonly keySource: 'HEADER' | 'AUTHORIZER';
  readonly binaryMediaTypes: readonly string[];
  readonly stage: StackResource;
  readonly gatewayResponses: readonly StackResource[];
}

interface MethodProperties {
  readonly HttpMethod: string;
  readonly ResourceId: string;
  readonly AuthorizationType?: string;
  readonly AuthorizerId?: string;
  readonly ApiKeyRequired?: boolean;
  readonly RequestValidatorId?: string;
  readonly MethodResponses?: readonly MethodResponse[];
  readonly Integration: MockIntegration & {
    readonly Type: string;
    readonly Uri?: string;
    readonly TimeoutInMillis?: number;
  };
}

const INTEGRATION_LIMIT_MS = 29_000;
const GATEWAY = 'apigateway.amazonaws.com';

function only(stacks: Stacks, type: string): StackResource | undefined {
  const [found, ...others] = stacks.ofType(type);
  if (others.length > 0)
    throw new StartError(`The stack has ${others.length + 1} resources of type ${type}; the local run serves one.`);
  return found;
}

function pathsOf(stacks: Stacks, rootId: string): ReadonlyMap<string, string> {
  const parts = new Map(stacks.ofType('AWS::ApiGateway::Resource').map(({ ref, properties }) => [ref, properties]));
  const pathOf = (id: string): string => {
    const part = parts.get(id);
    return part ? `${pathOf(String(part.ParentId))}/${String(part.PathPart)}` : '';
  };
  return new Map([[rootId, '/'], ...[...parts.keys()].map((id) => [id, pathOf(id)] as const)]);
}

/**
 * Reads the REST API from the template; undefined if the stack has none. With a file for its deployment, the API is the one
 * that the deployment was made of, as in AWS.
 */
export function restApi(
  stacks: Stacks,
  functions: Functions,
  now: () => number,
  snapshot?: { readonly file: string; readonly print: (line: string) => void },
): RestApi | undefined {
  const api = only(stacks, 'AWS::ApiGateway::RestApi');
  const stage = only(stacks, 'AWS::ApiGateway::Stage');
  if (!api || !stage) return undefined;
  const { region, account } = stacks.main;
  const facts: ApiFacts = { apiId: api.ref, stage: stage.ref, region, account };
  const deployed = deployedResources(stacks, snapshot);
  const { allow, require } = permissions(stacks.ofType('AWS::Lambda::Permission'));
  const arnOf = (rest: string): string => `arn:aws:execute-api:${region}:${account}:${api.ref}/${rest}`;

  const target = (resource: StackResource, uri: string, sourceArn: string): LambdaFunction => {
    const found = functionOf(functions, uri);
    if (!found)
      throw new StartError(
        `${resource.logicalId} (${resource.type}) points to ${uri}, which is not a function of this stack.`,
      );
    require(found, GATEWAY, sourceArn, resource);
    return found;
  };

  const authorizers = new Map(
    deployed('AWS::ApiGateway::Authorizer').map((resource) => {
      const uri = String(resource.properties.AuthorizerUri);
      return [
        resource.ref,
        lambdaAuthorizer(resource, target(resource, uri, arnOf(`authorizers/${resource.ref}`)), now),
      ] as const;
    }),
  );

  const method = (resource: StackResource, path: string): Method => {
    const properties = resource.properties as unknown as MethodProperties;
    const { Integration: integration, AuthorizationType: authorization = 'NONE' } = properties;
    const refuse = (what: string): never => {
      throw new StartError(`${resource.logicalId} (${resource.type}) ${what}, which the local run does not emulate.`);
    };
    if (authorization !== 'NONE' && authorization !== 'CUSTOM') refuse(`uses ${authorization} authorization`);
    if (properties.RequestValidatorId) refuse('uses a request validator');
    const base = {
      resourceId: properties.ResourceId,
      apiKeyRequired: properties.ApiKeyRequired === true,
      authorizer: authorizers.get(properties.AuthorizerId ?? ''),
    };
    if (integration.Type === 'MOCK') {
      try {
        const respond = mockIntegration(integration, properties.MethodResponses ?? []);
        return { ...base, integration: { kind: 'mock', respond } };
      } catch (error) {
        throw new StartError(`${resource.logicalId} (${resource.type}) cannot run here: ${(error as Error).message}.`);
      }
    }
    if (integration.Type !== 'AWS_PROXY') refuse(`has an integration of type ${integration.Type}`);
    const verb = properties.HttpMethod === 'ANY' ? '*' : properties.HttpMethod;
    const sourceArn = arnOf(`${stage.ref}/${verb}${path.replace(/\{[^}]+\}/g, '*')}`);
    const found = target(resource, integration.Uri ?? '', sourceArn);
    return {
      ...base,
      integration: {
        kind: 'lambda',
        target: found,
        isPermitted: (method, sent) => allow(found, GATEWAY, arnOf(`${stage.ref}/${method}${sent}`)),
        timeoutMs: integration.TimeoutInMillis ?? INTEGRATION_LIMIT_MS,
      },
    };
  };

  const paths = pathsOf(stacks, api.attribute('RootResourceId'));
  const table = routes<Method>();
  const known = new Set<string>();
  for (const resource of deployed('AWS::ApiGateway::Method')) {
    const { ResourceId: id, HttpMethod: verb } = resource.properties as unknown as MethodProperties;
    const path = paths.get(id) ?? '/';
    table.add(path, verb, method(resource, path));
    known.add(`${verb} ${path}`);
  }
  for (const setting of (stage.properties.MethodSettings ?? []) as readonly object[]) {
    const refused = refusedSetting(setting, known);
    if (refused) throw new StartError(`API Gateway would not make ${stage.logicalId} (${stage.type}). ${refused}`);
  }
  return {
    facts,
    routes: table,
    stage,
    gatewayResponses: deployed('AWS::ApiGateway::GatewayResponse'),
    keySource: api.properties.ApiKeySourceType === 'AUTHORIZER' ? 'AUTHORIZER' : 'HEADER',
    binaryMediaTypes: (api.properties.BinaryMediaTypes ?? []) as readonly string[],
  };
}
