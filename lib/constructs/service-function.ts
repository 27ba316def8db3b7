import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';
import { bundleFunctions } from '../bundling/bundle-functions';

export interface ServiceFunctionProps {
  /** The handler's file name below functions/, without its ending. */
  readonly bundle: string;
  readonly stage: Stage;
  /** @default 10 seconds */
  readonly timeout?: Duration;
  /** @default 1024 MB: the SDK's share of a cold start is CPU, and CPU comes with memory */
  readonly memorySize?: number;
  /** @default nothing but the stage */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A Lambda function as all of ours are: own role with nothing in it but its log, kept logs, traced, arm64. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
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
      tracing: Tracing.ACTIVE,
      timeout: props.timeout ?? Duration.seconds(10),
      memorySize: props.memorySize ?? 1024,
      environment: { STAGE: props.stage, ...props.environment },
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'xray:PutTraceSegments and PutTelemetryRecords take no resource; nothing else of the role is wild.',
    });
  }
}
