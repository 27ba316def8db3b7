// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are CloudFormation's.

import type { Template } from '../../../lib/stack-templates';
import { resolveStacks, type StackTemplate } from '../../../local/template/resolve-stack';

const FRONT = 'http://127.0.0.1:4000';

const source = (stackName: string, template: Template): StackTemplate => ({
  stackName,
  region: 'eu-west-1',
  account: '000000000000',
  template,
  assets: new Map(),
});

describe('resolving stacks', () => {
  it('hands the exports of a stack to the one that imports them', () => {
    const models = source('Models', {
      Resources: { Bucket: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'models' } } },
      Outputs: { Name: { Value: { Ref: 'Bucket' }, Export: { Name: 'Models:Bucket' } } },
    });
    const main = source('Main', {
      Resources: {
        Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { 'Fn::Sub': '${AWS::StackName}-jobs' } } },
        Topic: { Type: 'AWS::SNS::Topic', Properties: { DisplayName: { 'Fn::ImportValue': 'Models:Bucket' } } },
      },
      Outputs: { Url: { Value: { Ref: 'Queue' } }, Arn: { Value: { 'Fn::GetAtt': ['Queue', 'Arn'] } } },
    });
    const stacks = resolveStacks([models, main], FRONT);
    expect(stacks.main.outputs).toEqual({
      Url: `${FRONT}/000000000000/Main-jobs`,
      Arn: 'arn:aws:sqs:eu-west-1:000000000000:Main-jobs',
    });
    expect(stacks.ofType('AWS::SNS::Topic')[0]?.properties).toEqual({ DisplayName: 'models' });
    expect(stacks.ofType('AWS::S3::Bucket')[0]?.ref).toBe('models');
  });

  it.each([
    ['Main/Api/Screen/Resource', 'Api/Screen'],
    ['Main/Screen/Function/Resource', 'Screen'],
    ['Main/Function/Resource', 'Function'],
  ])('calls the resource at %s %s', (path, name) => {
    const Metadata = { 'aws:cdk:path': path };
    const template = source('Main', { Resources: { X1: { Type: 'AWS::Lambda::Function', Metadata } } });
    expect(resolveStacks([template], FRONT).main.resources[0]?.name).toBe(name);
  });

  it('leaves out what a condition switches off', () => {
    const template = source('Main', {
      Parameters: { Stage: { Default: 'sandbox' } },
      Conditions: { Live: { 'Fn::Equals': [{ Ref: 'Stage' }, 'production'] } },
      Resources: { Topic: { Type: 'AWS::SNS::Topic', Condition: 'Live' } },
    });
    expect(resolveStacks([template], FRONT).main.resources).toEqual([]);
  });

  it.each([
    [
      'an unknown resource type',
      { Odd: { Type: 'AWS::Kinesis::Stream' } },
      'Odd in Main is of type AWS::Kinesis::Stream, which the local run does not support',
    ],
    [
      'an unknown intrinsic',
      { Odd: { Type: 'AWS::SNS::Topic', Properties: { TopicName: { 'Fn::GetAZs': '' } } } },
      'Odd (AWS::SNS::Topic) in Main cannot be resolved: the local run does not support the intrinsic Fn::GetAZs.',
    ],
    [
      'an unknown attribute',
      { Odd: { Type: 'AWS::SNS::Topic', Properties: { TopicName: { 'Fn::GetAtt': ['Odd', 'Colour'] } } } },
      'Odd (AWS::SNS::Topic) in Main cannot be resolved: Fn::GetAtt asks for Odd.Colour, which the local run does not support.',
    ],
  ])('says in one sentence what is wrong with %s', (_name, Resources, message) => {
    expect(() => resolveStacks([source('Main', { Resources })], FRONT)).toThrow(message);
  });
});
