import { Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function';

/** A function that serves requests, and the alarms that roll back its deployment. */
export interface Guarded {
  readonly name: string;
  readonly handler: ServiceFunction;
  readonly alarms: readonly Alarm[];
}

export interface SafeDeploymentsProps {
  /** The stack that the functions' aliases are in: an alias names the group that shifts it. */
  readonly home: Construct;
  readonly functions: readonly Guarded[];
  /** `false`: a new version gets all requests at once, regardless of alarms, to deploy a fix while they are red. */
  readonly canary: boolean;
}

/**
 * A new version gets a tenth of the requests for five minutes, then all of them; an alarm in that time returns all of
 * them to the old version and fails the deployment. In every stage: what sandbox has not rehearsed is not safe.
 */
export class SafeDeployments extends Construct {
  constructor(scope: Construct, id: string, { home, functions, canary }: SafeDeploymentsProps) {
    super(scope, id);
    const groups = new Construct(home, id);
    const application = new LambdaApplication(groups, 'Application');
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    for (const { name, handler, alarms } of functions) {
      new LambdaDeploymentGroup(groups, name, {
        application,
        role,
        alias: handler.alias,
        deploymentConfig: canary
          ? LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES
          : LambdaDeploymentConfig.ALL_AT_ONCE,
        alarms: [...alarms],
        // Disabled explicitly: alarms that are merely removed from a template stay in the group.
        ignoreAlarmConfiguration: !canary,
        autoRollback: {
          failedDeployment: true,
          stoppedDeployment: true,
          deploymentInAlarm: canary && alarms.length > 0,
        },
      });
    }
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason: 'The role by which CodeDeploy shifts aliases and reads alarms: the policy that AWS makes for just that.',
    });
  }
}
