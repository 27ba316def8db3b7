import { App, type AppProps, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { STAGES, type Stage } from '../shared/domain/stage';
import { ModelRegistryStack } from './model-registry-stack';
import type { MonitoringOptions } from './monitoring/monitoring';
import { ServiceStack, type ServiceStackProps } from './service-stack';

// AWS's own default for an account and region; raise it there before raising it here.
const STAGE_THROTTLE = { rateLimit: 10_000, burstLimit: 5_000 };
const ACCOUNT_THROTTLE = { rateLimit: 1_000, burstLimit: 2_000 };

/** The whole CDK app: both stages and the registry they share, with the rule packs as a gate. */
export function fraudScreeningApp(props: AppProps = {}): App {
  const app = new App(props);
  const registry = new ModelRegistryStack(app, 'FraudScreening-Models');
  for (const stage of STAGES) {
    const stack = new ServiceStack(app, `FraudScreening-${stage}`, {
      stage,
      models: registry.bucket,
      terminationProtection: stage === 'production',
      stageThrottle: STAGE_THROTTLE,
      accountThrottle: accountThrottle(app),
      monitoring: monitoring(app),
      ...domainsOf(app, stage),
    });
    Tags.of(stack).add('fraud-screening:stage', stage);
  }
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  return app;
}

/** `-c accountRateLimit=50 -c accountBurstLimit=100`: the limit of each account. */
function accountThrottle(app: App): typeof ACCOUNT_THROTTLE {
  const given = (key: string, otherwise: number) => Number(app.node.tryGetContext(key) ?? otherwise);
  return {
    rateLimit: given('accountRateLimit', ACCOUNT_THROTTLE.rateLimit),
    burstLimit: given('accountBurstLimit', ACCOUNT_THROTTLE.burstLimit),
  };
}

/** `-c alarmEmail=… -c runbookUrl=…`: whom alarms write to, and where your copy of the runbook is. */
function monitoring(app: App): MonitoringOptions {
  const alarmEmail = app.node.tryGetContext('alarmEmail');
  return { runbook: app.node.tryGetContext('runbookUrl') ?? 'docs/runbook.md', ...(alarmEmail ? { alarmEmail } : {}) };
}

/** Domains of the platform's own: `-c sandboxDomain=…` for the API, `-c sandboxConsoleDomain=…` for the console. */
function domainsOf(app: App, stage: Stage): Pick<ServiceStackProps, 'domain' | 'consoleDomain'> {
  const domain = domainOf(app, stage);
  const consoleDomain = domainOf(app, `${stage}Console`);
  return { ...(domain ? { domain } : {}), ...(consoleDomain ? { consoleDomain } : {}) };
}

function domainOf(app: App, prefix: string): { name: string; certificateArn: string } | undefined {
  const name = app.node.tryGetContext(`${prefix}Domain`);
  const certificateArn = app.node.tryGetContext(`${prefix}CertificateArn`);
  if (!name && !certificateArn) return undefined;
  if (!name || !certificateArn) {
    throw new Error(`A custom domain needs both -c ${prefix}Domain=… and -c ${prefix}CertificateArn=…`);
  }
  return { name, certificateArn };
}
