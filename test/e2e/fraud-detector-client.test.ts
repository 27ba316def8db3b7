import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  AccessDeniedException,
  BatchCreateVariableCommand,
  ConflictException,
  CreateVariableCommand,
  DeleteEventTypeCommand,
  DeleteVariableCommand,
  FraudDetectorClient,
  GetDetectorsCommand,
  GetEntityTypesCommand,
  GetEventCommand,
  GetEventPredictionCommand,
  GetEventPredictionMetadataCommand,
  GetEventTypesCommand,
  GetLabelsCommand,
  GetListElementsCommand,
  GetOutcomesCommand,
  GetRulesCommand,
  GetVariablesCommand,
  PutEntityTypeCommand,
  PutEventTypeCommand,
  PutLabelCommand,
  ResourceNotFoundException,
  SendEventCommand,
  UpdateEventLabelCommand,
  UpdateVariableCommand,
  ValidationException,
} from '@aws-sdk/client-frauddetector';
import { insightScore } from '../../shared/domain/afd/afd-score';
import { parseAfdMapping } from '../../shared/schemas/afd-mapping';
import { admin, call, newAccount } from '../support/api';
import { samplesOf } from '../support/docs/readme-samples';
import { localRun } from '../support/local-run';
import { patient } from '../support/patience';

/** Amazon's own client: only endpoint and credentials are ours. */
const clientOf = (accessKeyId: string) =>
  new FraudDetectorClient({
    endpoint: `${localRun().url}/afd`,
    region: 'eu-central-1',
    credentials: { accessKeyId, secretAccessKey: 'x' },
  });

const event = (eventId: string, price = '49.90') => ({
  eventId,
  eventTypeName: 'purchase',
  eventTimestamp: new Date().toISOString(),
  entities: [{ entityType: 'customer', entityId: 'user-50' }],
  eventVariables: { order_price: price, payment_currency: 'EUR', ip_address: '91.0.0.1', card_bin: '411111' },
});

const NAME = { eventId: 'order-1', eventTypeName: 'purchase' };
const LABEL = { assignedLabel: 'fraud', labelTimestamp: new Date().toISOString() };

const BOTO3 = join(__dirname, '../support/fraud-detector-boto3.py');
const hasBoto3 =
  spawnSync('python3', ['-c', 'import boto3; boto3.client("frauddetector", "eu-central-1")']).status === 0;

const GUIDE = join(__dirname, '../../docs/guide/leave-fraud-detector.md');

/** Declared by that script. */
const OWN_TYPES = ['claim', 'coupon', 'gift-card', 'payout', 'refund'];

