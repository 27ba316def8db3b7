import { type Resource, ruleFor, type SynthesizedApp, type TemplateRule, type Value } from './synthesized-app';

const METHOD = 'AWS::ApiGateway::Method';
const STAGE = 'AWS::ApiGateway::Stage';
const DEVELOPER_GUIDE = 'https://docs.aws.amazon.com/apigateway/latest/developerguide';
const REFERENCE = 'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference';

/** Verbs that API Gateway takes in a stage's settings: `ANY` names a method, not a verb. */
const VERBS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

function pathOf(app: SynthesizedApp, resource: Resource | undefined): string {
  if (resource?.Type !== 'AWS::ApiGateway::Resource') return '';
  return `${pathOf(app, app.target(resource, resource.Properties.ParentId))}/${resource.Properties.PathPart}`;
}

/** `GET /v1/items` for every method of an API. */
function methodsOf(app: SynthesizedApp, api: Resource | undefined): ReadonlySet<string> {
  const own = app.ofType(METHOD).filter((method) => app.target(method, method.Properties.RestApiId) === api);
  return new Set(
    own.map(
      (method) =>
        `${method.Properties.HttpMethod} ${pathOf(app, app.target(method, method.Properties.ResourceId)) || '/'}`,
    ),
  );
}

/** `/~1v1~1items` is `/v1/items`: slashes within the path are escaped as in a JSON pointer. */
export const settingPath = (path: string): string => path.replace(/^\/(?=~1)/, '').replaceAll('~1', '/') || '/';

/** Why API Gateway would refuse a setting of a stage, given its methods as `GET /v1/items`. */
export function refusedSetting(setting: Value, methods: ReadonlySet<string>): string | undefined {
  const { HttpMethod: verb = '', ResourcePath: path = '' } = setting;
  if (verb === '*' && path === '/*') return undefined;
  if (verb === '*' || path === '/*') return `MethodSettings ${verb} ${path}: "*" is allowed only for both, as * /*.`;
  if (!VERBS.includes(verb)) return `MethodSettings ${verb} ${settingPath(path)}: name one of ${VERBS.join(', ')}.`;
  // Whether a setting of POST reaches a method ANY is documented nowhere, so the method must be there by its own name.
  const known = methods.has(`${verb} ${settingPath(path)}`);
  return known
    ? undefined
    : `MethodSettings ${verb} ${settingPath(path)}: the API has no such method. Add or remove it.`;
}

export const isVariable = ({ Properties }: Resource): boolean => /^\{.*\}$/.test(Properties.PathPart);

/** Why API Gateway would refuse a part of a path, given the parameters below the same parent. */
function pathPart(parameters: readonly Resource[], own: Resource): string | undefined {
  const { PathPart: part } = own.Properties;
  if (!/^(?:[\w.:-]+|\{[\w.:-]+\+?\})$/.test(part))
    return `The path part ${part} has other characters than a-z A-Z 0-9 . _ - :`;
  const other = isVariable(own) && parameters.find(({ id }) => id !== own.id);
  return other ? `${part} and ${other.Properties.PathPart} have one parent. Name both parameters alike.` : undefined;
}

