import { compileFilters, filterableMessage } from '../../../local/events/mapping';

const matches = (pattern: object, event: unknown): boolean =>
  compileFilters({ Filters: [{ Pattern: JSON.stringify(pattern) }] })(event);

describe('event filters', () => {
  it.each([
    ['equality', { eventName: ['INSERT', 'MODIFY'] }, { eventName: 'MODIFY' }, true],
    ['equality', { eventName: ['INSERT'] }, { eventName: 'REMOVE' }, false],
    ['a missing member', { eventName: ['INSERT'] }, {}, false],
    [
      'nesting',
      { dynamodb: { NewImage: { kind: { S: ['order'] } } } },
      { dynamodb: { NewImage: { kind: { S: 'order' } } } },
      true,
    ],
    ['nesting into nothing', { dynamodb: { NewImage: { kind: { S: ['order'] } } } }, { dynamodb: { Keys: {} } }, false],
    ['all members', { a: ['1'], b: ['2'] }, { a: '1', b: '3' }, false],
    ['prefix', { id: [{ prefix: 'txn_' }] }, { id: 'txn_1' }, true],
    ['prefix', { id: [{ prefix: 'txn_' }] }, { id: 'evt_1' }, false],
    ['suffix', { id: [{ suffix: '.png' }] }, { id: 'a.png' }, true],
    ['anything but one', { id: [{ 'anything-but': ['a', 'b'] }] }, { id: 'c' }, true],
    ['anything but one', { id: [{ 'anything-but': ['a', 'b'] }] }, { id: 'b' }, false],
    ['anything but a prefix', { id: [{ 'anything-but': { prefix: 'a' } }] }, { id: 'b' }, true],
    ['exists', { id: [{ exists: true }] }, { id: null }, true],
    ['exists', { id: [{ exists: true }] }, {}, false],
    ['does not exist', { id: [{ exists: false }] }, {}, true],
    ['numeric', { n: [{ numeric: ['>', 1, '<=', 5] }] }, { n: 5 }, true],
    ['numeric', { n: [{ numeric: ['>', 1, '<=', 5] }] }, { n: 1 }, false],
    ['numeric on a number of DynamoDB', { n: { N: [{ numeric: ['=', 7] }] } }, { n: { N: '7' } }, true],
    ['null', { a: [null] }, { a: null }, true],
    ['booleans', { a: { BOOL: [true] } }, { a: { BOOL: true } }, true],
    ['a member of a list', { a: ['x'] }, { a: ['y', 'x'] }, true],
    ['$or', { $or: [{ a: ['1'] }, { b: ['2'] }] }, { b: '2' }, true],
    ['$or', { $or: [{ a: ['1'] }, { b: ['2'] }] }, { a: '2' }, false],
    ['equality without case', { a: [{ 'equals-ignore-case': 'ABC' }] }, { a: 'abc' }, true],
  ])('%s %j on %j: %s', (_name, pattern, event, expected) => {
    expect(matches(pattern, event)).toBe(expected);
  });

  it('passes everything without filters, and what any of several filters lets through', () => {
    expect(compileFilters(undefined)({})).toBe(true);
    const two = compileFilters({ Filters: [{ Pattern: '{"a":["1"]}' }, { Pattern: '{"a":["2"]}' }] });
    expect([two({ a: '2' }), two({ a: '3' })]).toEqual([true, false]);
  });

  it.each([{ a: [{ wildcard: '*' }] }, { a: [{ cidr: '10.0.0.0/8' }] }, { a: 'text' }, { a: [{ numeric: ['~', 1] }] }])(
    'fails on what it does not know: %j',
    (pattern) => {
      expect(() => matches(pattern, {})).toThrow();
    },
  );

  it('looks into the JSON body of a message, and takes other bodies as text', () => {
    expect(matches({ body: { type: ['a'] } }, filterableMessage({ body: '{"type":"a"}' }))).toBe(true);
    expect(matches({ body: ['plain'] }, filterableMessage({ body: 'plain' }))).toBe(true);
    expect(matches({ body: { type: ['a'] } }, filterableMessage({ body: 'plain' }))).toBe(false);
  });
});
