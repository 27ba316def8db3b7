import { compileFilters } from '../../local/events/mapping';
import { ofType, type Properties, type Resource, resourcesOf, statementsOfRole } from '../support/template';

describe.each(['sandbox', 'production'])('webhook delivery of %s', (stage) => {
  const resources = resourcesOf(`FraudScreening-${stage}`);
  const queue = (name: string): Resource => {
    const found = ofType(resources, 'AWS::SQS::Queue').find(({ id }) => id.startsWith(`DeliveryQueues${name}`));
    if (!found) throw new Error(`no queue ${name}`);
    return found;
  };
  const mappings = ofType(resources, 'AWS::Lambda::EventSourceMapping').map((each) => each.Properties);
  const mappingOf = (source: Resource): Properties =>
    mappings.find((each) => each.EventSourceArn['Fn::GetAtt'][0] === source.id);

  it.each(['Fresh', 'Retries', 'Dead', 'RelayFailures'])(
    '%s is encrypted, over TLS only, and kept for 14 days',
    (name) => {
      const { id, Properties: properties } = queue(name);
      expect(properties).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 86_400 });
      const policies = ofType(resources, 'AWS::SQS::QueuePolicy').filter(
        ({ Properties: { Queues } }) => Queues[0].Ref === id,
      );
      expect(policies.map((policy) => policy.Properties.PolicyDocument.Statement[0])).toEqual([
        expect.objectContaining({
          Effect: 'Deny',
          Action: 'sqs:*',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      ]);
    },
  );

  it.each(['Fresh', 'Retries'])(
    '%s: ten at once, six times the function’s time invisible, five tries, then the dead letters',
    (name) => {
      const { Properties: properties } = queue(name);
      expect(properties).toMatchObject({
        VisibilityTimeout: 180,
        RedrivePolicy: { maxReceiveCount: 5, deadLetterTargetArn: { 'Fn::GetAtt': [queue('Dead').id, 'Arn'] } },
      });
      const mapping = mappingOf(queue(name));
      expect(mapping).toMatchObject({ BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] });
      // Reserved concurrency would push good messages to the dead letters.
      expect(mapping.ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(10);
    },
  );

  it('the dispatcher has 30 s, threads for ten look-ups, and no reserved concurrency', () => {
    const dispatcher = ofType(resources, 'AWS::Lambda::Function').find(({ id }) =>
      id.startsWith('DeliveryDeliverWebhook'),
    );
    expect(dispatcher?.Properties).toMatchObject({
      Timeout: 30,
      Environment: { Variables: { UV_THREADPOOL_SIZE: '20' } },
    });
    expect(dispatcher?.Properties.ReservedConcurrentExecutions).toBeUndefined();
  });

  it('the sweep runs every minute', () => {
    const rule = ofType(resources, 'AWS::Events::Rule').find(({ id }) => id.startsWith('DeliveryDeliveriesDue'));
    expect(rule?.Properties.ScheduleExpression).toBe('rate(1 minute)');
  });

  const [table] = ofType(resources, 'AWS::DynamoDB::GlobalTable') as [Resource];

  it('the relay starts at the oldest record, halves what fails, and has somewhere to put it', () => {
    expect(mappingOf(table)).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [queue('RelayFailures').id, 'Arn'] } } },
    });
  });

  const passes = compileFilters(mappingOf(table).FilterCriteria);
  const record = (eventName: string, NewImage: object) => ({ eventName, dynamodb: { NewImage } });
  const entity = (S: string, rest: object = {}) => ({ entity: { S }, ...rest });
  const review = { review: { M: { decision: { S: 'allow' } } } };

  it.each([
    ['a screening', record('INSERT', entity('screening')), true],
    ['a case', record('INSERT', entity('case')), true],
    ['a review', record('MODIFY', entity('screening', review)), true],
    ['a case resolved', record('MODIFY', entity('case', { status: { S: 'approved' } })), true],
    ['a redelivery', record('INSERT', entity('delivery', { origin: { S: 'redelivery' } })), true],
    ['a test', record('INSERT', entity('delivery', { origin: { S: 'test' } })), true],
    ['a rule changed', record('INSERT', entity('rule-version')), true],
    ['the book of rules', record('MODIFY', entity('rule-book')), false],
    ['a delivery of the relay’s own', record('INSERT', entity('delivery', { origin: { S: 'event' } })), false],
    ['a delivery claimed', record('MODIFY', entity('delivery', { origin: { S: 'test' } })), false],
    ['a message', record('INSERT', entity('message')), false],
    ['an entity’s counters', record('MODIFY', entity('entity')), false],
    ['a screening touched', record('MODIFY', entity('screening')), false],
    ['a case expired', record('MODIFY', entity('case', { status: { S: 'expired' } })), false],
    ['a case in a list', record('INSERT', entity('case-entry')), false],
    ['an endpoint', record('INSERT', entity('webhook')), false],
    ['what the clean-up removes', { eventName: 'REMOVE', dynamodb: { OldImage: entity('screening') } }, false],
  ])('the relay is invoked for what may fire a webhook and nothing else: %s', (_what, change, invoked) => {
    expect(passes(change)).toBe(invoked);
  });

  it('shares nothing with the other stage', () => {
    const ids = new Set(resources.map(({ id }) => id));
    for (const { EventSourceArn, FunctionName } of mappings) {
      expect(ids.has(EventSourceArn['Fn::GetAtt'][0])).toBe(true);
      expect(JSON.stringify(FunctionName)).not.toContain('ImportValue');
    }
  });

  it('is no business of the screening path, which may neither read an endpoint nor send to a queue', () => {
    const roles = ofType(resources, 'AWS::IAM::Role').filter(({ id }) => /^Screen(Transaction|Event)Role/.test(id));
    expect(roles).toHaveLength(2);
    for (const { id } of roles) {
      expect(JSON.stringify(statementsOfRole(resources, id))).not.toMatch(
        /WEBHOOKS#|MESSAGE#|DELIVERIES#|ENDPOINTSTATE#|sqs:/,
      );
    }
  });

  it('is the only part that may read messages, and only its functions and requests about webhooks may write deliveries', () => {
    const holders = (partition: string): string[] =>
      ofType(resources, 'AWS::IAM::Role')
        .filter(({ id }) => JSON.stringify(statementsOfRole(resources, id)).includes(`"${partition}#*"`))
        .map(({ id }) => id.replace(/Role[0-9A-F]{8}$/, ''))
        .sort();
    expect(holders('MESSAGE')).toEqual([
      'DeliveryDeliverWebhook',
      'DeliveryRelayEvents',
      'DeliverySweepDeliveries',
      // Erases the messages about a person.
      'ErasuresEraseUsers',
      'Webhooks',
    ]);
    expect(holders('DELIVERIES')).toEqual([
      'DeliveryDeliverWebhook',
      'DeliveryRelayEvents',
      'DeliverySweepDeliveries',
      // Small messages are stored with their deliveries.
      'ErasuresEraseUsers',
      'Webhooks',
    ]);
  });
});
