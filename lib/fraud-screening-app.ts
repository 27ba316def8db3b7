import { App, type AppProps, RemovalPolicy, Stack, type StackProps, Tags, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import { STAGES } from '../shared/domain/stage';
import { deploymentOptions, hasVerifyReceiver, keepOptions } from './deployment-options';
import { ServiceStack } from './service-stack';
import { TemplateRules } from './template-rules/template-rules';
import { VerifyStack } from './verify/verify-stack';

/** The fraud models: the one thing that sandbox and production share. Each writes its own part of the bucket. */
export class ModelRegistryStack extends Stack {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, { ...props, description: 'Fraud screening: model registry shared by both stages' });
    this.bucket = new Bucket(this, 'Models', {
      versioned: true,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // Kept forever, unless the deployment that creates it fails.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Holds models, no personal data; every write is a version, and CloudTrail has who made it.',
    });
  }
}

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
