import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';

export interface AlarmTopicProps {
  readonly stage: Stage;
  /** Who is notified; they must confirm via the link in the first email. @default nobody: subscribe the tool you use */
  readonly email?: string;
}

/** Where alarms go. CloudWatch may not use AWS's managed SNS key, so the topic has its own ($1 per month). */
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
    // Our topic policy replaces the default one, which would let the account's alarms publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({ actions: ['sns:Publish'], resources: [this.topic.topicArn], ...cloudWatch }),
    );
    if (email) this.topic.addSubscription(new EmailSubscription(email));
  }
}
