import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function';

/**
 * The secret of a stage: the data key that seals webhook secrets and the identity key that names entities are both
 * derived from it. One secret for all, instead of $0.40 per month for each.
 */
export class DataKey extends Construct {
  private readonly secret: Secret;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.secret = new Secret(this, 'Secret', {
      description: 'Fraud screening: key material for sealing webhook signing secrets',
      generateSecretString: {
        secretStringTemplate: '{}',
        generateStringKey: 'material',
        passwordLength: 64,
        excludePunctuation: true,
      },
      // Kept forever, unless the deployment that creates it fails: nothing has been sealed with it then.
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    Validations.of(this.secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Ciphertext names the version it was sealed with; a blind rotation would orphan it. Rotated by an operator.',
    });
  }

  /** Where an operator finds it. */
  get secretArn(): string {
    return this.secret.secretArn;
  }

  /** Lets a function derive the stage's keys: the secret's ID and the grant to read it, in one call. */
  bind({ lambda }: ServiceFunction): void {
    lambda.addEnvironment('DATA_KEY_SECRET_ID', this.secret.secretArn);
    lambda.addToRolePolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [this.secret.secretArn] }),
    );
  }
}
