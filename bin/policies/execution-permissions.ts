/**
 * Permissions that CloudFormation asks for beyond the service of the type itself: from `handlers` in the types' schemas
 * (create, read, update, delete), which `aws cloudformation describe-type --type RESOURCE --type-name …` prints and
 * https://github.com/pulumi/pulumi-aws-native/tree/master/aws-cloudformation-schema keeps. Permissions of features that the
 * templates do not use (VPCs, Kinesis, S3 tables, Firehose, EFS) are left out. Types without handlers (IAM policies,
 * CodeDeploy groups, event rules) pass a role or change one: those come from the services' documentation.
 */
export const ALSO_NEEDED: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGateway::Account': ['iam:GetRole', 'iam:PassRole'],
  'AWS::ApiGateway::Authorizer': ['iam:PassRole'],
  'AWS::ApiGateway::DomainName': ['acm:DescribeCertificate', 'acm:ListCertificates'],
  'AWS::ApiGateway::Method': ['iam:PassRole'],
  'AWS::ApiGateway::RestApi': ['iam:PassRole', 's3:GetObject'],
  // API Gateway and CloudWatch make their own roles on first use.
  'AWS::ApiGateway::Stage': ['iam:CreateServiceLinkedRole', 'logs:CreateLogDelivery', 'logs:PutResourcePolicy'],
  'AWS::CDK::Metadata': ['ssm:GetParameters'],
  'AWS::Chatbot::SlackChannelConfiguration': ['iam:PassRole', 'iam:CreateServiceLinkedRole'],
  'AWS::CloudFront::Distribution': ['acm:DescribeCertificate', 'acm:ListCertificates'],
  'AWS::CloudWatch::Alarm': ['iam:CreateServiceLinkedRole'],
  'AWS::CodeDeploy::DeploymentGroup': ['iam:PassRole'],
  'AWS::DynamoDB::GlobalTable': [
    'application-autoscaling:DeleteScalingPolicy',
    'application-autoscaling:DeleteScheduledAction',
    'application-autoscaling:DeregisterScalableTarget',
    'application-autoscaling:Describe*',
    'application-autoscaling:PutScalingPolicy',
    'application-autoscaling:PutScheduledAction',
    'application-autoscaling:RegisterScalableTarget',
    'cloudwatch:PutMetricData',
    'iam:CreateServiceLinkedRole',
    'kms:CreateGrant',
    'kms:Decrypt',
    'kms:DescribeKey',
    'kms:ListAliases',
    'kms:RevokeGrant',
  ],
  'AWS::Events::Rule': ['iam:PassRole'],
  'AWS::IAM::Policy': ['iam:PutRolePolicy', 'iam:GetRolePolicy', 'iam:DeleteRolePolicy'],
  'AWS::IAM::Role': [
    'iam:AttachRolePolicy',
    'iam:CreateRole',
    'iam:DeleteRole',
    'iam:DeleteRolePermissionsBoundary',
    'iam:DeleteRolePolicy',
    'iam:DetachRolePolicy',
    'iam:GetRole',
    'iam:GetRolePolicy',
    // Without these two, a role cannot be deleted: a rollback, a removal and the end of npm run verify stop half-way.
    'iam:ListAttachedRolePolicies',
    'iam:ListRolePolicies',
    'iam:PutRolePermissionsBoundary',
    'iam:PutRolePolicy',
    'iam:TagRole',
    'iam:UntagRole',
    'iam:UpdateAssumeRolePolicy',
    'iam:UpdateRole',
    'iam:UpdateRoleDescription',
  ],
  'AWS::Lambda::EventSourceMapping': ['kms:DescribeKey', 'kms:GenerateDataKey', 'kms:Decrypt'],
  'AWS::Lambda::Function': ['iam:PassRole', 's3:GetObject', 's3:GetObjectVersion', 'kms:Decrypt', 'kms:CreateGrant'],
  'AWS::Lambda::LayerVersion': ['s3:GetObject', 's3:GetObjectVersion'],
  'AWS::S3::Bucket': ['iam:PassRole'],
  'AWS::SNS::Topic': ['iam:GetRole', 'iam:PassRole'],
};

/** Services whose prefix in IAM is the service in the type's name, in small letters. Custom resources call functions. */
export function servicePrefix(type: string): string | undefined {
  const [vendor = '', service = ''] = type.split('::');
  if (vendor === 'Custom') return 'lambda';
  return service === 'CDK' ? undefined : service.toLowerCase();
}
