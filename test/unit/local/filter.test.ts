import { compileFilters } from '../../../local/events/mapping';

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
    ['null', { a: [null] }, { a: null }, true],
    ['booleans', { a: { BOOL: [true] } }, { a: { BOOL: true } }, true],
  ])('%s %j on %j: %s', (_name, pattern, event, expected) => {
    expect(matches(pattern, event)).toBe(expected);
  });

  it('passes everything without filters, and what any of several filters lets through', () => {
    expect(compileFilters(undefined)({})).toBe(true);
    const two = compileFilters({ Filters: [{ Pattern: '{"a":["1"]}' }, { Pattern: '{"a":["2"]}' }] });
    expect([two({ a: '2' }), two({ a: '3' })]).toEqual([true, false]);
  });

  it.each([{ a: [{ prefix: 'x' }] }, { a: [{ exists: true }] }, { a: 'text' }, { $or: [{ a: ['1'] }] }])(
    'fails on what it does not know: %j',
    (pattern) => {
      expect(() => matches(pattern, {})).toThrow();
    },
  );
});