export const apiGatewayRules: readonly TemplateRule[] = [
  ruleFor(
    'method-settings',
    'https://github.com/hashicorp/terraform-provider-aws/issues/15855',
    STAGE,
    (stage, app) => {
      const methods = methodsOf(app, app.target(stage, stage.Properties.RestApiId));
      for (const setting of stage.Properties.MethodSettings ?? []) {
        const refused = refusedSetting(setting, methods);
        if (refused) return refused;
      }
      return undefined;
    },
  ),
  ruleFor(
    'deployment-after-methods',
    `${REFERENCE}/aws-resource-apigateway-deployment.html`,
    'AWS::ApiGateway::Deployment',
    (deployment, app) => {
      const before = app.before(deployment);
      const api = app.target(deployment, deployment.Properties.RestApiId);
      const late = app
        .ofType(METHOD)
        .find((method) => app.target(method, method.Properties.RestApiId) === api && !before.has(method));
      return late && `It may be made before ${late.id}, and would not contain it. Add it to DependsOn.`;
    },
  ),
  ruleFor('stage-after-logging-role', 'https://github.com/aws/aws-cdk/issues/10722', STAGE, (stage, app) => {
    const { MethodSettings: settings = [], AccessLogSetting: access } = stage.Properties;
    const logs = access || settings.some(({ LoggingLevel: level = 'OFF' }: Value) => level !== 'OFF');
    const isSet = [...app.before(stage)].some(({ Type }) => Type === 'AWS::ApiGateway::Account');
    return (
      logs &&
      !isSet &&
      'It logs, and may be made before AWS::ApiGateway::Account names the role for it. Add it to DependsOn.'
    );
  }),
  ruleFor(
    'stage-exists',
    `${REFERENCE}/aws-resource-apigateway-usageplan.html`,
    ['AWS::ApiGateway::UsagePlan', 'AWS::ApiGateway::BasePathMapping'],
    (resource, app) => {
      const known = [...app.before(resource)].some(({ Type }) => Type === STAGE);
      return (
        !known &&
        'It names a stage that may not exist yet. Refer to the AWS::ApiGateway::Stage, or add it to DependsOn.'
      );
    },
  ),
  ruleFor(
    'path-part',
    'https://github.com/amazon-archives/aws-apigateway-importer/issues/202',
    'AWS::ApiGateway::Resource',
    (resource, app) => {
      const parent = app.target(resource, resource.Properties.ParentId);
      const others = app
        .ofType('AWS::ApiGateway::Resource')
        .filter((each) => isVariable(each) && app.target(each, each.Properties.ParentId) === parent);
      return pathPart(others, resource);
    },
  ),
  ruleFor(
    'greedy-path-is-last',
    `${DEVELOPER_GUIDE}/api-gateway-set-up-simple-proxy.html`,
    'AWS::ApiGateway::Resource',
    (resource, app) => {
      const parent = app.target(resource, resource.Properties.ParentId);
      return (
        parent?.Properties.PathPart?.endsWith('+}') &&
        `It is below ${parent.Properties.PathPart}, which takes all the rest of a path.`
      );
    },
  ),
  ruleFor(
    'method-authorizer',
    `${REFERENCE}/aws-resource-apigateway-method.html`,
    METHOD,
    ({ Properties: { AuthorizationType: type, AuthorizerId: id } }) => {
      if (type === 'CUSTOM') return !id && 'AuthorizationType CUSTOM needs an AuthorizerId.';
      return id && `AuthorizationType ${type} takes no AuthorizerId. Use CUSTOM or remove it.`;
    },
  ),
  ruleFor(
    'authorizer-identity',
    `${DEVELOPER_GUIDE}/configure-api-gateway-lambda-authorization.html`,
    'AWS::ApiGateway::Authorizer',
    ({ Properties: p }) => {
      const cached = (p.AuthorizerResultTtlInSeconds ?? 300) > 0;
      if (p.Type === 'TOKEN')
        return (
          !/^method\.request\.header\.[\w-]+$/.test(p.IdentitySource ?? '') &&
          'A TOKEN authorizer needs one header as its IdentitySource.'
        );
      if (p.IdentityValidationExpression) return 'Only a TOKEN authorizer has an IdentityValidationExpression.';
      return cached && !p.IdentitySource && 'A REQUEST authorizer that caches needs an IdentitySource.';
    },
  ),
  ruleFor(
    'integration-response-declared',
    `${DEVELOPER_GUIDE}/api-gateway-method-settings-method-response.html`,
    METHOD,
    ({ Properties: p }) => {
      for (const answer of p.Integration?.IntegrationResponses ?? []) {
        const declared = (p.MethodResponses ?? []).find(
          ({ StatusCode }: Value) => String(StatusCode) === String(answer.StatusCode),
        );
        if (!declared) return `No method response declares status ${answer.StatusCode}.`;
        const missing = Object.keys(answer.ResponseParameters ?? {}).find(
          (name) => declared.ResponseParameters?.[name] === undefined,
        );
        if (missing) return `The method response ${answer.StatusCode} does not declare ${missing}.`;
      }
      return undefined;
    },
  ),
  ruleFor(
    'custom-domain-certificate',
    `${DEVELOPER_GUIDE}/apigateway-regional-api-custom-domain-create.html`,
    'AWS::ApiGateway::DomainName',
    ({ Properties: p }) =>
      p.EndpointConfiguration?.Types?.includes('REGIONAL') &&
      !p.RegionalCertificateArn &&
      'A regional domain needs a RegionalCertificateArn, from its own region.',
  ),
];
