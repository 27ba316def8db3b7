import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient({});

interface Record {
  readonly eventSourceARN: string;
  readonly dynamodb: {
    readonly SequenceNumber: string;
    readonly NewImage: { readonly pk: { readonly S: string }; readonly poison?: object };
  };
}

/** Notes each order it sees; a poisoned one always fails, and with it what came after, as the contract of streams asks. */
export const handler = async ({ Records }: { Records: readonly Record[] }) => {
  for (const { dynamodb, eventSourceARN } of Records) {
    const { pk, poison } = dynamodb.NewImage;
    console.log(JSON.stringify({ relaying: pk.S }));
    if (poison) return { batchItemFailures: [{ itemIdentifier: dynamodb.SequenceNumber }] };
    const Item = { pk: { S: `relayed#${pk.S}` }, kind: { S: 'note' }, source: { S: eventSourceARN } };
    await client.send(new PutItemCommand({ TableName: process.env.TABLE_NAME, Item }));
  }
  return { batchItemFailures: [] };
};