describe("Amazon Fraud Detector's own client", () => {
  let key: string;
  let account: string;
  let client: FraudDetectorClient;

  beforeAll(async () => {
    ({ key, account_id: account } = await newAccount('fraud detector'));
    client = clientOf(key);
  });

  const predict = (eventId: string, price?: string) =>
    client.send(new GetEventPredictionCommand({ detectorId: 'checkout', ...event(eventId, price) }));

  it('predicts, labels and lists', async () => {
    const prediction = await predict('order-1');
    const score = prediction.modelScores?.[0]?.scores?.fraud_screening_insightscore as number;
    expect(prediction.ruleResults).toEqual([{ ruleId: 'score_allow', outcomes: ['allow'] }]);
    expect(Number.isInteger(score) && score >= 0 && score <= 1000).toBe(true);

    const again = await predict('order-1');
    expect({ ...again, $metadata: undefined }).toEqual({ ...prediction, $metadata: undefined });

    const metadata = await client.send(
      new GetEventPredictionMetadataCommand({
        ...{ ...NAME, detectorId: 'checkout', detectorVersionId: '1' },
        predictionTimestamp: new Date().toISOString(),
      }),
    );
    expect(metadata).toMatchObject({
      ...{ ...NAME, entityId: 'user-50', entityType: 'customer', detectorId: 'checkout', outcomes: ['allow'] },
      eventVariables: [
        { name: 'order_price', value: '49.9', source: 'EVENT' },
        { name: 'payment_currency', value: 'EUR', source: 'EVENT' },
      ],
    });
    expect(metadata.evaluatedModelVersions?.[0]?.evaluations?.[0]?.evaluationScore).toBe(String(score));
    expect(metadata.rules?.find(({ matched }) => matched)?.ruleId).toBe('score_allow');

    await client.send(new SendEventCommand({ ...event('order-2'), ...LABEL }));
    await client.send(new UpdateEventLabelCommand({ ...NAME, ...LABEL }));
    const found = await client.send(new GetEventCommand(NAME));
    expect(found.event).toMatchObject({
      ...{ ...NAME, currentLabel: 'fraud', eventVariables: { order_price: '49.9' } },
      entities: [{ entityType: 'customer', entityId: 'user-50' }],
    });

    const { detectors } = await client.send(new GetDetectorsCommand({ detectorId: 'checkout' }));
    expect(detectors).toMatchObject([{ detectorId: 'checkout' }]);
    const { eventTypes } = await client.send(new GetEventTypesCommand({}));
    expect(eventTypes?.map(({ name }) => name)).toContain('transaction');
    const { ruleDetails } = await client.send(new GetRulesCommand({ detectorId: 'checkout' }));
    expect(ruleDetails?.map(({ ruleId, outcomes }) => [ruleId, outcomes?.[0]])).toEqual([
      ['score_block', 'block'],
      ['score_review', 'review'],
      ['score_allow', 'allow'],
    ]);
    await call('PUT', '/v1/lists/mules', { key, body: { type: 'email', effect: 'block' } });
    const { ruleDetails: listed } = await client.send(new GetRulesCommand({ detectorId: 'checkout', ruleId: 'mules' }));
    expect(listed).toMatchObject([{ expression: '$email in @mules', outcomes: ['block'] }]);
    const rule = { expression: 'amount > 5000', action: 'block', state: 'active' };
    await call('PUT', '/v1/rules/expensive', { key, body: rule });
    const { ruleDetails: ruled } = await client.send(new GetRulesCommand({ detectorId: 'checkout' }));
    expect(ruled?.map(({ ruleId }) => ruleId)).toEqual([
      ...['mules', 'expensive'],
      ...['score_block', 'score_review', 'score_allow'],
    ]);
    expect(ruled?.[1]).toMatchObject({ expression: 'amount > 5000', ruleVersion: '1', outcomes: ['block'] });
    const { detectors: now } = await client.send(new GetDetectorsCommand({ detectorId: 'checkout' }));
    expect(now?.[0]?.description).toContain('active rules: 1; lists in force: 1');
    const { outcomes } = await client.send(new GetOutcomesCommand({}));
    expect(outcomes?.map(({ name }) => name)).toEqual(['allow', 'challenge', 'review', 'block']);
  });

  it('labels what /v1 then knows: the next payment of that user is held', async () => {
    const body = { user_id: 'user-50', amount: 20, currency: 'EUR' };
    const { json } = await call('POST', '/v1/transactions/screen', { key, body });
    expect(json.signals).toContain('prior_fraud');
    const next = await predict('order-3', '20');
    expect(['review', 'block']).toContain(next.ruleResults?.[0]?.outcomes?.[0]);
    expect(next.modelScores?.[0]?.scores?.fraud_screening_insightscore).toBeGreaterThanOrEqual(insightScore(60));
  });

  it('knows our refusals by its own classes', async () => {
    const failure = (sent: Promise<unknown>) =>
      sent.then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(await failure(predict('order-1', '9.90'))).toBeInstanceOf(ConflictException);
    expect(await failure(predict('order-4', 'much'))).toBeInstanceOf(ValidationException);
    expect(await failure(client.send(new GetEventCommand({ ...NAME, eventId: 'nothing' })))).toBeInstanceOf(
      ResourceNotFoundException,
    );
    const unknownLabel = client.send(new UpdateEventLabelCommand({ ...NAME, ...LABEL, assignedLabel: 'maybe' }));
    expect(await failure(unknownLabel)).toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining('assignedLabel: must be one of'),
    });
    const notOurs = await failure(client.send(new GetListElementsCommand({ name: 'blocked' })));
    expect(notOurs).toMatchObject({ name: 'ValidationException', message: expect.stringContaining('X-Amz-Target') });
    const stranger = clientOf(`${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`);
    expect(await failure(stranger.send(new GetOutcomesCommand({})))).toBeInstanceOf(AccessDeniedException);
  });

  it('has a door of its own: no other header opens it, and its header opens no other', async () => {
    const headers = {
      'Content-Type': 'application/x-amz-json-1.1',
      'X-Amz-Target': 'AWSHawksNestServiceFacade.GetOutcomes',
    };
    expect((await call('POST', '/afd', { key, body: '{}', headers })).status).toBe(401);
    expect((await call('POST', '/afd', { body: '{}', headers })).status).toBe(401);
    expect((await call('GET', '/afd', { key })).status).toBe(405);
    const Authorization = `AWS4-HMAC-SHA256 Credential=${key}/20261116/eu-central-1/frauddetector/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`;
    for (const path of ['/afd', '/afd/']) {
      const answer = await call('POST', path, { body: '{}', headers: { ...headers, Authorization } });
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text).outcomes).toHaveLength(4);
    }
    expect((await call('GET', '/v1/cases', { headers: { Authorization } })).status).toBe(401);
  });

  it('follows the mapping of its account', async () => {
    const [sample] = samplesOf(GUIDE, ['json']);
    expect(parseAfdMapping(sample?.source ?? '', 'guide').outcomes.allow).toBe('approve_order');
    const text = JSON.stringify({
      ...{ detectors: ['shop'], model: 'my_model', outcomes: { allow: 'approve_order' }, fraud_labels: ['chargeback'] },
      event_types: { sale: { kind: 'transaction', detector: 'shop', columns: { total: 'amount' } } },
    });
    const { key: other, account_id } = await newAccount('mapped');
    await admin().afdMappings.save(account_id, parseAfdMapping(text, 'test'));
    const mapped = clientOf(other);
    const sale = { ...event('sale-1'), eventTypeName: 'sale', eventVariables: { total: '12.50' } };
    const prediction = await mapped.send(new GetEventPredictionCommand({ detectorId: 'shop', ...sale }));
    expect(prediction.modelScores?.[0]?.scores).toHaveProperty('my_model_insightscore');
    expect(prediction.ruleResults?.[0]?.outcomes).toEqual(['approve_order']);
    const elsewhere = new GetEventPredictionCommand({ ...sale, eventId: 'sale-2', detectorId: 'unknown' });
    await expect(mapped.send(elsewhere)).rejects.toBeInstanceOf(ResourceNotFoundException);
    const { eventTypes } = await mapped.send(new GetEventTypesCommand({}));
    expect(eventTypes?.map(({ name, labels }) => [name, labels?.[0]])).toEqual([['sale', 'chargeback']]);
    expect(account).not.toBe(account_id);
  });

  it('screens an event type that the account has declared, and takes nothing else for a signup', async () => {
    const { key: own } = await newAccount('declared');
    const client = clientOf(own);
    const refund = { ...event('refund-1'), eventTypeName: 'Refund_Request', eventVariables: { reason: 'broken' } };
    const send = new GetEventPredictionCommand({ detectorId: 'any', ...refund });
    await expect(client.send(send)).rejects.toBeInstanceOf(ResourceNotFoundException);
    expect((await call('PUT', '/v1/event-types/refund_request', { key: own, body: {} })).status).toBe(201);
    expect((await client.send(send)).ruleResults?.[0]?.outcomes).toHaveLength(1);
    const userId = refund.entities?.[0]?.entityId ?? '';
    const { json } = await call('GET', `/v1/users/${encodeURIComponent(userId)}/risk-profile`, { key: own });
    expect(json.events).toEqual({ count: 1, by_type: { refund_request: 1 } });
  });

  it('declares variables and five event types, keeps what it was given, and screens by it', async () => {
    const { key: own } = await newAccount('five types');
    const client = clientOf(own);
    const EVENT = { dataSource: 'EVENT', defaultValue: '' } as const;
    const reason = {
      ...EVENT,
      name: 'Reason',
      dataType: 'STRING',
      description: 'Why',
      variableType: 'CATEGORICAL',
    } as const;
    await client.send(new CreateVariableCommand(reason));
    await expect(client.send(new CreateVariableCommand(reason))).rejects.toBeInstanceOf(ValidationException);
    const { errors } = await client.send(
      new BatchCreateVariableCommand({
        variableEntries: [
          { ...EVENT, name: 'order_price', dataType: 'FLOAT', defaultValue: '0.0' },
          { ...EVENT, name: 'items', dataType: 'INTEGER', defaultValue: '0' },
          { ...EVENT, name: 'is_gift', dataType: 'BOOLEAN', defaultValue: 'false' },
          { ...EVENT, name: 'contact', dataType: 'STRING', variableType: 'EMAIL_ADDRESS' },
          { ...EVENT, name: 'ship_to', dataType: 'STRING', variableType: 'SHIPPING_COUNTRY' },
          { ...EVENT, name: 'reason', dataType: 'STRING' },
          { name: 'untyped' },
        ],
      }),
    );
    expect(errors?.map(({ name, code }) => [name, code])).toEqual([
      ['reason', 400],
      ['untyped', 400],
    ]);
    const { json: attributes } = await call('GET', '/v1/attributes', { key: own });
    const typeOf = Object.fromEntries(
      attributes.attributes.map((each: { key: string; type: string }) => [each.key, each.type]),
    );
    expect(typeOf).toMatchObject({
      ...{ reason: 'text', order_price: 'number', items: 'number' },
      ...{ is_gift: 'boolean', contact: 'email', ship_to: 'country' },
    });

    await client.send(new PutEntityTypeCommand({ name: 'customer', description: 'Who buys' }));
    for (const name of ['fraud', 'legit']) await client.send(new PutLabelCommand({ name }));
    const type = (name: string) => ({
      ...{ name, description: `${name} of ours`, eventVariables: ['Reason', 'order_price', 'items'] },
      ...{ entityTypes: ['customer'], labels: ['fraud', 'legit'], eventIngestion: 'DISABLED' as const },
    });
    const TYPES = ['Refund_Request', 'gift-card', 'coupon', 'claim', 'payout'];
    for (const name of TYPES) await client.send(new PutEventTypeCommand(type(name)));
    const unknown = new PutEventTypeCommand({ ...type('other'), eventVariables: ['nothing'] });
    await expect(client.send(unknown)).rejects.toMatchObject({
      name: 'ValidationException',
      message: expect.stringContaining('eventVariables: there is no nothing'),
    });
    const { eventTypes } = await client.send(new GetEventTypesCommand({ name: 'Refund_Request' }));
    expect(eventTypes).toEqual([
      {
        ...type('Refund_Request'),
        createdTime: expect.stringMatching(/Z$/),
        lastUpdatedTime: expect.stringMatching(/Z$/),
        arn: expect.stringMatching(/^arn:aws:frauddetector:.*:event-type\/Refund_Request$/),
      },
    ]);
    const { eventTypes: all } = await client.send(new GetEventTypesCommand({}));
    expect(all?.map(({ name }) => name)).toEqual(expect.arrayContaining([...TYPES, 'login', 'transaction']));
    const { json: ours } = await call('GET', '/v1/event-types', { key: own });
    expect(ours.event_types).toContainEqual(expect.objectContaining({ name: 'refund_request', amount: 'optional' }));
    const { entityTypes } = await client.send(new GetEntityTypesCommand({}));
    expect(entityTypes).toMatchObject([{ name: 'customer', description: 'Who buys' }]);

    const first = await client.send(new GetLabelsCommand({ maxResults: 1 }));
    const second = await client.send(new GetLabelsCommand({ maxResults: 1, nextToken: first.nextToken }));
    expect([first, second].map(({ labels }) => labels?.map(({ name }) => name))).toEqual([['fraud'], ['legit']]);
    expect(second.nextToken).toBeUndefined();

    const rule = {
      expression: 'event_type == "refund_request" && attr.items > 3 && amount > 10',
      action: 'block',
      state: 'active',
    };
    expect((await call('PUT', '/v1/rules/many', { key: own, body: rule })).status).toBe(201);
    const sent = (name: string, items: string) => ({
      ...{ ...event(`${name}-${items}`), eventTypeName: name, detectorId: 'any' },
      eventVariables: { Reason: 'broken', order_price: '20', payment_currency: 'EUR', items },
    });
    for (const name of TYPES) {
      const { ruleResults } = await client.send(new GetEventPredictionCommand(sent(name, '2')));
      expect(ruleResults?.[0]?.ruleId).not.toBe('many');
    }
    // A rule is followed within a minute; the same event would get the same prediction.
    const predict = async (items: number) =>
      (await client.send(new GetEventPredictionCommand(sent('Refund_Request', `${items}`)))).ruleResults;
    let items = 4;
    for (const end = Date.now() + patient(40_000); Date.now() < end; items += 1) {
      if ((await predict(items))?.[0]?.ruleId === 'many') break;
      await delay(1_000);
    }
    expect(await predict(items)).toEqual([{ ruleId: 'many', outcomes: ['block'] }]);
    const name = { eventId: `Refund_Request-${items}`, eventTypeName: 'Refund_Request' };
    const { event: found } = await client.send(new GetEventCommand(name));
    expect(found?.eventVariables).toEqual({ order_price: '20', payment_currency: 'EUR' });
    const { json: profile } = await call('GET', '/v1/users/user-50/risk-profile', { key: own });
    const by_type = { refund_request: items - 2, gift_card: 1, coupon: 1, claim: 1, payout: 1 };
    expect(profile.events?.by_type ?? profile).toEqual(by_type);

    for (const undeclared of ['user_registration_v2', 'repurchase', 'reordering']) {
      await expect(client.send(new GetEventPredictionCommand(sent(undeclared, '1')))).rejects.toBeInstanceOf(
        ResourceNotFoundException,
      );
    }

    await client.send(new UpdateVariableCommand({ name: 'Reason', description: 'Why not' }));
    const { variables } = await client.send(new GetVariablesCommand({ name: 'Reason' }));
    expect(variables).toMatchObject([{ ...reason, description: 'Why not' }]);
    for (const used of [
      new DeleteVariableCommand({ name: 'items' }),
      new DeleteEventTypeCommand({ name: 'Refund_Request' }),
    ]) {
      await expect(client.send(used as DeleteVariableCommand)).rejects.toBeInstanceOf(ConflictException);
    }
    await client.send(new DeleteEventTypeCommand({ name: 'gift-card' }));
    // Within a minute, as for everything that screenings keep in memory.
    const isUnknown = (number: number) =>
      client.send(new GetEventPredictionCommand(sent('gift-card', `${number}`))).then(
        () => false,
        (error) => error instanceof ResourceNotFoundException,
      );
    let tries = 100;
    for (const end = Date.now() + patient(40_000); Date.now() < end && !(await isUnknown(tries)); tries += 1)
      await delay(1_000);
    expect(await isUnknown(tries + 1)).toBe(true);
    await client.send(new DeleteVariableCommand({ name: 'is_gift' }));
    for (const gone of [
      new DeleteVariableCommand({ name: 'is_gift' }),
      new GetVariablesCommand({ name: 'is_gift' }),
      new GetEventTypesCommand({ name: 'gift-card' }),
      new GetLabelsCommand({ name: 'maybe' }),
      new UpdateVariableCommand({ name: 'nothing' }),
    ]) {
      await expect(client.send(gone as DeleteVariableCommand)).rejects.toBeInstanceOf(ResourceNotFoundException);
    }
  });

  (hasBoto3 ? it : it.skip)(
    'runs from Python, with exceptions of its own and types that it declares (needs boto3)',
    async () => {
      const { key: own } = await newAccount('boto3');
      await call('PUT', '/v1/rules/expensive', {
        key: own,
        body: { expression: 'amount > 5000', action: 'block', state: 'active' },
      });
      const env = { ...process.env, FRAUD_SCREENING_KEY: own, AFD_URL: `${localRun().url}/afd` };
      const { stdout, stderr } = await promisify(execFile)('python3', ['-B', BOTO3], { env });
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toEqual({
        declared: OWN_TYPES.map((name) => [name, ['policy'], ['customer']]),
        kept: OWN_TYPES,
        variables: ['policy'],
        claimed: [1, 1, 1, 1, 1],
        ...{ outcomes: ['allow'], is_same: true, entity: 'user-boto', label: 'fraud', detectors: ['checkout'] },
        event_types: expect.arrayContaining(['transaction', 'login']),
        rules: ['expensive', 'score_block', 'score_review', 'score_allow'],
        all_outcomes: ['allow', 'challenge', 'review', 'block'],
        raised: [
          ...['ResourceNotFoundException', 'ValidationException', 'ConflictException'],
          ...['ValidationException', 'ResourceNotFoundException', 'ConflictException'],
        ],
      });
      const { json: profile } = await call('GET', '/v1/users/user-claims/risk-profile', { key: own });
      const ours = OWN_TYPES.map((name) => [name.replace('-', '_'), 1]);
      expect(profile.events).toEqual({ count: 5, by_type: Object.fromEntries(ours) });
    },
    patient(60_000),
  );
});
