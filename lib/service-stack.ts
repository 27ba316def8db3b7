import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { SignInSettings } from '../shared/domain/accounts/token-holder';
import type { Stage } from '../shared/domain/stage';
import { ROUTES } from '../shared/routes';
import { functionOf, type Route } from '../shared/routes/define-route';
import { OverviewTally } from './constructs/overview-tally';
import { ReviewConsole, type ReviewConsoleProps } from './constructs/review-console';
import { ServiceApi, type ServiceApiProps } from './constructs/service-api';
import { FunctionStack, ServiceFunction } from './constructs/service-function';
import { bindLists, bindTable, DataKey, ServiceTable } from './constructs/service-table';
import { bindModels, Erasures, ModelTraining, Sweeps } from './constructs/sweeps';
import { Warehouse, type WarehouseOptions } from './constructs/warehouse';
import { WebhookDelivery } from './constructs/webhook-delivery';
import {
  AFD_ACCESS,
  AUTHORIZER_ACCESS,
  FUNCTION_ACCESS,
  type FunctionAccess,
  type FunctionName,
} from './function-access';
import { Monitoring, type MonitoringOptions } from './monitoring/monitoring';
import type { SignInOptions } from './sign-in-options';

export interface ServiceStackProps
  extends StackProps,
    Pick<ServiceApiProps, 'stageThrottle' | 'accountThrottle' | 'dailyQuota' | 'domain'> {
  readonly stage: Stage;
  readonly models: Bucket;
  readonly monitoring: MonitoringOptions;
  /** Whether analysts get the console: without it no CloudFront is created, which some accounts may not use. */
  readonly console: boolean;
  readonly consoleDomain?: ReviewConsoleProps['domain'];
  /** The ARN of an EventBridge bus that gets every event. @default events go to webhooks only */
  readonly eventBus?: string;
  /** Decisions, outcomes and cases as Parquet files, and Athena to ask them. @default none of it */
  readonly warehouse?: WarehouseOptions;
  /** Screenings per second, on average, that the table's capacity is provisioned for. @default paid per request */
  readonly provisionedFor?: number;
  /** How people sign in by OpenID Connect. @default with API keys only */
  readonly signIn?: SignInOptions;
}

/**
 * A complete stage: table, API, background functions, monitoring, and nested in it the functions that serve requests.
 * `sandbox` and `production` are two of these.
 */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id, { ...props, description: `Fraud screening service, ${props.stage}` });
    const { stage } = props;
    const { provisionedFor } = props;
    const { table } = new ServiceTable(this, 'Data', { provisionedFor });
    const dataKey = new DataKey(this, 'DataKey');
    const home = new FunctionStack(this, 'Functions', `Fraud screening service, ${stage}: what serves requests`);

    const { signIn } = props;
    const authorizer = new ServiceFunction(this, 'Authorize', {
      bundle: 'authorize',
      stage,
      home,
      ...(signIn ? { environment: { SIGN_IN: JSON.stringify(tokenSettings(signIn)) } } : {}),
    });
    bindTable(authorizer, table, AUTHORIZER_ACCESS);

    const { stageThrottle, accountThrottle, dailyQuota, domain } = props;
    const api = new ServiceApi(this, 'Api', {
      stage,
      authorizer,
      stageThrottle,
      accountThrottle,
      takesTokens: signIn !== undefined,
      publicRoutes: ROUTES.filter((route: Route) => route.public),
      ...(dailyQuota ? { dailyQuota } : {}),
      ...(domain ? { domain } : {}),
    });
    const handlers = new Map<FunctionName, ServiceFunction>();
    const open = (name: string, access: FunctionAccess): ServiceFunction => {
      const { timeoutSeconds } = access;
      const timeout = timeoutSeconds === undefined ? {} : { timeout: Duration.seconds(timeoutSeconds) };
      const handler = new ServiceFunction(this, pascalCase(name), { bundle: name, stage, home, ...timeout });
      if (access.table) bindTable(handler, table, access.table);
      if (access.lists) bindLists(handler, table, access.lists);
      if (access.secret) dataKey.bind(handler);
      if (access.models) bindModels(handler, props.models, { stage, to: 'score' });
      return handler;
    };
    for (const name of new Set(ROUTES.map((route) => functionOf(route)))) {
      handlers.set(name, open(name, FUNCTION_ACCESS[name]));
    }
    api.serve(ROUTES.map((route) => ({ route, handler: handlers.get(functionOf(route)) as ServiceFunction })));
    api.serveSigned('/afd', authorizer, open('afd', AFD_ACCESS));
    api.closeUnknownRoutes();

    new Sweeps(this, 'Sweeps', { stage, table });
    new ModelTraining(this, 'ModelTraining', { stage, table, models: props.models, provisionedFor });
    const warehouse = props.warehouse ? new Warehouse(this, 'Warehouse', { stage, ...props.warehouse }) : undefined;
    new Erasures(this, 'Erasures', { stage, table, dataKey, warehouse, provisionedFor });
    warehouse?.bindHiding(handlers.get('explore') as ServiceFunction);
    warehouse?.bindAsking(handlers.get('rules') as ServiceFunction);
    const { eventBus } = props;
    const { queues } = new WebhookDelivery(this, 'Delivery', { stage, table, dataKey, eventBus, warehouse });
    new OverviewTally(this, 'Overview', { stage, table });
    const { consoleDomain } = props;
    const console = props.console
      ? new ReviewConsole(this, 'Console', {
          stage,
          api: api.api,
          ...(consoleDomain ? { domain: consoleDomain } : {}),
          ...(signIn ? { signIn } : {}),
        })
      : undefined;
    // Last: it finds every function that the stack has so far.
    const monitoring = new Monitoring(this, 'Monitoring', {
      stage,
      table,
      queues,
      home,
      apiName: api.apiName,
      accessLog: api.accessLog,
      warehouse,
      ...props.monitoring,
    });

    const outputs = {
      ApiUrl: api.api.url,
      ...api.domainOutputs(),
      ...console?.outputs(),
      TableName: table.tableName,
      UsagePlanId: api.usagePlan.usagePlanId,
      DataKeySecretId: dataKey.secretArn,
      ModelRegistryBucket: props.models.bucketName,
      DeadLetterQueueUrl: queues.dead.queueUrl,
      RetryQueueUrl: queues.retries.queueUrl,
      ...monitoring.outputs(),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

/** The settings that the authorizer needs; the rest is for the console. */
const tokenSettings = ({ scope: _scope, origins: _origins, ...settings }: SignInOptions): SignInSettings => settings;

const pascalCase = (name: string): string =>
  name.replace(/(^|-)([a-z])/g, (_match, _dash, letter: string) => letter.toUpperCase());
