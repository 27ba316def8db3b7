import { DefaultStackSynthesizer, Duration, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { bundleConsole, type ConsoleSignIn } from '../bundling/bundle-console';

const READS_AND_WRITES = 'The grants that CDK makes for its upload: the assets it reads, and one bucket that it fills.';
const RUNS_IN_DEPLOYMENTS = 'Runs only within a deployment, which waits for it and shows its failure.';
const KEPT_BY_CDK = "CDK's own function: its runtime moves with the version of aws-cdk-lib.";

export interface ConsoleUploadProps {
  readonly bucket: IBucket;
  /** How people sign in, for the page to know; undefined for API keys only. */
  readonly page: ConsoleSignIn | undefined;
}

/** Uploads the built files to the bucket: first the assets, which are kept forever, then the page that refers to them. */
export class ConsoleUpload extends Construct {
  constructor(scope: Construct, id: string, { bucket, page: signIn }: ConsoleUploadProps) {
    super(scope, id);
    const { assetsDirectory, pageDirectory } = bundleConsole(signIn);
    const logGroup = new LogGroup(this, 'Logs', {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Old assets stay: a page that was loaded a moment ago may still request them.
    const common = { destinationBucket: bucket, logGroup, prune: false };
    const assets = new BucketDeployment(this, 'Assets', {
      ...common,
      sources: [Source.asset(assetsDirectory)],
      destinationKeyPrefix: 'assets',
      // Their names change with their contents.
      cacheControl: [CacheControl.setPublic(), CacheControl.maxAge(Duration.days(365)), CacheControl.immutable()],
    });
    const page = new BucketDeployment(this, 'Page', {
      ...common,
      sources: [Source.asset(pageDirectory)],
      cacheControl: [CacheControl.noCache()],
    });
    page.node.addDependency(assets);
    this.acknowledge(bucket);
  }

  /** CDK creates one function per stack for all uploads, next to us in the tree. */
  private acknowledge(bucket: IBucket): void {
    const stack = Stack.of(this);
    const uploader = stack.node.children.find(({ node }) => node.id.startsWith('Custom::CDKBucketDeployment'));
    if (!uploader) throw new Error('CDK no longer makes its upload function where it did');
    const bucketId = stack.getLogicalId(bucket.node.defaultChild as Parameters<typeof stack.getLogicalId>[0]);
    const reasons: ReadonlyArray<readonly [string, string]> = [
      [
        'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
        'The policy that AWS makes for writing a log, on a function that is not ours.',
      ],
      ...['GetObject*', 'GetBucket*', 'List*', 'DeleteObject*', 'Abort*'].map(
        (action) => [`AwsSolutions-IAM5[Action::s3:${action}]`, READS_AND_WRITES] as const,
      ),
      [`AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::${assetsBucket(stack)}/*]`, READS_AND_WRITES],
      [`AwsSolutions-IAM5[Resource::<${bucketId}.Arn>/*]`, READS_AND_WRITES],
      ['AwsSolutions-L1', KEPT_BY_CDK],
      ['Serverless-LambdaLatestVersion', KEPT_BY_CDK],
      ['Serverless-LambdaDLQ', RUNS_IN_DEPLOYMENTS],
      ['Serverless-LambdaTracing', RUNS_IN_DEPLOYMENTS],
    ];
    for (const [id, reason] of reasons) Validations.of(uploader).acknowledge({ id, reason });
    acknowledgeEmptying(stack);
  }
}

/** CDK's function that empties the bucket before it is deleted. */
function acknowledgeEmptying(stack: Stack): void {
  const provider = stack.node.children.find(({ node }) => node.id.startsWith('Custom::S3AutoDeleteObjects'));
  if (!provider) throw new Error('CDK no longer makes its emptying function where it did');
  const reasons: ReadonlyArray<readonly [string, string]> = [
    ['AwsSolutions-L1', KEPT_BY_CDK],
    ['Serverless-LambdaLatestVersion', KEPT_BY_CDK],
    ['Serverless-LambdaDLQ', RUNS_IN_DEPLOYMENTS],
    ['Serverless-LambdaTracing', RUNS_IN_DEPLOYMENTS],
  ];
  for (const [id, reason] of reasons) Validations.of(provider).acknowledge({ id, reason });
}

/** The `cdk bootstrap` bucket in the rule's notation: with this deployment's qualifier, not CDK's default. */
function assetsBucket({ synthesizer, account, region }: Stack): string {
  const written = (value: string, name: string) => (Token.isUnresolved(value) ? `<AWS::${name}>` : value);
  const qualifier = synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER;
  return `cdk-${qualifier}-assets-${written(account, 'AccountId')}-${written(region, 'Region')}`;
}
