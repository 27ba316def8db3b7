import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';

export interface AlarmTopicProps {
  readonly stage: Stage;
  /** Who is written to; they must confirm by the link in a first mail. @default nobody: subscribe what you use */
  readonly email?: string;
}

/** Where alarms go. AWS's own key for SNS does not let CloudWatch in, so the topic has one of its own ($1 a month). */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { stage, email }: AlarmTopicProps) {
    super(scope, id);
    const cloudWatch = {
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
    };
    const key = new Key(this, 'Key', { description: `Fraud screening, ${stage}: alarms`, enableKeyRotation: true });
    key.addToResourcePolicy(
      new PolicyStatement({ actions: ['kms:Decrypt', 'kms:GenerateDataKey*'], resources: ['*'], ...cloudWatch }),
    );
    this.topic = new Topic(this, 'Topic', {
      displayName: `Fraud screening ${stage}`,
      masterKey: key,
      enforceSSL: true,
    });
    // A topic policy of our own replaces the default one, by which alarms of the account may publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({ actions: ['sns:Publish'], resources: [this.topic.topicArn], ...cloudWatch }),
    );
    if (email) this.topic.addSubscription(new EmailSubscription(email));
  }
}
