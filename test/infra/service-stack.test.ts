import { readStackTemplates } from '../../lib/stack-templates';
import { rolesOf } from '../../local/iam/roles';
import { loadAssembly } from '../../local/template/load-assembly';
import { resolveStacks } from '../../local/template/resolve-stack';
import { ROUTES } from '../../shared/routes';
import { functionOf } from '../../shared/routes/define-route';
import { assemblyUnderTest } from '../support/synthesize-once';
import {
  ofType,
  ownFunctions,
  type Properties,
  pathOf,
  type Resource,
  resourcesOf,
  statementsOfRole,
} from '../support/template';

/** Every type of gateway response that API Gateway has (its API reference, GatewayResponse.responseType). */
const GATEWAY_RESPONSE_TYPES = [
  'ACCESS_DENIED',
  'API_CONFIGURATION_ERROR',
  'AUTHORIZER_CONFIGURATION_ERROR',
  'AUTHORIZER_FAILURE',
  'BAD_REQUEST_BODY',
  'BAD_REQUEST_PARAMETERS',
  'DEFAULT_4XX',
  'DEFAULT_5XX',
  'EXPIRED_TOKEN',
  'INTEGRATION_FAILURE',
  'INTEGRATION_TIMEOUT',
  'INVALID_API_KEY',
  'INVALID_SIGNATURE',
  'MISSING_AUTHENTICATION_TOKEN',
  'QUOTA_EXCEEDED',
  'REQUEST_TOO_LARGE',
  'RESOURCE_NOT_FOUND',
  'THROTTLED',
  'UNAUTHORIZED',
  'UNSUPPORTED_MEDIA_TYPE',
  'WAF_FILTERED',
];

/** Functions without a route. */
const OTHERS = [
  'authorize',
  'afd',
  'sweep-cases',
  'sweep-lists',
  'erase-users',
  'relay-events',
  'deliver-webhook',
  'sweep-deliveries',
  'train-model',
  'tally-overview',
];

const STATUS_OF: Record<string, number> = {
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
};

/** CloudFormation refuses a 501st resource of a stack, a 201st parameter or output. Some are left for what is yet to come. */
const MOST = { Resources: 400, Parameters: 150, Outputs: 150 };

