import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { bundleFunctions } from '../bundling/bundle-functions';

export interface ServiceFunctionProps {
  /** The handler's file name below functions/, without its extension. */
  readonly bundle: string;
  readonly stage: Stage;
  /** @default 10 seconds */
  readonly timeout?: Duration;
  /** @default 1024 MB: the SDK's share of a cold start is CPU, and CPU comes with memory */
  readonly memorySize?: number;
  /** Runs on a schedule: a failed event is not retried, because the next one does its work. @default false */
  readonly scheduled?: boolean;
  /** Runs without a request that waits for it. @default as `scheduled` */
  readonly background?: boolean;
  /** Sends to a queue that invokes it: Lambda would treat that as an endless loop after about 16 rounds. @default false */
  readonly loops?: boolean;
  /** @default nothing but the stage */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The alias that everything calls: the version it points to is live. */
export const LIVE = 'live';

/** What the rule packs require of a scheduled function; code that schedules one says why it is not needed. */
export const SCHEDULED_RULES = [
  'Serverless-LambdaDLQ',
  'Serverless-EventBusDLQ',
  'Serverless-LambdaAsyncFailureDestination',
] as const;

/** The base of all our Lambda functions: its own role that only allows logging, retained logs, tracing, arm64. */
export class ServiceFunction extends Construct {
  readonly bundle: string;
  private readonly isScheduled: boolean;
  /** The function itself, for grants and environment variables. */
  readonly lambda: LambdaFunction;
  /** What integrations, event sources and schedules call, so that a deployment can shift traffic and roll back. */
  readonly live: IFunction;
  /** The same alias, in the type that deployment groups need. */
  readonly alias: Alias;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    this.bundle = props.bundle;
    this.isScheduled = props.scheduled ?? false;
    const isBackground = props.background ?? this.isScheduled;
    const bundle = bundleFunctions().get(props.bundle);
    if (!bundle) throw new Error(`functions/ has no handler named ${props.bundle}`);

    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      description: `Fraud screening, ${props.stage}: ${props.bundle}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(bundle.directory),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Not Lambda's own lines at the start and end of each invocation: ours says as much, and they would double the log.
      systemLogLevelV2: SystemLogLevel.WARN,
      // The gateway decides which requests are traced. What runs without one would be sampled by X-Ray's default, once per
      // second for every function, and nobody can change that rate: https://docs.aws.amazon.com/lambda/latest/dg/services-xray.html
      tracing: isBackground ? Tracing.DISABLED : Tracing.ACTIVE,
      timeout: props.timeout ?? Duration.seconds(10),
      memorySize: props.memorySize ?? 1024,
      environment: { STAGE: props.stage, ...props.environment },
      recursiveLoop: props.loops ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
      // A version is deleted with the deployment that created it. Kept versions would make the same commit fail after a
      // rollback ("A version for this Lambda function exists"); rolling back means deploying the older commit.
      currentVersionOptions: { removalPolicy: RemovalPolicy.DESTROY },
    });
    // CDK's classes do not match their own interfaces under exactOptionalPropertyTypes, hence the two casts.
    this.alias = new Alias(this, 'Live', {
      aliasName: LIVE,
      version: this.lambda.currentVersion as IVersion,
      // EventBridge invokes asynchronously, and by default Lambda would retry each event twice.
      ...(props.scheduled ? { retryAttempts: 0 } : {}),
    });
    this.live = this.alias as IFunction;
    Validations.of(this).acknowledge(
      isBackground
        ? {
            id: 'Serverless-LambdaTracing',
            reason:
              'No request waits for it; its log line has the duration, and a trace per second would cost $13 per month.',
          }
        : {
            id: 'AwsSolutions-IAM5[Resource::*]',
            reason: 'xray:PutTraceSegments and PutTelemetryRecords take no resource; nothing else of the role is wild.',
          },
    );
  }

  /** A scheduled function sends its metrics every few minutes, traffic or not, and each costs $0.30 per month. */
  keepMetricsWhenScheduled(): void {
    if (this.isScheduled) this.lambda.addEnvironment('SCHEDULED_METRICS', 'off');
  }
}
