import { App, type AppProps, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { STAGES } from '../shared/domain/stage';
import { deploymentOptions, hasVerifyReceiver, keepOptions } from './deployment-options';
import { ModelRegistryStack } from './model-registry-stack';
import { ServiceStack } from './service-stack';
import { TemplateRules } from './template-rules/template-rules';
import { VerifyStack } from './verify/verify-stack';

/** The whole CDK app: both stages, or with `-c stage=` one of them, and the registry they share, with the rule packs as a gate. */
export function fraudScreeningApp(props: AppProps = {}): App {
  const app = new App(props);
  const [anyStage] = STAGES;
  const { env } = deploymentOptions(app, anyStage);
  const registry = new ModelRegistryStack(app, 'FraudScreening-Models', env ? { env } : {});
  const only: unknown = app.node.tryGetContext('stage');
  for (const stage of STAGES.filter((stage) => only === undefined || stage === only)) {
    const stack = new ServiceStack(app, `FraudScreening-${stage}`, {
      stage,
      models: registry.bucket,
      terminationProtection: stage === 'production',
      ...deploymentOptions(app, stage),
    });
    keepOptions(app, stack, stage);
    Tags.of(stack).add('fraud-screening:stage', stage);
  }
  if (hasVerifyReceiver(app)) new VerifyStack(app, 'FraudScreening-Verify', env ? { env } : {});
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app), new TemplateRules());
  return app;
}
