// Deployed inline by VerifyStack: what arrives at its URL goes into a queue, where `npm run verify` looks for it. As an
// authorizer it admits everyone and hands on the header that it received, so that the header can be compared.
const { SQSClient, SendMessageCommand } = require('@aws-sdk/client-sqs');

const sqs = new SQSClient({});

exports.handler = async (event) => {
  if (event.type === 'TOKEN') {
    const Statement = [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: event.methodArn }];
    return {
      principalId: 'verify',
      policyDocument: { Version: '2012-10-17', Statement },
      context: { seen: Buffer.from(event.authorizationToken).toString('base64') },
    };
  }
  const body = event.isBase64Encoded ? event.body : Buffer.from(event.body ?? '').toString('base64');
  const MessageBody = JSON.stringify({ headers: event.headers, body });
  await sqs.send(new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody }));
  return { statusCode: 200 };
};
