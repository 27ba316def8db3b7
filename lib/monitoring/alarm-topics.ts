import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { SlackChannelConfiguration } from 'aws-cdk-lib/aws-chatbot';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Stage } from '../../shared/domain/stage';

/** Who is notified of alarms. An address must be confirmed by the link in the first email. */
export interface Recipients {
  readonly pageEmail: string | undefined;
  readonly ticketEmail: string | undefined;
  /** A channel of a Slack workspace that the account has authorized in Amazon Q Developer in chat applications. */
  readonly slack: { readonly workspace: string; readonly channel: string } | undefined;
}

export interface AlarmTopicsProps {
  readonly stage: Stage;
  readonly recipients: Recipients;
  /** Whether notifications are encrypted at rest, by a key of the stage's own. */
  readonly encrypted: boolean;
}

/**
 * Where alarms go: pages, which wake someone up, and tickets, which wait until morning. AWS's own key for SNS does not
 * admit CloudWatch, so encrypted topics need a key of their own ($1 per month).
 */
export class AlarmTopics extends Construct {
  readonly pages: Topic;
  readonly tickets: Topic;

  constructor(
    scope: Construct,
    id: string,
    private readonly props: AlarmTopicsProps,
  ) {
    super(scope, id);
    const { stage, recipients } = props;
    const key = props.encrypted ? this.key(stage) : undefined;
    this.pages = this.topic('Pages', key, recipients.pageEmail);
    this.tickets = this.topic('Tickets', key, recipients.ticketEmail);
    if (recipients.slack) {
      new SlackChannelConfiguration(this, 'Slack', {
        slackChannelConfigurationName: `fraud-screening-${stage}-${Stack.of(this).region}`,
        slackWorkspaceId: recipients.slack.workspace,
        slackChannelId: recipients.slack.channel,
        notificationTopics: [this.pages, this.tickets],
      });
    }
  }

  /** Whether an alarm notifies anyone. */
  get reachSomebody(): boolean {
    const { pageEmail, slack } = this.props.recipients;
    return Boolean(pageEmail ?? slack);
  }

  /** Their outputs at the end of a deployment. */
  outputs(): Readonly<Record<string, string>> {
    const { pageEmail, ticketEmail, slack } = this.props.recipients;
    const known = [
      ...(pageEmail ? [`pages: ${pageEmail}`] : []),
      ...(ticketEmail ? [`tickets: ${ticketEmail}`] : []),
      ...(slack ? [`both: Slack channel ${slack.channel}`] : []),
    ];
    return {
      AlarmRecipients: this.reachSomebody ? known.join(', ') : NOBODY,
      PagesTopicArn: this.pages.topicArn,
      TicketsTopicArn: this.tickets.topicArn,
    };
  }

  private key(stage: Stage): Key {
    const key = new Key(this, 'Key', {
      description: `Fraud screening, ${stage}: alarms`,
      enableKeyRotation: true,
      // Nothing encrypted outlives its notification, and a key left behind would cost $1 per month forever.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    key.addToResourcePolicy(
      new PolicyStatement({ actions: ['kms:Decrypt', 'kms:GenerateDataKey*'], resources: ['*'], ...this.cloudWatch() }),
    );
    return key;
  }

  private cloudWatch() {
    return {
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
    };
  }

  private topic(id: string, masterKey: Key | undefined, email: string | undefined): Topic {
    const topic = new Topic(this, id, {
      displayName: `Fraud screening ${this.props.stage}: ${id.toLowerCase()}`,
      ...(masterKey ? { masterKey } : {}),
      enforceSSL: true,
    });
    // Our topic policy replaces the default one, which lets the account's alarms publish.
    topic.addToResourcePolicy(
      new PolicyStatement({ actions: ['sns:Publish'], resources: [topic.topicArn], ...this.cloudWatch() }),
    );
    if (!masterKey) {
      Validations.of(topic).acknowledge({
        id: 'AwsSolutions-SNS2',
        reason:
          'An alarm names a metric and a limit, nothing personal; with -c monitoring=full it is encrypted as well.',
      });
    }
    if (email) topic.addSubscription(new EmailSubscription(email));
    Validations.of(topic).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason:
        'A mail that SNS cannot hand over has no better place: the alarm itself stays red, and is on the dashboard.',
    });
    return topic;
  }
}

/** Shown at the end of a deployment and on the dashboard. */
export const NOBODY =
  'NOBODY hears of alarms yet. Deploy with -c alarmEmail=… or -c alarmSlack=…, or subscribe to PagesTopicArn.';
