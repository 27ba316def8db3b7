import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localCredentials } from '../../shared/runtime/local-credentials';
import { SDK_ENVIRONMENT } from '../../shared/runtime/sdk-environment';
import { StartError } from '../start-error';
import type { Stack, StackResource } from '../template/resolve-stack';

export interface FunctionConfig {
  readonly logicalId: string;
  /** The developer's name for it; also the name of its log file. */
  readonly name: string;
  readonly functionName: string;
  readonly arn: string;
  readonly roleArn: string;
  readonly taskRoot: string;
  readonly handler: string;
  readonly timeoutSeconds: number;
  /** When an invocation is stopped: the timeout, stretched with the time budgets of a test's run. */
  readonly stopAfterSeconds: number;
  /** Loading the bundle has its own limit, as in Lambda. */
  readonly initLimitMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Where its log lines go: its role must be allowed to write there, or they are lost. */
  readonly logGroupArn: string;
  /** Lambda stops a function that keeps calling itself through a queue, unless this is declared as intended. */
  readonly mayLoop: boolean;
  /** How far functions are ahead of this machine's clock (see function-clock.ts). */
  readonly clock?: SharedArrayBuffer | undefined;
}

interface FunctionProperties {
  readonly Code: { readonly S3Key?: string; readonly ZipFile?: string };
  readonly Runtime?: string;
  readonly Handler?: string;
  readonly Role: string;
  readonly Timeout?: number;
  readonly MemorySize?: number;
  readonly Layers?: readonly string[];
  readonly PackageType?: string;
  readonly LoggingConfig?: { readonly LogGroup?: string };
  readonly RecursiveLoop?: 'Allow' | 'Terminate';
  readonly Environment?: { readonly Variables?: Readonly<Record<string, string>> };
}

/** The only variables of our own environment that functions see; no deployed function has any of them. */
const PASSED_ON = ['WEBHOOK_ALLOW_CIDRS', 'WEBHOOK_EXTRA_CA', 'TIME_BUDGET_FACTOR'] as const;

/** Functions that may wait longer for the database need longer timeouts, and the gateway's must not be shorter. */
export const budgetFactor = (): number => Number(process.env.TIME_BUDGET_FACTOR ?? 1);

const LAMBDA_INIT_LIMIT_MS = 10_000;

function taskRootOf(
  stack: Stack,
  resource: StackResource,
  code: FunctionProperties['Code'],
  inlineDir: string,
): string {
  if (code.ZipFile !== undefined) {
    const directory = join(inlineDir, resource.logicalId);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'index.js'), code.ZipFile);
    return directory;
  }
  const directory = stack.assets.get(code.S3Key ?? '');
  if (!directory)
    throw new StartError(`${resource.logicalId} (${resource.type}) has its code in an asset that was not synthesized.`);
  return directory;
}

/** The AWS front, and the secret of the run that its callers' tokens derive from. */
export interface FrontAccess {
  readonly awsEndpoint: string;
  readonly secret: string;
}

export function functionConfig(
  stack: Stack,
  resource: StackResource,
  { awsEndpoint, secret }: FrontAccess,
  inlineDir: string,
): FunctionConfig {
  const properties = resource.properties as unknown as FunctionProperties;
  if (properties.Layers?.length || properties.PackageType === 'Image') {
    throw new StartError(
      `${resource.logicalId} (${resource.type}) uses layers or an image, which the local run cannot load.`,
    );
  }
  const taskRoot = taskRootOf(stack, resource, properties.Code, inlineDir);
  const handler = properties.Handler ?? 'index.handler';
  const credentials = localCredentials(secret, resource.logicalId);
  const memoryMb = properties.MemorySize ?? 128;
  const longer = budgetFactor();
  const timeoutSeconds = properties.Timeout ?? 3;
  const logGroup = properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${resource.ref}`;
  const passedOn = PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []));
  return {
    logicalId: resource.logicalId,
    name: resource.name.replaceAll('/', '-'),
    functionName: resource.ref,
    arn: resource.attribute('Arn'),
    roleArn: properties.Role,
    taskRoot,
    handler,
    timeoutSeconds,
    stopAfterSeconds: longer * timeoutSeconds,
    initLimitMs: longer * LAMBDA_INIT_LIMIT_MS,
    logGroupArn: `arn:aws:logs:${stack.region}:${stack.account}:log-group:${logGroup}`,
    mayLoop: properties.RecursiveLoop === 'Allow',
    memoryMb,
    environment: {
      TZ: ':UTC',
      LANG: 'en_US.UTF-8',
      AWS_REGION: stack.region,
      AWS_DEFAULT_REGION: stack.region,
      AWS_EXECUTION_ENV: `AWS_Lambda_${properties.Runtime}`,
      AWS_LAMBDA_FUNCTION_NAME: resource.ref,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${resource.ref}`,
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      LAMBDA_TASK_ROOT: taskRoot,
      LAMBDA_RUNTIME_DIR: '/var/runtime',
      _HANDLER: handler,
      ...properties.Environment?.Variables,
      ...Object.fromEntries(passedOn),
      AWS_ENDPOINT_URL: awsEndpoint,
      ...SDK_ENVIRONMENT,
      // The front finds the function's role by this logical ID.
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_SESSION_TOKEN: credentials.sessionToken,
    },
  };
}
