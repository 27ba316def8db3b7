import { ArnFormat, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiKeySourceType,
  AuthorizationType,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  LogGroupLogDestination,
  Method,
  MethodLoggingLevel,
  Period,
  RequestAuthorizer,
  Resource,
  RestApi,
  SecurityPolicy,
  TokenAuthorizer,
  type UsagePlan,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnPermission, type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { KEY_PREFIX, type Stage } from '../../shared/domain/stage';
import type { Route } from '../../shared/routes/define-route';
import { addGatewayResponses, addMethodNotAllowed, addNotFound } from './gateway-responses';
import type { ServiceFunction } from './service-function';

/** Requests per second, and how many may arrive at once on top. */
export interface Throttle {
  readonly rateLimit: number;
  readonly burstLimit: number;
}

export interface ServiceApiProps {
  readonly stage: Stage;
  readonly authorizer: ServiceFunction;
  readonly stageThrottle: Throttle;
  /** For each account, by its usage-plan key. */
  readonly accountThrottle: Throttle;
  /** Whether access tokens of people who signed in are taken in place of keys. */
  readonly takesTokens: boolean;
  /** Requests per day for each account. @default as many as the rate allows */
  readonly dailyQuota?: number;
  /** Routes without a key, each with its own small throttle. */
  readonly publicRoutes: ReadonlyArray<Pick<Route, 'method' | 'path' | 'throttle'>>;
  /** @default the address that API Gateway assigns */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
}

/** A route and the function that serves it. */
export interface Served {
  readonly route: Route;
  readonly handler: ServiceFunction;
}

/**
 * Anyone may fetch the reference, a megabyte from a function: enough for every developer of a platform at once, and at
 * most a few dollars per day if someone tries to run up the bill.
 */
const PUBLIC_THROTTLE: Throttle = { rateLimit: 5, burstLimit: 20 };

// A revoked key stays in the gateway's cache for at most this long; the promise is 60 s.
const AUTHORIZER_CACHE = Duration.seconds(50);

// A function serves one route or one family, so Lambda's own metrics tell them apart; the gateway's cost $1.50 per method.
const METHOD_OPTIONS = { metricsEnabled: false, loggingLevel: MethodLoggingLevel.ERROR, dataTraceEnabled: false };

const keyOf = (stage: Stage): string => `${KEY_PREFIX[stage]}[0-9A-Za-z]{38}`;
const TOKEN = '[0-9A-Za-z_-]{2,2000}[.][0-9A-Za-z_-]{2,6000}[.][0-9A-Za-z_-]{2,2000}';

// No address, no user agent, no query: an access log line holds nothing personal.
const ACCESS_LOG = {
  requestId: '$context.requestId',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  latency_ms: '$context.responseLatency',
  integration_ms: '$context.integrationLatency',
  account_id: '$context.authorizer.account_id',
  error: '$context.error.responseType',
};

/** The REST API of a stage: a function per route or family of routes, every error in our envelope. */
export class ServiceApi extends Construct {
  readonly api: RestApi;
  readonly apiName: string;
  readonly usagePlan: UsagePlan;
  readonly accessLog: LogGroup;
  private readonly authorizer: TokenAuthorizer;
  private readonly callees = new Map<ServiceFunction, IFunction>();

  constructor(
    scope: Construct,
    id: string,
    private readonly props: ServiceApiProps,
  ) {
    super(scope, id);
    const { stage, stageThrottle } = props;
    this.accessLog = new LogGroup(this, 'AccessLog', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.apiName = `Fraud screening, ${stage}`;
    this.api = new RestApi(this, 'RestApi', {
      restApiName: this.apiName,
      endpointTypes: [EndpointType.REGIONAL],
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: true,
      deployOptions: {
        stageName: stage,
        ...METHOD_OPTIONS,
        // A method's own settings replace all of the stage's settings for it. They name a real method: with ANY, API Gateway
        // refuses the stage ("Invalid method setting path"), which no change set tells beforehand.
        methodOptions: Object.fromEntries(
          props.publicRoutes.map(({ method, path, throttle = PUBLIC_THROTTLE }) => [
            `${path}/${method}`,
            {
              ...METHOD_OPTIONS,
              throttlingRateLimit: throttle.rateLimit,
              throttlingBurstLimit: throttle.burstLimit,
            },
          ]),
        ),
        throttlingRateLimit: stageThrottle.rateLimit,
        throttlingBurstLimit: stageThrottle.burstLimit,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
      ...(props.domain
        ? {
            domainName: {
              domainName: props.domain.name,
              certificate: Certificate.fromCertificateArn(this, 'Certificate', props.domain.certificateArn),
              securityPolicy: SecurityPolicy.TLS_1_2,
              endpointType: EndpointType.REGIONAL,
            },
          }
        : {}),
    });
    addGatewayResponses(this.api, stage);
    this.expireExecutionLog(stage);
    this.authorizer = new TokenAuthorizer(this, 'Authorizer', {
      handler: this.calleeOf(props.authorizer, 'authorizers/*'),
      resultsCacheTtl: AUTHORIZER_CACHE,
      // The gateway refuses anything but a key of this stage or a signed token before any function runs.
      validationRegex: `^[Bb][Ee][Aa][Rr][Ee][Rr] ${props.takesTokens ? `(${keyOf(stage)}|${TOKEN})` : keyOf(stage)}$`,
    });
    this.usagePlan = this.api.addUsagePlan('AccountPlan', {
      description: 'The rate limit of each account',
      throttle: props.accountThrottle,
      ...(props.dailyQuota ? { quota: { limit: props.dailyQuota, period: Period.DAY } } : {}),
      apiStages: [{ stage: this.api.deploymentStage }],
    });
    acknowledgeSynchronous(props.authorizer);
    this.acknowledge();
  }

  /** Serves each route with its function, and 405 for every other method on its path. */
  serve(routes: readonly Served[]): void {
    for (const path of new Set(routes.map(({ route }) => route.path))) {
      const onPath = routes.filter(({ route }) => route.path === path);
      const [first, ...others] = onPath as [Served, ...Served[]];
      // A family that has the path to itself gets every method, and answers 405 itself: fewer resources. Not what anybody may
      // call: it has its own throttle, which takes a real method.
      const { family, public: isPublic } = first.route;
      const alone = family && !isPublic && others.every(({ handler }) => handler === first.handler);
      if (alone) this.addMethod('ANY', first);
      else {
        for (const each of onPath) this.addMethod(each.route.method, each);
        const methods = onPath.map(({ route }) => route.method);
        addMethodNotAllowed(this.api.root.resourceForPath(path), methods);
      }
    }
  }

  private addMethod(name: string, { route, handler }: Served): void {
    // One permission for all paths of a family; a function of one route may be called for that route only. A request to
    // `/path/` reaches the resource `/path`: the star at the end admits it, whichever of the two API Gateway then asks for.
    const called = route.family ? '*' : `${route.method}${route.path.replace(/\{\w+\}/g, '*')}*`;
    const integration = new LambdaIntegration(this.calleeOf(handler, `${this.props.stage}/${called}`));
    const resource = this.api.root.resourceForPath(route.path);
    const method = route.public
      ? resource.addMethod(name, integration, { authorizationType: AuthorizationType.NONE })
      : resource.addMethod(name, integration, {
          authorizer: this.authorizer,
          authorizationType: AuthorizationType.CUSTOM,
          apiKeyRequired: true,
        });
    acknowledgeMethod(method, route);
    acknowledgeSynchronous(handler);
  }

  /**
   * Serves POST on a path for clients that sign with AWS's signature version 4, their access key ID being one of our
   * keys. Its own authorizer, because the other one's expression refuses such a header before the function runs. Nothing
   * is cached here: each signature makes another header. The function remembers keys itself.
   */
  serveSigned(path: string, authorizer: ServiceFunction, handler: ServiceFunction): void {
    const resource = this.api.root.resourceForPath(path);
    const callee = this.calleeOf(handler, `${this.props.stage}/POST${path}*`);
    const method = resource.addMethod('POST', new LambdaIntegration(callee), {
      authorizer: new RequestAuthorizer(this, 'SignedAuthorizer', {
        handler: this.calleeOf(authorizer, 'authorizers/*'),
        identitySources: [IdentitySource.header('Authorization')],
        resultsCacheTtl: Duration.seconds(0),
      }),
      authorizationType: AuthorizationType.CUSTOM,
      apiKeyRequired: true,
    });
    acknowledgeMethod(method, {});
    acknowledgeSynchronous(handler);
    addMethodNotAllowed(resource, ['POST']);
  }

  /**
   * Answers 404 wherever there is no route, once all are served. Left to itself, API Gateway takes a request for an unknown
   * path as one that is signed with AWS's signature, and an API key in `Authorization` as a bad signature: 403 or 400, as the
   * header happens to be (https://github.com/HumanCellAtlas/data-store/issues/328).
   */
  closeUnknownRoutes(): void {
    addNotFound(this.api.root.addResource('{proxy+}'));
    const resources = this.api.root.node.findAll().filter((each): each is Resource => each instanceof Resource);
    // A path that only leads to others is known to API Gateway, and so not one for the greedy resource.
    for (const resource of [this.api.root, ...resources]) {
      const isServed = resource.node.children.some((child) => child instanceof Method);
      if (!isServed) addNotFound(resource);
    }
  }

  /**
   * The function as the gateway calls it, with leave to call it from there. The permission is in the function's stack, made
   * before any method refers to the function; CDK would put it next to the method, to be made some time later.
   */
  private calleeOf(handler: ServiceFunction, from: string): IFunction {
    const known = this.callees.get(handler);
    if (known) return known;
    const { functionArn } = handler.live;
    const arn = Stack.of(this).formatArn({
      service: 'execute-api',
      resource: this.api.restApiId,
      resourceName: from,
      arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
    });
    new CfnPermission(handler.code, 'Gateway', {
      action: 'lambda:InvokeFunction',
      functionName: functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: arn,
    });
    const options = { functionArn, sameEnvironment: false, skipPermissions: true };
    const callee = LambdaFunction.fromFunctionAttributes(this, `Call ${handler.bundle}`, options);
    this.callees.set(handler, callee);
    return callee;
  }

  /** The target of a custom domain's DNS record, with the hosted zone for an alias record in Route 53. */
  domainOutputs(): Readonly<Record<string, string>> {
    const { domainName: domain } = this.api;
    return domain
      ? { ApiDomainTarget: domain.domainNameAliasDomainName, ApiDomainTargetZone: domain.domainNameAliasHostedZoneId }
      : {};
  }

  /** API Gateway writes its errors to a log group that it would otherwise create itself and keep forever. */
  private expireExecutionLog(stage: Stage): void {
    const log = new LogGroup(this, 'ExecutionLog', {
      logGroupName: `API-Gateway-Execution-Logs_${this.api.restApiId}/${stage}`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.api.deploymentStage.node.addDependency(log);
  }

  private acknowledge(): void {
    const reasons: ReadonlyArray<readonly [string, string]> = [
      [
        'AwsSolutions-APIG2',
        'Functions validate requests with our schemas and report all problems at once, in our format.',
      ],
      [
        'AwsSolutions-APIG3',
        'WAF costs $5 per month when idle and scales with traffic: left to the platform to attach.',
      ],
      [
        'Serverless-APIGWXrayEnabled',
        'X-Ray would keep the URL of every traced request for 30 days, with user IDs and list values, beyond any erasure.',
      ],
      [
        'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
        'The role by which API Gateway writes its logs: the policy that AWS makes for just that.',
      ],
    ];
    for (const [id, reason] of reasons) Validations.of(this.api).acknowledge({ id, reason });
  }
}

function acknowledgeSynchronous(handler: ServiceFunction): void {
  handler.acknowledge(
    'Serverless-LambdaDLQ',
    'The gateway waits for the answer and hands the failure to the caller: nothing is queued that could be lost.',
  );
}

function acknowledgeMethod(method: Method, route: Pick<Route, 'public'>): void {
  const reason = route.public
    ? 'Public by contract: the reference of the API, or the address of a payment processor, which signs what it sends.'
    : 'Our own authorizer checks API keys; merchants are servers, not Cognito users.';
  Validations.of(method).acknowledge({ id: 'AwsSolutions-COG4', reason });
  if (route.public) Validations.of(method).acknowledge({ id: 'AwsSolutions-APIG4', reason });
}
