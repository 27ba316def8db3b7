import { execFileSync } from 'node:child_process';
import { type App, CfnOutput, CfnParameter, CfnRule, type Environment, Fn, type Stack } from 'aws-cdk-lib';
import type { Stage } from '../shared/domain/stage';
import type { Throttle } from './constructs/service-api';
import type { WarehouseOptions } from './constructs/warehouse';
import { KEPT_OPTIONS_OUTPUT, keptNames, keptText } from './kept-options';
import type { MonitoringOptions } from './monitoring/monitoring';
import type { ServiceStackProps } from './service-stack';
import { signInOptions } from './sign-in-options';

/**
 * AWS allows all APIs of a region 10,000 requests per second and a burst of 5,000 by default; raise it there before raising
 * it here. Both stages together leave a tenth to others, and no load on sandbox can take what production needs.
 */
const STAGE_THROTTLE = {
  sandbox: { rateLimit: 1_000, burstLimit: 500 },
  production: { rateLimit: 8_000, burstLimit: 4_000 },
} as const satisfies Record<Stage, Throttle>;
const ACCOUNT_THROTTLE = { rateLimit: 1_000, burstLimit: 2_000 };

const text = (app: App, name: string): string | undefined => {
  const given: unknown = app.node.tryGetContext(name);
  return given === undefined || given === '' ? undefined : String(given);
};

function isOn(app: App, name: string, unlessGiven: 'on' | 'off' = 'on'): boolean {
  const given = text(app, name) ?? unlessGiven;
  if (given !== 'on' && given !== 'off') throw new Error(`-c ${name}=${given} is not known: give on or off.`);
  return given === 'on';
}

function count(app: App, name: string): number | undefined {
  const given = text(app, name);
  if (given === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(given)) throw new Error(`-c ${name}=${given} is not a whole number above zero.`);
  return Number(given);
}

/** `-c account=123456789012 -c region=eu-central-1`: fixed in the template. @default the CDK command line's target */
function environment(app: App): Environment | undefined {
  const [account, region] = [text(app, 'account'), text(app, 'region')];
  if (!account && !region) return undefined;
  if (!account || !region) throw new Error('An explicit environment needs both -c account=… and -c region=…');
  return { account, region };
}

function domainOf(app: App, prefix: string): { name: string; certificateArn: string } | undefined {
  const name = text(app, `${prefix}Domain`);
  const certificateArn = text(app, `${prefix}CertificateArn`);
  if (!name && !certificateArn) return undefined;
  if (!name || !certificateArn) {
    throw new Error(`A custom domain needs both -c ${prefix}Domain=… and -c ${prefix}CertificateArn=…`);
  }
  return { name, certificateArn };
}

/** The runbook in the repository that a checkout was cloned from, so that alarms link to it; its path if that is on no web site. */
export function runbookAt(remote: string): string {
  const [, host = '', repository] =
    /^(?:https:\/\/(?:[^@/]*@)?|(?:ssh:\/\/)?git@)(git(?:hub|lab)\.[\w.-]+)[/:]([\w./-]+?)(?:\.git)?\/?$/.exec(
      remote.trim(),
    ) ?? [];
  if (repository === undefined) return 'docs/runbook.md';
  return `https://${host}/${repository}/${host.startsWith('gitlab') ? '-/' : ''}blob/HEAD/docs/runbook.md`;
}

