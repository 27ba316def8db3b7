import { createHash } from 'node:crypto';
import { entityNames } from '../../../../shared/domain/entities/entity-ref';
import { pseudonymsBy } from '../../../../shared/domain/entities/pseudonyms';
import { packEntities } from '../../../../shared/store/entities/packed-entities';
import { rekeyedEntities, rekeyedHistory, rekeyItem, rekeyLink } from '../../../../shared/store/entities/rekey-item';
import { entityKey } from '../../../../shared/store/keys';

const [one, two] = [1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
const newest = pseudonymsBy([one, two]);
const { key: wanted } = entityNames('acc_1', newest).user('ann');
const unkeyed = `user#${createHash('sha256').update('acc_1\nuser\nann').digest('base64url').slice(0, 22)}`;
const older = entityNames('acc_1', pseudonymsBy([one])).user('ann').key;

const stored = (key: string) => ({
  ...{ pk: { S: entityKey('acc_1', key).pk }, sk: { S: 'ENTITY' }, f: { N: '1' }, n: { N: '5' }, lf: { N: '2' } },
  ...{ k3: { SS: ['DE'] }, v3: { SS: ['ab'] }, u3: { SS: ['ab'] }, d0: { S: 'abcdef1' }, c1: { N: '3' } },
});

describe('the history of an entity', () => {
  it.each([
    ['no key', unkeyed],
    ['an older key', older],
  ])('named by %s is found by the newest, without what the older one hashed', (_, key) => {
    const { v3, u3, d0, pk, ...kept } = stored(key);
    expect(rekeyItem(newest, stored(key))).toEqual({ ...kept, pk: { S: entityKey('acc_1', wanted).pk } });
  });

  it('that has the newest name, and every other item, stays where it is', () => {
    expect(rekeyItem(newest, stored(wanted))).toBeUndefined();
    expect(rekeyItem(newest, { pk: { S: 'SUBJECT#acc_1#x' }, sk: { S: 'RESULT' } })).toBeUndefined();
  });

  it('is followed by references, sources and what is kept of old screenings', () => {
    const [from, to] = [older, wanted].map((key) => key.slice('user#'.length));
    for (const kind of ['REFERENCE', 'SOURCE']) {
      const item = { pk: { S: `${kind}#acc_1#${from}` }, sk: { S: 'x' }, ulid: { S: 'U' } };
      expect(rekeyItem(newest, item)).toEqual({ ...item, pk: { S: `${kind}#acc_1#${to}` } });
    }
    const kept = {
      pk: { S: 'KEPT#acc_1#U' },
      sk: { S: 'KEPT' },
      entity: { S: 'kept' },
      entities: { L: [{ S: older }] },
    };
    expect(rekeyItem(newest, kept)).toBeUndefined();
    expect(rekeyedEntities(newest, kept)).toEqual([wanted]);
  });

  it('gets the labels of results that were screened under its older name', () => {
    const result = (keys: readonly string[]) => ({
      ...{ pk: { S: 'SUBJECT#acc_1#x' }, sk: { S: 'RESULT' }, entity: { S: 'screening' } },
      entities: { L: keys.map((S) => ({ S })) },
    });
    expect(rekeyedEntities(newest, result([unkeyed, older]))).toEqual([wanted, wanted]);
    expect(rekeyedEntities(newest, result([wanted]))).toBeUndefined();
    expect(rekeyedEntities(newest, stored(unkeyed))).toBeUndefined();
    const packed = { ...result([]), entities: { B: packEntities([unkeyed, older]) } };
    expect(rekeyedEntities(newest, packed)).toEqual([wanted, wanted]);
    expect(rekeyedEntities(newest, { ...packed, entities: { B: packEntities([wanted]) } })).toBeUndefined();
  });

  it('is followed by the results in the user’s history, and by links at both ends', () => {
    const at = (key: string) => key.slice('user#'.length);
    const listed = (key: string) => ({ history_pk: { S: `HISTORY#acc_1#${at(key)}` } });
    expect(rekeyedHistory(newest, listed(older))).toBe(`HISTORY#acc_1#${at(wanted)}`);
    expect(rekeyedHistory(newest, listed(wanted))).toBeUndefined();
    expect(rekeyedHistory(newest, {})).toBeUndefined();
    const link = (device: string, user: string) => ({
      pk: { S: `LINKS#acc_1#device#${at(device)}` },
      sk: { S: at(user) },
      since_ms: { N: '1' },
    });
    expect(rekeyLink(newest, link(older, older))).toEqual(link(wanted, wanted));
    expect(rekeyLink(newest, link(wanted, wanted))).toBeUndefined();
    expect(rekeyLink(newest, stored(older))).toBeUndefined();
  });
});