describe.each(['sandbox', 'production'])('the stack of %s', (stage) => {
  const resources = resourcesOf(`FraudScreening-${stage}`);
  const functions = ownFunctions(resources);
  const nameOf = ({ Properties: { Description } }: Resource): string => Description.split(': ')[1];

  const statementsOf = (fn: Resource) => statementsOfRole(resources, fn.Properties.Role['Fn::GetAtt'][0]);

  it('stays clear of what CloudFormation allows each of its stacks', () => {
    const templates = readStackTemplates(assemblyUnderTest(), `FraudScreening-${stage}`);
    expect(Object.keys(templates)).toEqual([`FraudScreening-${stage}`, `FraudScreening-${stage}/Functions`]);
    for (const template of Object.values(templates)) {
      for (const [part, most] of Object.entries(MOST)) {
        expect(Object.keys(template[part as keyof typeof MOST] ?? {}).length).toBeLessThanOrEqual(most);
      }
    }
  });

  it('has a table that outlives every mistake', () => {
    const [table, ...others] = ofType(resources, 'AWS::DynamoDB::GlobalTable');
    expect(others).toEqual([]);
    expect(table).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(table?.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      Replicas: [
        { DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
      ],
    });
  });

  it('keeps the data key when the stack goes', () => {
    expect(ofType(resources, 'AWS::SecretsManager::Secret')).toEqual([
      // Not after a first deployment that failed: it has sealed nothing yet, and would be an orphan.
      expect.objectContaining({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' }),
    ]);
  });

  it('has one function per route or family, and those behind them', () => {
    const names = functions.map(nameOf).sort();
    expect(names).toEqual([...new Set(ROUTES.map((route) => functionOf(route))), ...OTHERS].sort());
  });

  it('traces nothing: a trace has the URL, with the IDs of users, and cannot be erased', () => {
    const [deployed] = ofType(resources, 'AWS::ApiGateway::Stage');
    expect(deployed?.Properties.TracingEnabled ?? false).toBe(false);
    expect(functions.filter((fn) => fn.Properties.TracingConfig)).toEqual([]);
    expect(JSON.stringify(resources)).not.toMatch(/xray/i);
  });

  it.each(functions.map((fn) => [nameOf(fn), fn] as const))('%s: runtime and logs', (_name, fn) => {
    expect(fn.Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN' },
    });
    const group = resources.find(({ id }) => id === fn.Properties.LoggingConfig.LogGroup.Ref);
    expect(group?.Properties.RetentionInDays).toBe(30);
    const environment = Object.keys(fn.Properties.Environment?.Variables ?? {});
    expect(environment).not.toContain('WEBHOOK_ALLOW_CIDRS');
    expect(environment).not.toContain('WEBHOOK_EXTRA_CA');
    expect(environment).not.toContain('TIME_BUDGET_FACTOR');
  });

  it('shares no role between functions', () => {
    const roles = functions.map((fn) => fn.Properties.Role['Fn::GetAtt'][0]);
    expect(new Set(roles).size).toBe(functions.length);
  });

  it('gives every function exact actions on exact resources', () => {
    for (const fn of functions) {
      for (const statement of statementsOf(fn)) {
        const actions = [statement.Action].flat();
        expect(actions.filter((action: string) => action.includes('*'))).toEqual([]);
        expect([statement.Resource].flat()).not.toContain('*');
        const isOfStream = JSON.stringify(statement.Resource).includes('StreamArn');
        // An erasure looks at every item: no index leads to all that belongs to a person.
        const isErasing = nameOf(fn) === 'erase-users' && actions.join() === 'dynamodb:Scan';
        if (actions.some((action: string) => action.startsWith('dynamodb:')) && !isOfStream && !isErasing) {
          expect(statement.Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']).toBeDefined();
        }
      }
    }
  });

  const functionsAllowed = (test: (statement: Properties) => boolean): string[] =>
    functions.filter((fn) => statementsOf(fn).some(test)).map(nameOf);

  it('lets only the authorizer look up key hashes', () => {
    expect(functionsAllowed((statement) => JSON.stringify(statement.Condition ?? '').includes('KEYHASH#'))).toEqual([
      'authorize',
    ]);
  });

  it('lets only what seals or opens webhook secrets, or names entities, read the secret of the stage', () => {
    const readers = functionsAllowed((statement) =>
      [statement.Action].flat().includes('secretsmanager:GetSecretValue'),
    );
    expect(readers.sort()).toEqual([
      'afd',
      'create-webhook',
      'deliver-webhook',
      'erase-users',
      'explore',
      'get-risk-profile',
      'list-cases',
      'lists',
      'outcomes',
      'rules',
      'screen-event',
      'screen-transaction',
    ]);
  });

  it('lets only what scores or trains read models, and only training write them', () => {
    const allowed = (action: string) => functionsAllowed(({ Action }) => [Action].flat().includes(action)).sort();
    expect(allowed('s3:GetObject')).toEqual(['afd', 'screen-event', 'screen-transaction', 'train-model']);
    expect(allowed('s3:PutObject')).toEqual(['train-model']);
    const readers = functionsAllowed(({ Condition }) => JSON.stringify(Condition ?? '').includes('"ACCOUNTS"'));
    expect(readers).toEqual(['train-model']);
  });

  it('puts every error of the gateway into our envelope', () => {
    const responses = ofType(resources, 'AWS::ApiGateway::GatewayResponse');
    expect(responses.map(({ Properties: { ResponseType } }) => ResponseType).sort()).toEqual(GATEWAY_RESPONSE_TYPES);
    for (const { Properties: response } of responses) {
      const { error } = JSON.parse(response.ResponseTemplates['application/json']);
      expect(error).toEqual({
        code: expect.any(String),
        message: expect.any(String),
        request_id: '$context.requestId',
      });
      expect(response.StatusCode).toBe(String(STATUS_OF[error.code]));
      expect(response.ResponseParameters).toMatchObject({
        'gatewayresponse.header.X-Request-Id': 'context.requestId',
        'gatewayresponse.header.X-Api-Version': "'2026-11-14'",
      });
      const retried = ['rate_limited', 'unavailable'].includes(error.code);
      expect('gatewayresponse.header.Retry-After' in response.ResponseParameters).toBe(retried);
    }
  });

  const methods = ofType(resources, 'AWS::ApiGateway::Method');

  it.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))('serves %s', (_name, route) => {
    const at = methods.filter(({ Properties: { ResourceId } }) => pathOf(resources, ResourceId) === route.path);
    const ofMethod = (name: string) => at.find(({ Properties: { HttpMethod } }) => HttpMethod === name)?.Properties;
    const method = ofMethod(route.method) ?? ofMethod('ANY');
    expect(method?.Integration.Type).toBe('AWS_PROXY');
    expect(method?.AuthorizationType).toBe(route.public ? 'NONE' : 'CUSTOM');
    expect(method?.ApiKeyRequired ?? false).toBe(!route.public);

    // A family that has the path to itself answers every method, with 405 where it has no route (serve-family.test.ts).
    const other = ofMethod('ANY');
    if (method === other) {
      expect(route.family).toBeDefined();
      return;
    }
    const answer = other?.Integration.IntegrationResponses[0];
    expect(answer.StatusCode).toBe('405');
    expect(answer.ResponseParameters['method.response.header.Allow']).toContain(route.method);
    expect(JSON.parse(answer.ResponseTemplates['application/json']).error.code).toBe('method_not_allowed');
  });

  it('answers 404 wherever there is no route, whatever the Authorization header is taken for', () => {
    const served = new Set(methods.map(({ Properties: { ResourceId } }) => JSON.stringify(ResourceId)));
    const unserved = ofType(resources, 'AWS::ApiGateway::Resource').filter(({ id }) => !served.has(`{"Ref":"${id}"}`));
    expect(unserved.map(({ id }) => id)).toEqual([]);
    const closed = methods.filter(({ Properties: p }) => JSON.stringify(p.Integration).includes('not_found'));
    const paths = closed.map(({ Properties: p }) => pathOf(resources, p.ResourceId));
    expect(paths).toEqual(expect.arrayContaining(['', '/{proxy+}', '/v1', '/v1/users']));
    for (const { Properties: p } of closed) {
      expect([p.HttpMethod, p.AuthorizationType, p.Integration.Type]).toEqual(['ANY', 'NONE', 'MOCK']);
    }
  });

  it('answers by mocks whatever the content type: each has its template, the same for all', () => {
    const mocks = methods.filter(({ Properties: p }) => p.Integration.Type === 'MOCK');
    expect(mocks.length).toBeGreaterThan(15);
    for (const { Properties: p } of mocks) {
      const { RequestTemplates: templates, IntegrationResponses: answers } = p.Integration;
      expect(Object.keys(templates)).toEqual(
        expect.arrayContaining(['application/json', 'application/x-www-form-urlencoded', 'text/plain']),
      );
      expect(new Set(Object.values(templates))).toEqual(new Set([`{"statusCode":${answers[0].StatusCode}}`]));
    }
  });

  it('lets the gateway invoke a function for its own routes, with or without a slash at the end', () => {
    const from = (name: string) => {
      const [permission] = ofType(resources, 'AWS::Lambda::Permission').filter(({ id }) =>
        id.startsWith(`${name}Gateway`),
      );
      return permission?.Properties.SourceArn['Fn::Join'][1].at(-1);
    };
    expect(['Afd', 'GetCase', 'ListWebhooks', 'DeleteWebhook', 'Authorize'].map(from)).toEqual([
      `/${stage}/POST/afd*`,
      `/${stage}/GET/v1/cases/**`,
      `/${stage}/GET/v1/webhooks*`,
      `/${stage}/DELETE/v1/webhooks/**`,
      '/authorizers/*',
    ]);
  });

  it('forgets a revoked key within 60 s', () => {
    const [authorizer] = ofType(resources, 'AWS::ApiGateway::Authorizer');
    expect(authorizer?.Properties.AuthorizerResultTtlInSeconds).toBeLessThanOrEqual(60);
  });

  it("lets Amazon Fraud Detector's client in by an authorizer of its own, which caches nothing", () => {
    const authorizers = ofType(resources, 'AWS::ApiGateway::Authorizer');
    const [own, ...others] = authorizers.filter(({ Properties: { Type } }) => Type === 'REQUEST');
    expect(others).toEqual([]);
    expect(own?.Properties).toMatchObject({
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 0,
    });
    const [method, ...more] = methods.filter(({ Properties: p }) => p.AuthorizerId?.Ref === own?.id);
    expect(more).toEqual([]);
    expect(method?.Properties).toMatchObject({ HttpMethod: 'POST', AuthorizationType: 'CUSTOM', ApiKeyRequired: true });
    expect(pathOf(resources, method?.Properties.ResourceId)).toBe('/afd');
  });

  it('limits the stage as a whole and each account', () => {
    const [deployed] = ofType(resources, 'AWS::ApiGateway::Stage');
    const [all] = deployed?.Properties.MethodSettings.filter((each: Properties) => each.ResourcePath === '/*') ?? [];
    const [rate, burst] = stage === 'production' ? [8_000, 4_000] : [1_000, 500];
    expect(all).toMatchObject({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst, DataTraceEnabled: false });
    const [plan] = ofType(resources, 'AWS::ApiGateway::UsagePlan');
    expect(plan?.Properties.Throttle).toEqual({ RateLimit: 1_000, BurstLimit: 2_000 });
  });

  it('logs nothing personal about access', () => {
    const [deployed] = ofType(resources, 'AWS::ApiGateway::Stage');
    const format: string = deployed?.Properties.AccessLogSetting.Format;
    for (const personal of ['identity', 'sourceIp', 'userAgent', 'requestOverride', 'apiKey']) {
      expect(format).not.toContain(personal);
    }
  });
});

