import { CreateTableCommand, DynamoDBClient, type GlobalSecondaryIndex } from '@aws-sdk/client-dynamodb';
import { startDynamodb } from '../../local/backends/start-backends';

/** DynamoDB Local in memory, with one table that has our keys, and no index but those given. */
export async function startLocalTable(name: string, indexes: readonly GlobalSecondaryIndex[] = []) {
  const database = await startDynamodb(undefined, console.error, 'x');
  const credentials = { accessKeyId: 'x', secretAccessKey: 'x' };
  const newClient = () => new DynamoDBClient({ endpoint: database.url, region: 'us-east-1', credentials });
  const client = newClient();
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
        ...indexes.flatMap(({ KeySchema = [] }) =>
          KeySchema.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' as const })),
        ),
      ],
      ...(indexes.length > 0 ? { GlobalSecondaryIndexes: [...indexes] } : {}),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  return { client, newClient, stop: () => database.stop() };
}
