import { functionOf, type LambdaFunction } from '../../../local/lambda/lambda-function';

const relay = { config: { name: 'Relay' } } as LambdaFunction;
const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:Stack-Relay';
const functions = new Map([
  [ARN, relay],
  ['Stack-Relay', relay],
]);

describe('the function behind a reference', () => {
  it.each([
    ['an ARN', ARN],
    ['the ARN of an alias', `${ARN}:live`],
    ['a name', 'Stack-Relay'],
    ['a name with an alias', 'Stack-Relay:live'],
    ['an integration URI', `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${ARN}:live/invocations`],
  ])('%s', (_what, reference) => {
    expect(functionOf(functions, reference)).toBe(relay);
  });

  it.each(['Stack-Other', `${ARN}-2`, 'live', ''])('is nobody for %j', (reference) => {
    expect(functionOf(functions, reference)).toBeUndefined();
  });
});
