import { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { ALL_MODEL_FILES, STATE_KEY } from '../../shared/store/models/model-registry';
import type { ServiceFunction } from './service-function';

/** Gives a function the model registry: name and grants in one call, so that they cannot drift apart. */
export function bindModels(target: ServiceFunction, bucket: Bucket, access: 'read' | 'write'): void {
  const { lambda } = target;
  lambda.addEnvironment('MODEL_BUCKET', bucket.bucketName);
  const objects = [STATE_KEY, ALL_MODEL_FILES].map((key) => bucket.arnForObjects(key));
  lambda.addToRolePolicy(
    new PolicyStatement({
      actions: access === 'read' ? ['s3:GetObject'] : ['s3:GetObject', 's3:PutObject'],
      resources: objects,
    }),
  );
  // Without it S3 returns 403 for an object that does not exist yet: an empty registry would look like a missing grant.
  lambda.addToRolePolicy(new PolicyStatement({ actions: ['s3:ListBucket'], resources: [bucket.bucketArn] }));
  target.acknowledge(
    `AwsSolutions-IAM5[Resource::${exportNameOf(bucket)}/${ALL_MODEL_FILES}]`,
    'Versions come and go; every one of them is a model that any function which scores may have to load.',
  );
}

/** The name of the bucket's ARN between the stacks: the rule refers to the resource by it. */
function exportNameOf(bucket: Bucket): string {
  const stack = Stack.of(bucket);
  const { 'Fn::ImportValue': name } = stack.resolve(stack.exportValue(bucket.bucketArn)) as Record<string, string>;
  return name ?? '';
}
