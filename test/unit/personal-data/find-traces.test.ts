import { marshall } from '@aws-sdk/util-dynamodb';
import { entityNames, pseudonymOf } from '../../../shared/domain/entities/entity-ref';
import { PUBLIC_PSEUDONYMS } from '../../../shared/domain/entities/pseudonyms';
import { newId } from '../../../shared/runtime/ids';
import { lookupOf, pointerOf, traceFinder } from '../../../shared/store/personal-data/find-traces';
import { screeningItem } from '../../../shared/store/screening/screening-store';
import { packMessage } from '../../../shared/store/webhooks/packed-message';
import { openCase, screened } from '../../support/changes';

const NOW = Date.UTC(2026, 2, 20, 10);
const names = entityNames('acc');
const ann = names.user('Ann');
const person = { erasure_id: 'era_1', account_id: 'acc', user: ann.key, requested_at_ms: NOW };
const find = traceFinder(lookupOf([person], PUBLIC_PSEUDONYMS), PUBLIC_PSEUDONYMS, NOW);
const traceOf = (item: object) => find(marshall(item, { removeUndefinedValues: true }) as Parameters<typeof find>[0]);

const message = (user_id: string) => ({
  pk: 'MESSAGE#acc#msg_1',
  sk: 'MESSAGE',
  created_at: new Date(NOW - 1).toISOString(),
  body: new TextEncoder().encode(JSON.stringify({ data: { user_id } })),
});

const delivery = (user_id: string, atMs = NOW - 1) => ({
  pk: 'DELIVERIES#acc#wh_1#0',
  sk: '1',
  message_id: newId('msg', atMs),
  packed: packMessage({ body: Buffer.from(JSON.stringify({ data: { user_id } })) }),
});

it.each([
  ['a result', screeningItem('acc', screened(NOW, { entities: [ann.key, 'device#1.d'] })), 'result'],
  ['a case', { pk: 'SUBJECT#acc#01', sk: 'CASE', ...openCase(NOW, { user_id: ' Ann' }) }, 'result'],
  [
    'an entry of a list of cases',
    { pk: 'CASES#acc#d#0#all', sk: 'x', ...openCase(NOW, { user_id: 'Ann' }) },
    'case_entry',
  ],
  ['a link', { pk: 'LINKS#acc#device#1.d', sk: pseudonymOf(ann), since_ms: NOW }, 'link'],
  ['a profile', { pk: `ENTITY#acc#${ann.key}`, sk: 'ENTITY', b: 1, l: NOW }, 'profile'],
  ['an entry of a list', { pk: 'LISTENTRY#acc#1', sk: ann.key }, 'list_entry'],
  ['a message to a merchant', message('Ann​'), 'message'],
  ['a message that is stored with its delivery', delivery('Ann'), 'message'],
  ['a recorded response', { pk: 'IDEMPOTENCY#acc#s', sk: 'IDEMPOTENCY', answer: '{"user_id":"Ann"}' }, 'response'],
])('recognises %s', (_name, item, kind) => {
  expect(traceOf(item)).toMatchObject({ erasure_id: 'era_1', kind, account_id: 'acc' });
});

it('names the entities to look at in the end', () => {
  const entities = [ann.key, 'device#1.d', 'attribute.email#1.e'];
  expect(traceOf(screeningItem('acc', screened(NOW, { entities })))?.entities).toEqual(entities.slice(1));
  expect(traceOf({ pk: 'LINKS#acc#device#1.d', sk: pseudonymOf(ann), since_ms: 1 })?.entities).toEqual(['device#1.d']);
});

it.each([
  ['of another user', screeningItem('acc', screened(NOW, { entities: [names.user('bob').key] }))],
  ['of another account', screeningItem('acc2', screened(NOW, { entities: [ann.key] }))],
  ['that came after the request', screeningItem('acc', screened(NOW + 1, { entities: [ann.key] }))],
  ['that is a profile seen again', { pk: `ENTITY#acc#${ann.key}`, sk: 'ENTITY', b: 1, l: NOW + 1 }],
  ['that is a device', { pk: 'ENTITY#acc#device#1.d', sk: 'ENTITY', l: 1 }],
  ['of nobody', { pk: 'TALLY#acc#0', sk: 'DAY#2026-03-20', u1: 3 }],
  ['that is sealed', { pk: 'IDEMPOTENCY#acc#s', sk: 'IDEMPOTENCY', answer: 'v1:sealed' }],
  ['about somebody else', message('Bob')],
  ['about somebody else, with its delivery', delivery('Bob')],
  ['with its delivery, and came after the request', delivery('Ann', NOW + 1)],
  ['a delivery of a message that has an item of its own', { ...delivery('Ann'), packed: undefined }],
])('leaves what is %s', (_name, item) => {
  expect(traceOf(item)).toBeUndefined();
});

const ULID = '01JCP2Q8Z3X6T7V9B1N4M5K6H7';

it.each([
  ['a reference', { pk: 'REFERENCE#acc#1.r', sk: 'REFERENCE', ulid: ULID }, 'reference'],
  ['an outcome', { pk: 'SOURCE#acc#1.s', sk: 'chargeback', subject_id: `txn_${ULID}` }, 'outcome'],
  ['an event of Amazon’s client', { pk: 'AFD#acc#scope', sk: 'EVENT', ulid: ULID }, 'client_event'],
])('knows the screening that %s leads to', (_name, item, kind) => {
  expect(pointerOf(marshall(item) as Parameters<typeof pointerOf>[0])).toEqual({
    ...{ kind, account_id: 'acc', ulid: ULID },
    key: { pk: item.pk, sk: item.sk },
  });
});

it.each([
  ['a reference that waits for its payment', { pk: 'REFERENCE#acc#1.r', sk: 'REFERENCE' }],
  ['an outcome that waits for its reference', { pk: 'SOURCE#acc#1.s', sk: 'chargeback', subject_id: null }],
  ['how events are read', { pk: 'AFD#acc', sk: 'MAPPING' }],
  ['a result', { pk: `SUBJECT#acc#${ULID}`, sk: 'RESULT', ulid: ULID }],
])('%s leads nowhere', (_name, item) => {
  expect(pointerOf(marshall(item) as Parameters<typeof pointerOf>[0])).toBeUndefined();
});
