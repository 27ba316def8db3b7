import { type CfnStack, Duration, NestedStack, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaFunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
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
  /** Sends to a queue that invokes it: Lambda would treat that as an endless loop after about 16 rounds. @default false */
  readonly loops?: boolean;
  /**
   * The nested stack that everything but its log is in: the log stays where the construct is, and outlives any change of
   * the function (ADR 0040). @default all in one stack
   */
  readonly home?: Construct | undefined;
  /** @default nothing but the stage */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The alias that everything calls: the version it points to is live. */
export const LIVE = 'live';

/** Requirements of the rule packs for a scheduled function: the next event does the work that this one missed. */
const SCHEDULED_RULES = ['Serverless-LambdaDLQ', 'Serverless-EventBusDLQ', 'Serverless-LambdaAsyncFailureDestination'];

/** A role with inline permissions: a separate policy would take another of the stack's 500 resources. */
class FunctionRole extends Role {
  private readonly access: PolicyDocument;

  constructor(scope: Construct, id: string, path: string | undefined) {
    const access = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Access: access },
      ...(path ? { path } : {}),
    });
    this.access = access;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.access.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

/** Why nothing is traced: X-Ray keeps traces for 30 days, and nobody can erase a user from them. */
const NOT_TRACED =
  'A trace of API Gateway has the URL, with user IDs and list values, and is kept for 30 days beyond any erasure; log lines have durations.';

/** The base of all our Lambda functions: its own role that only allows logging, retained logs, arm64. */
export class ServiceFunction extends Construct {
  readonly bundle: string;
  private readonly isScheduled: boolean;
  readonly lambda: LambdaFunction;
  /** The target of integrations, event sources and schedules, so that a deployment can shift traffic and roll back. */
  readonly live: IFunction;
  /** The same alias, in the type that deployment groups need. */
  readonly alias: Alias;
  /** Where its code is: this construct, or a part of a nested stack. */
  readonly code: Construct;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    this.bundle = props.bundle;
    this.isScheduled = props.scheduled ?? false;
    const bundle = bundleFunctions().get(props.bundle);
    if (!bundle) throw new Error(`functions/ has no handler named ${props.bundle}`);

    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.code = props.home ? new Construct(props.home, id) : this;
    // CloudFormation may leave a long stack's name out of what it names in there: the path keeps roles where
    // docs/policies/execution.json allows them (https://github.com/aws-samples/sample-autonomous-cloud-coding-agents/issues/865).
    const role = new FunctionRole(this.code, 'Role', props.home ? `/${Stack.of(this).stackName}/` : undefined);
    this.lambda = new LambdaFunction(this.code, 'Function', {
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
      timeout: props.timeout ?? Duration.seconds(10),
      memorySize: props.memorySize ?? 1024,
      environment: { STAGE: props.stage, ...props.environment },
      recursiveLoop: props.loops ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
      // A version is deleted with the deployment that created it. Kept versions would make the same commit fail after a
      // rollback ("A version for this Lambda function exists"); rolling back means deploying the older commit.
      currentVersionOptions: { removalPolicy: RemovalPolicy.DESTROY },
    });
    // CDK's classes do not match their own interfaces under exactOptionalPropertyTypes, hence the two casts.
    this.alias = new Alias(this.code, 'Live', {
      aliasName: LIVE,
      version: this.lambda.currentVersion as IVersion,
      // EventBridge invokes asynchronously, and by default Lambda would retry each event twice.
      ...(props.scheduled ? { retryAttempts: 0 } : {}),
    });
    this.live = this.alias as IFunction;
    this.lambda.addToRolePolicy(
      new PolicyStatement({
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [logGroup.logGroupArn],
      }),
    );
    this.acknowledge('Serverless-LambdaTracing', NOT_TRACED);
  }

  /** Says why a rule of the packs does not apply, wherever the function's parts are. */
  acknowledge(id: string, reason: string): void {
    for (const part of new Set<Construct>([this, this.code])) Validations.of(part).acknowledge({ id, reason });
  }

  /** A scheduled function sends its metrics every few minutes, traffic or not, and each costs $0.30 per month. */
  keepMetricsWhenScheduled(): void {
    if (this.isScheduled) this.lambda.addEnvironment('SCHEDULED_METRICS', 'off');
  }
}

export interface ScheduleProps {
  readonly every: Duration;
  readonly does: string;
  /** An event that could not be handed over for this long is dropped. @default as long as until the next one */
  readonly maxAge?: Duration;
}

/** Calls a function again and again; a failed event is not retried. */
export function schedule(scope: Construct, id: string, { live }: ServiceFunction, props: ScheduleProps): void {
  const { every, does, maxAge = every } = props;
  new Rule(scope, id, {
    description: does,
    schedule: Schedule.rate(every),
    targets: [new LambdaFunctionTarget(live, { retryAttempts: 0, maxEventAge: maxAge })],
  });
  const reason = 'The event says only that some time has passed; the next one does the work that this one missed.';
  for (const ruleId of SCHEDULED_RULES) Validations.of(scope).acknowledge({ id: ruleId, reason });
}

/**
 * The functions that serve requests, in a stack nested in that of the stage (ADR 0040): their code, versions, aliases,
 * deployments and what may invoke them. Nothing in it holds data, so it may be made again at any time.
 */
export class FunctionStack extends NestedStack {
  constructor(scope: Construct, id: string, description: string) {
    super(scope, id, { description });
    // CDK's own name has 60 letters; names that CloudFormation derives from the nested stack would lose the stage.
    (this.nestedStackResource as CfnStack).overrideLogicalId(id);
  }
}