describe('the two stages', () => {
  it('are one stack class: the same resources, apart from their names', () => {
    const shape = (stage: string) =>
      resourcesOf(`FraudScreening-${stage}`)
        .map(({ Type, Metadata }) => `${Type} ${String(Metadata?.['aws:cdk:path'])}`)
        // Permissions carry the hash of the alias they are for.
        .map((line) => line.replaceAll(stage, 'STAGE').replace(/[0-9A-F]{8}/g, ''))
        .sort();
    expect(shape('sandbox')).toEqual(shape('production'));
  });

  it('accept keys of their own prefix only', () => {
    const expression = (stage: string): string =>
      ofType(resourcesOf(`FraudScreening-${stage}`), 'AWS::ApiGateway::Authorizer').find(
        ({ Properties: { Type } }) => Type === 'TOKEN',
      )?.Properties.IdentityValidationExpression;
    expect(expression('sandbox')).toContain('sk_test_');
    expect(expression('production')).toContain(['sk', 'live', ''].join('_'));
  });
});

describe('the model registry', () => {
  const resources = resourcesOf('FraudScreening-Models');

  it('keeps every version of every model, in private', () => {
    const [bucket] = ofType(resources, 'AWS::S3::Bucket');
    expect(bucket).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate' });
    expect(bucket?.Properties).toMatchObject({
      VersioningConfiguration: { Status: 'Enabled' },
      PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
    });
    const [policy] = ofType(resources, 'AWS::S3::BucketPolicy');
    expect(JSON.stringify(policy?.Properties)).toContain('aws:SecureTransport');
  });

  it.each([
    ['sandbox', 'sandbox/'],
    ['production', ''],
  ])('is written in its own part by what trains in %s, and nowhere else by anything there', (stage, own) => {
    const stacks = resolveStacks(loadAssembly(assemblyUnderTest(), `FraudScreening-${stage}`), 'http://localhost:1');
    const [bucket] = stacks.ofType('AWS::S3::Bucket').filter(({ logicalId }) => logicalId.startsWith('Models'));
    const roles = rolesOf(stacks);
    const writersOf = (key: string): string[] =>
      stacks.ofType('AWS::IAM::Role').flatMap((role) => {
        const may = roles.get(role.attribute('Arn'));
        const resource = `${bucket?.attribute('Arn')}/${key}`;
        const actions = ['s3:PutObject', 's3:DeleteObject', 's3:PutObjectAcl', 's3:DeleteObjectVersion'];
        return actions
          .filter((action) => may?.({ action, resource }) !== 'not allowed')
          .map((action) => `${role.logicalId.replace(/Role[0-9A-F]{8}$/, '')} ${action}`);
      });
    for (const prefix of ['', 'sandbox/', 'production/', 'x'])
      for (const file of ['registry.json', 'models/lgbm-1/artefact.bin']) {
        const writers = writersOf(prefix + file);
        const expected = prefix === own ? ['ModelTrainingTrainModel s3:PutObject'] : [];
        expect({ prefix, file, writers }).toEqual({ prefix, file, writers: expected });
      }
  });
});
