import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

const KEPT = Duration.days(14);
// Six times the dispatcher's 30 s, as Lambda recommends: a batch never becomes visible while it is being processed.
const VISIBILITY = Duration.minutes(3);
const MAX_RECEIVES = 5;

/** The queues of webhook delivery: encrypted, over TLS only. */
export class DeliveryQueues extends Construct {
  /** First delivery attempts. */
  readonly fresh: Queue;
  /** All later delivery attempts, kept separate so that a storm of retries never delays a new event. */
  readonly retries: Queue;
  /** Messages that could not be read or processed. */
  readonly dead: Queue;
  /** Change records that could not be relayed; the sweep retries them. */
  readonly relayFailures: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const secured = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: KEPT };
    this.dead = new Queue(this, 'Dead', secured);
    const deadLetterQueue = { queue: this.dead, maxReceiveCount: MAX_RECEIVES };
    this.fresh = new Queue(this, 'Fresh', { ...secured, visibilityTimeout: VISIBILITY, deadLetterQueue });
    this.retries = new Queue(this, 'Retries', { ...secured, visibilityTimeout: VISIBILITY, deadLetterQueue });
    // A message that fails again is left alone for this long.
    this.relayFailures = new Queue(this, 'RelayFailures', { ...secured, visibilityTimeout: Duration.minutes(5) });
    for (const queue of [this.dead, this.relayFailures]) {
      for (const ruleId of ['AwsSolutions-SQS3', 'Serverless-SQSRedrivePolicy']) {
        Validations.of(queue).acknowledge({
          id: ruleId,
          reason: 'It is where failures end: an alarm tells of the first, and they are kept for 14 days.',
        });
      }
    }
  }
}