function remoteOfCheckout(): string {
  try {
    return execFileSync('git', ['remote', 'get-url', 'origin'], { cwd: __dirname, encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}

/** Who is notified of alarms (`-c alarmEmail=… -c ticketEmail=… -c alarmSlack=T…/C…`), and where your copy of the runbook is. */
function monitoring(app: App, stage: Stage): MonitoringOptions {
  const slack = text(app, 'alarmSlack');
  const [, workspace, channel] = /^(T[0-9A-Z]+)\/([CG][0-9A-Z]+)$/.exec(slack ?? '') ?? [];
  if (slack && !(workspace && channel)) {
    throw new Error(`-c alarmSlack=${slack} is not a channel: give <workspace id>/<channel id>, as T0123/C0456.`);
  }
  const level = text(app, 'monitoring') ?? (stage === 'production' ? 'full' : 'essential');
  if (level !== 'essential' && level !== 'full') {
    throw new Error(`-c monitoring=${level} is not known: give essential or full.`);
  }
  return {
    level,
    runbook: text(app, 'runbookUrl') ?? runbookAt(remoteOfCheckout()),
    recipients: {
      pageEmail: text(app, 'alarmEmail'),
      ticketEmail: text(app, 'ticketEmail') ?? text(app, 'alarmEmail'),
      slack: workspace && channel ? { workspace, channel } : undefined,
    },
    alarms: isOn(app, 'alarms'),
    canary: isOn(app, 'canary'),
  };
}

const BUS_ARN = /^arn:aws[a-z-]*:events:[a-z0-9-]+:\d{12}:event-bus\/[\w./-]{1,256}$/;

/** `-c eventBus=ARN` (or `-c sandboxEventBus=…` for one stage): the bus that gets every event. @default none */
function eventBusOf(app: App, stage: Stage): string | undefined {
  const arn = text(app, `${stage}EventBus`) ?? text(app, 'eventBus');
  if (arn !== undefined && !BUS_ARN.test(arn)) {
    throw new Error(
      `-c eventBus=${arn} is not the ARN of an event bus: arn:aws:events:<region>:<account>:event-bus/<name>.`,
    );
  }
  return arn;
}

/** `-c warehouse=on -c warehouseDays=730 -c warehouseUsers=pseudonym`: files for analysis, kept for so long. @default off */
function warehouseOf(app: App): WarehouseOptions | undefined {
  const days = count(app, 'warehouseDays') ?? 730;
  const users = text(app, 'warehouseUsers') ?? 'pseudonym';
  if (users !== 'pseudonym' && users !== 'plain')
    throw new Error(`-c warehouseUsers=${users}: rows name users by pseudonym, or plain.`);
  return isOn(app, 'warehouse', 'off') ? { days, users } : undefined;
}

/** Beyond it, DynamoDB's default quota for a table is too small for what traffic begins with. */
const MOST_PROVISIONED_FOR = 500;

/** `-c provisionedFor=2`: screenings per second, on average, that the table's capacity is provisioned for. @default paid per request */
function provisionedForOf(app: App): number | undefined {
  const perSecond = count(app, 'provisionedFor');
  if (perSecond !== undefined && perSecond > MOST_PROVISIONED_FOR) {
    throw new Error(
      `-c provisionedFor=${perSecond}: give the average of screenings per second, at most ${MOST_PROVISIONED_FOR}.`,
    );
  }
  return perSecond;
}

/** `-c verifyReceiver=on`: the stack that `npm run verify -- --aws` deploys and removes. @default off */
export const hasVerifyReceiver = (app: App): boolean => isOn(app, 'verifyReceiver', 'off');

export function deploymentOptions(
  app: App,
  stage: Stage,
): Omit<ServiceStackProps, 'stage' | 'models'> & { readonly env?: Environment } {
  const env = environment(app);
  const domain = domainOf(app, stage);
  const consoleDomain = domainOf(app, `${stage}Console`);
  const dailyQuota = count(app, 'accountDailyQuota');
  const eventBus = eventBusOf(app, stage);
  const signIn = signInOptions(app);
  const warehouse = warehouseOf(app);
  const provisionedFor = provisionedForOf(app);
  return {
    ...(env ? { env } : {}),
    stageThrottle: STAGE_THROTTLE[stage],
    accountThrottle: {
      rateLimit: count(app, 'accountRateLimit') ?? ACCOUNT_THROTTLE.rateLimit,
      burstLimit: count(app, 'accountBurstLimit') ?? ACCOUNT_THROTTLE.burstLimit,
    },
    ...(dailyQuota ? { dailyQuota } : {}),
    monitoring: monitoring(app, stage),
    console: isOn(app, 'console'),
    ...(eventBus ? { eventBus } : {}),
    ...(warehouse ? { warehouse } : {}),
    ...(provisionedFor === undefined ? {} : { provisionedFor }),
    ...(signIn ? { signIn } : {}),
    ...(domain ? { domain } : {}),
    ...(consoleDomain ? { consoleDomain } : {}),
  };
}

const LONGEST_PARAMETER = 4_096;

/**
 * Keeps the options of a deployment with the stack. The output is where `npm run deploy` finds them again. The parameter
 * and its rule make a plain `cdk deploy` safe: the CDK command line repeats the values of parameters, and CloudFormation
 * refuses the update, before it changes anything, if those are not the options of the new template
 * (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/rules-section-structure.html). Our own command line
 * passes `--no-previous-parameters`, by which the parameter becomes what the template says.
 */
export function keepOptions(app: App, stack: Stack, stage: Stage): void {
  const given = keptNames(stage).flatMap((name) => {
    const value = text(app, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const value = keptText(Object.fromEntries(given));
  if (Buffer.byteLength(value) > LONGEST_PARAMETER) {
    throw new Error(
      `The options of ${stage} take more than ${LONGEST_PARAMETER} bytes: CloudFormation cannot keep them.`,
    );
  }
  const parameter = new CfnParameter(stack, 'KeptOptions', {
    default: value,
    description: 'The options of this deployment. Leave it to npm run deploy.',
  });
  new CfnRule(stack, 'OptionsAreKept', {
    assertions: [
      {
        assert: Fn.conditionEquals(parameter.valueAsString, value),
        assertDescription: `These are not the options that the stack was deployed with. Use npm run deploy -- --stage ${stage}: it reads them from the stack.`,
      },
    ],
  });
  new CfnOutput(stack, KEPT_OPTIONS_OUTPUT, { value });
}
