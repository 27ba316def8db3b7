import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { fromWireItem, toWireItem } from '../../../shared/runtime/stand-ins/wire-values';
import { sized } from '../../support/sized';

/** The form that the SDK would put on the wire, with bytes in base64. */
const onTheWire = (item: object): object =>
  JSON.parse(
    JSON.stringify(item, (_name, value) =>
      value?.type === 'Buffer' || value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
    ),
  );

const bytes = fc.uint8Array({ minLength: 1, maxLength: 20 });
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map((each) => each + 0),
);
const leaf = fc.oneof(
  fc.string(),
  number,
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  bytes,
  fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }),
  fc.uniqueArray(fc.string(), { minLength: 1 }).map((all) => new Set(all)),
  fc.uniqueArray(fc.integer(), { minLength: 1 }).map((all) => new Set(all)),
);
// The SDK takes an object with a member of its own named `constructor` for an instance of a class.
const member = fc.string({ minLength: 1 }).filter((name) => name !== '__proto__' && name !== 'constructor');
const document = fc.dictionary(
  member,
  fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value')), fc.dictionary(member, tie('value'))),
  })).value,
);

describe('items in wire format', () => {
  it('are what the SDK makes of them', () => {
    fc.assert(
      fc.property(document, (item) => {
        const wire = toWireItem(item);
        expect(wire).toEqual(onTheWire(marshall(item, { removeUndefinedValues: true })));
      }),
      { numRuns: sized(300, 75) },
    );
  });

  it('are read as the SDK reads them', () => {
    fc.assert(
      fc.property(document, (item) => {
        const sent = marshall(item, { removeUndefinedValues: true });
        expect(fromWireItem(toWireItem(item))).toEqual(unmarshall(sent));
      }),
      { numRuns: sized(300, 75) },
    );
  });

  it('keep long numbers exact when asked to', () => {
    expect(fromWireItem({ n: { N: '12345678901234567890' } }, String)).toEqual({ n: '12345678901234567890' });
    expect(fromWireItem({ n: { N: '12345678901234567890' } })).toEqual({ n: 12345678901234567890n });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60, () => 0, new Set()])('refuse %p', (value) => {
    expect(() => toWireItem({ value })).toThrow(/DynamoDB|exact/);
  });
});
