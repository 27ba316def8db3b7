import { refusedSetting } from '../../lib/template-rules/api-gateway-rules';
import { readJsonFile, writeJsonFile } from '../data-directory';
import { budgetFactor } from '../lambda/function-config';
import { type Functions, functionOf, type LambdaFunction } from '../lambda/lambda-function';
import { permissions } from '../lambda/permissions';
import { StartError } from '../start-error';
import type { StackResource, Stacks } from '../template/resolve-stack';
import { type Authorizer, lambdaAuthorizer } from './authorizer';
import {
  type ApiFacts,
  compileParameter,
  compileTemplate,
  type GatewayAnswer,
  type GatewayErrorType,
  type ParameterSource,
} from './gateway-responses';

/** Resources that a deployment keeps a copy of. */
const KEPT = ['AWS::ApiGateway::Authorizer', 'AWS::ApiGateway::GatewayResponse', 'AWS::ApiGateway::Method'] as const;

type Kept = (typeof KEPT)[number];

interface Snapshot {
  readonly deployment: string;
  readonly properties: Readonly<Record<string, StackResource['properties']>>;
}

/**
 * The API as its deployment has it. A stage serves a copy that was made when its deployment was: what changes afterwards
 * reaches nobody until another deployment, with another logical ID, is made.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/how-to-deploy-api.html
 */
export function deployedResources(
  stacks: Stacks,
  options?: { readonly file: string; readonly print: (line: string) => void },
): (type: Kept) => readonly StackResource[] {
  const [deployment] = stacks.ofType('AWS::ApiGateway::Deployment');
  if (!options || !deployment) return (type) => stacks.ofType(type);
  const now: Snapshot = {
    deployment: deployment.logicalId,
    properties: Object.fromEntries(stacks.ofType(...KEPT).map(({ logicalId, properties }) => [logicalId, properties])),
  };
  const before = readJsonFile<Snapshot>(options.file, now);
  const kept = before.deployment === now.deployment ? before : now;
  if (kept === now) writeJsonFile(options.file, now);
  return (type) =>
    stacks.ofType(type).flatMap((resource) => {
      const properties = kept.properties[resource.logicalId];
      if (JSON.stringify(properties) === JSON.stringify(resource.properties)) return [resource];
      options.print(
        `${resource.logicalId} (${type}) changes, and ${deployment.logicalId} does not: as in AWS, the stage keeps ${properties ? 'the old one' : 'doing without it'}.`,
      );
      return properties ? [{ ...resource, properties }] : [];
    });
}

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

interface Node<T> {
  readonly statics: Map<string, Node<T>>;
  parameter?: { readonly name: string; readonly node: Node<T> };
  greedy?: { readonly name: string; readonly node: Node<T> };
  path?: string;
  readonly methods: Map<string, T>;
}

export interface Match<T> {
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly route: T;
}

export interface Routes<T> {
  add(path: string, method: string, route: T): void;
  match(segments: readonly string[], method: string): Match<T> | undefined;
}

const node = <T>(): Node<T> => ({ statics: new Map(), methods: new Map() });

function child<T>(parent: Node<T>, segment: string): Node<T> {
  const [, name, plus] = /^\{([^}+]+)(\+?)\}$/.exec(segment) ?? [];
  if (name) {
    const kind = plus ? 'greedy' : 'parameter';
    parent[kind] ??= { name, node: node() };
    return parent[kind].node;
  }
  const existing = parent.statics.get(segment);
  if (existing) return existing;
  const made = node<T>();
  parent.statics.set(segment, made);
  return made;
}

const routeOf = <T>(at: Node<T>, method: string): T | undefined => at.methods.get(method) ?? at.methods.get('ANY');

function search<T>(at: Node<T>, segments: readonly string[], method: string): Match<T> | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    const route = routeOf(at, method);
    return route === undefined ? undefined : { path: at.path ?? '/', pathParameters: {}, route };
  }
  const fixed = at.statics.get(segment);
  const found = fixed && search(fixed, rest, method);
  if (found) return found;
  if (at.parameter && segment !== '') {
    const { name, node: next } = at.parameter;
    const matched = search(next, rest, method);
    if (matched) return { ...matched, pathParameters: { [name]: segment, ...matched.pathParameters } };
  }
  if (!at.greedy) return undefined;
  const { name, node: last } = at.greedy;
  const route = routeOf(last, method);
  return route === undefined
    ? undefined
    : { path: last.path ?? '/', pathParameters: { [name]: segments.join('/') }, route };
}

/** Resource matching as a REST API does it: a fixed segment before `{parameter}` before `{proxy+}`; `ANY` last. */
export function routes<T>(): Routes<T> {
  const root = node<T>();
  return {
    add: (path, method, route) => {
      const at = path
        .split('/')
        .filter(Boolean)
        .reduce(child<T>, root);
      at.path = path;
      at.methods.set(method, route);
    },
    match: (segments, method) => search(root, segments, method),
  };
}

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
        timeoutMs: budgetFactor() * (integration.TimeoutInMillis ?? INTEGRATION_LIMIT_MS),
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
