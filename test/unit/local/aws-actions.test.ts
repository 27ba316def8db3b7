import type { AwsRequest } from '../../../local/aws/call';
import { checkSqsLimits, sqsAccess } from '../../../local/aws/describe-call';
import { dynamodbAccess, tablesOf } from '../../../local/aws/dynamodb-actions';
import { s3Access } from '../../../local/aws/s3-actions';

const tableFacts = {
  arnOf: (table: string) => `arn:table/${table}`,
  keysOf: () => ({ partitionKey: 'pk', indexes: { byKind: 'kind' } }),
};
const access = (operation: string, input: object) =>
  dynamodbAccess(tableFacts, operation, input as Record<string, unknown>).map(
    ({ action, resource }) => `${action} ${resource}`,
  );
const keysOf = (operation: string, input: object) =>
  dynamodbAccess(tableFacts, operation, input as Record<string, unknown>).map(
    ({ context }) => context?.()['dynamodb:leadingkeys'],
  );
const pk = (value: string) => ({ pk: { S: value } });

describe('the permissions of a DynamoDB call', () => {
  it.each([
    ['GetItem', { TableName: 'T', Key: pk('a') }, ['dynamodb:GetItem arn:table/T']],
    ['Query', { TableName: 'T' }, ['dynamodb:Query arn:table/T']],
    ['Query', { TableName: 'T', IndexName: 'byKind' }, ['dynamodb:Query arn:table/T/index/byKind']],
    ['GetItem', { TableName: 'arn:given/T', Key: pk('a') }, ['dynamodb:GetItem arn:given/T']],
    ['ListTables', {}, ['dynamodb:ListTables *']],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName: 'T', Item: pk('a') } },
          { Update: { TableName: 'T', Key: pk('b') } },
          { Delete: { TableName: 'U', Key: pk('c') } },
          { ConditionCheck: { TableName: 'T', Key: pk('d') } },
        ],
      },
      [
        'dynamodb:PutItem arn:table/T',
        'dynamodb:UpdateItem arn:table/T',
        'dynamodb:DeleteItem arn:table/U',
        'dynamodb:ConditionCheckItem arn:table/T',
      ],
    ],
    [
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName: 'T', Key: pk('a') } }] },
      ['dynamodb:GetItem arn:table/T'],
    ],
    [
      'BatchWriteItem',
      { RequestItems: { T: [{ PutRequest: { Item: pk('a') } }], U: [{ DeleteRequest: { Key: pk('b') } }] } },
      ['dynamodb:BatchWriteItem arn:table/T', 'dynamodb:BatchWriteItem arn:table/U'],
    ],
    ['BatchGetItem', { RequestItems: { T: { Keys: [pk('a')] } } }, ['dynamodb:BatchGetItem arn:table/T']],
  ])('%s %j', (operation, input, expected) => {
    expect(access(operation, input)).toEqual(expected);
  });

  it.each(['ExecuteStatement', 'BatchExecuteStatement', 'ExecuteTransaction'])('refuses PartiQL: %s', (operation) => {
    expect(() => access(operation, {})).toThrow('PartiQL');
  });

  it.each([
    ['PutItem', { TableName: 'T', Item: pk('a') }, [['a']]],
    ['UpdateItem', { TableName: 'T', Key: pk('a') }, [['a']]],
    ['Scan', { TableName: 'T' }, [undefined]],
    [
      'Query',
      {
        TableName: 'T',
        KeyConditionExpression: 'sk = :s AND #p = :p',
        ExpressionAttributeNames: { '#p': 'pk' },
        ExpressionAttributeValues: { ':s': { S: 's' }, ':p': { S: 'a' } },
      },
      [['a']],
    ],
    [
      'Query',
      {
        TableName: 'T',
        IndexName: 'byKind',
        KeyConditionExpression: 'kind=:k',
        ExpressionAttributeValues: { ':k': { S: 'order' } },
      },
      [['order']],
    ],
    [
      'TransactWriteItems',
      { TransactItems: [{ Put: { TableName: 'T', Item: pk('a') } }, { Delete: { TableName: 'T', Key: pk('b') } }] },
      [['a'], ['b']],
    ],
    [
      'BatchWriteItem',
      { RequestItems: { T: [{ PutRequest: { Item: pk('a') } }, { DeleteRequest: { Key: pk('b') } }] } },
      [['a'], ['b']],
    ],
  ])('leading keys of %s %j', (operation, input, expected) => {
    expect(keysOf(operation, input)).toEqual(expected);
  });

  it('names the attributes an update touches', () => {
    const [request] = dynamodbAccess(tableFacts, 'UpdateItem', {
      TableName: 'T',
      Key: pk('a'),
      UpdateExpression: 'SET #s = if_not_exists(score.value, :zero) REMOVE old[0] ADD hits :one',
      ConditionExpression: 'attribute_exists(pk) AND size(tags) < :max',
      ExpressionAttributeNames: { '#s': 'status' },
    });
    expect(request?.context?.()['dynamodb:attributes']).toEqual(['pk', 'status', 'score', 'old', 'hits', 'tags']);
  });

  it('knows which tables a write touched', () => {
    expect(tablesOf('PutItem', { TableName: 'T' })).toEqual(['T']);
    expect(tablesOf('BatchWriteItem', { RequestItems: { T: [], U: [] } })).toEqual(['T', 'U']);
    const twice = [{ Put: { TableName: 'T' } }, { Delete: { TableName: 'T' } }];
    expect(tablesOf('TransactWriteItems', { TransactItems: twice })).toEqual(['T']);
  });
});

