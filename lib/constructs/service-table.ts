import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { DUE_INDEX, HISTORY_INDEX } from '../../shared/store/keys';
import { HISTORY_PROJECTION } from '../../shared/store/screening/decision-listing';

/** The only table of a stage. Its construct ID is a contract: renaming it would replace the data. */
export class ServiceTable extends Construct {
  readonly table: TableV2;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      // The stream is the outbox: the relay derives webhook messages from what was committed (ADR 0004).
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: 'ttl',
      // `due` is sparse: it holds what waits for a sweep, and what was blocked or challenged. `history` holds every
      // screening of an account that keeps one, in one write unit: it projects what lists and links read (ADR 0024).
      globalSecondaryIndexes: [
        {
          indexName: DUE_INDEX,
          partitionKey: { name: 'due_pk', type: AttributeType.STRING },
          sortKey: { name: 'due_sk', type: AttributeType.STRING },
          projectionType: ProjectionType.KEYS_ONLY,
        },
        {
          indexName: HISTORY_INDEX,
          partitionKey: { name: 'history_pk', type: AttributeType.STRING },
          sortKey: { name: 'ulid', type: AttributeType.STRING },
          projectionType: ProjectionType.INCLUDE,
          nonKeyAttributes: [...HISTORY_PROJECTION],
        },
      ],
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }
}
