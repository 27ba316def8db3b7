import { RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

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