describe('the permissions of an SQS call', () => {
  const arnOf = (name: string) => `arn:${name}`;
  it.each([
    ['SendMessage', { QueueUrl: 'http://127.0.0.1:1/000000000000/jobs' }, 'sqs:SendMessage arn:jobs'],
    ['SendMessageBatch', { QueueUrl: 'http://127.0.0.1:1/000000000000/jobs' }, 'sqs:SendMessage arn:jobs'],
    ['DeleteMessageBatch', { QueueUrl: 'http://h/0/jobs' }, 'sqs:DeleteMessage arn:jobs'],
    ['GetQueueUrl', { QueueName: 'jobs' }, 'sqs:GetQueueUrl arn:jobs'],
  ])('%s', (operation, input, expected) => {
    expect(sqsAccess(arnOf, operation, input).map(({ action, resource }) => `${action} ${resource}`)).toEqual([
      expected,
    ]);
  });

  it.each([
    ['SendMessage', { DelaySeconds: 901 }],
    ['SendMessage', { DelaySeconds: -1 }],
    ['SendMessageBatch', { Entries: [{ DelaySeconds: 900 }, { DelaySeconds: 901 }] }],
  ])('refuses the delay that SQS refuses: %s %j', (operation, input) => {
    expect(() => checkSqsLimits(operation, input)).toThrow('DelaySeconds must be >= 0 and <= 900');
  });

  it('accepts a delay of 900 seconds', () => {
    expect(() => checkSqsLimits('SendMessage', { DelaySeconds: 900 })).not.toThrow();
  });
});

describe('the permissions of an S3 request', () => {
  const request = (method: string, url: string, extra: Partial<AwsRequest> = {}): AwsRequest => ({
    method,
    url,
    headers: {},
    rawHeaders: [],
    body: Buffer.alloc(0),
    ...extra,
  });
  const permissions = (value: AwsRequest) => s3Access(value).map(({ action, resource }) => `${action} ${resource}`);

  it.each([
    [request('GET', '/b/models/a%20b.txt?x-id=GetObject'), ['s3:GetObject arn:aws:s3:::b/models/a b.txt']],
    [request('HEAD', '/b/k'), ['s3:GetObject arn:aws:s3:::b/k']],
    [request('PUT', '/b/k'), ['s3:PutObject arn:aws:s3:::b/k']],
    [request('DELETE', '/b/k'), ['s3:DeleteObject arn:aws:s3:::b/k']],
    [request('DELETE', '/b/k?uploadId=1'), ['s3:AbortMultipartUpload arn:aws:s3:::b/k']],
    [request('GET', '/b?list-type=2&prefix=m'), ['s3:ListBucket arn:aws:s3:::b']],
    [request('GET', '/b/?list-type=2'), ['s3:ListBucket arn:aws:s3:::b']],
    [
      request('POST', '/b?delete', { body: Buffer.from('<Delete><Object><Key>a&amp;b</Key></Object></Delete>') }),
      ['s3:DeleteObject arn:aws:s3:::b/a&b'],
    ],
    [
      request('PUT', '/b/k', { headers: { 'x-amz-copy-source': 'other/from%20here' } }),
      ['s3:PutObject arn:aws:s3:::b/k', 's3:GetObject arn:aws:s3:::other/from here'],
    ],
  ])('%#', (value, expected) => {
    expect(permissions(value)).toEqual(expected);
  });
});
