import { randomBytes } from 'node:crypto';
import { readJsonFile, writeJsonFile } from '../data-directory';
import { AwsError } from './call';

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly enabled: boolean;
  readonly createdDate: number;
}

interface Stored {
  readonly keys: readonly ApiKey[];
  readonly planKeys: readonly { readonly planId: string; readonly keyId: string }[];
}

/** API Gateway's keys and their usage plans: the control plane the admin command uses, kept in one file. */
export interface ApiKeys {
  /** The enabled key of that value and the plans it belongs to. */
  find(value: string): { readonly key: ApiKey; readonly planIds: readonly string[] } | undefined;
  provision(key: Omit<ApiKey, 'createdDate'>): void;
  attach(planId: string, keyId: string): void;
  answer(method: string, path: string, input: Readonly<Record<string, unknown>>): { status: number; body: unknown };
}

const hide = ({ value: _value, ...key }: ApiKey): Omit<ApiKey, 'value'> => key;

export function apiKeys(file: string, isPlan: (planId: string) => boolean): ApiKeys {
  let stored = readJsonFile<Stored>(file, { keys: [], planKeys: [] });
  const save = (next: Stored): void => {
    stored = next;
    writeJsonFile(file, stored);
  };

  const keyOf = (id: string): ApiKey => {
    const key = stored.keys.find((candidate) => candidate.id === id);
    if (!key) throw new AwsError('NotFoundException', 'Invalid API Key identifier specified', 404);
    return key;
  };

  const add = (key: ApiKey): ApiKey => {
    if (stored.keys.some(({ value }) => value === key.value)) {
      throw new AwsError('ConflictException', 'API Key already exists', 409);
    }
    save({ ...stored, keys: [...stored.keys, key] });
    return key;
  };

  const attach = (planId: string, keyId: string): ApiKey => {
    if (!isPlan(planId)) throw new AwsError('NotFoundException', 'Invalid Usage Plan identifier specified', 404);
    const key = keyOf(keyId);
    if (stored.planKeys.some((entry) => entry.planId === planId && entry.keyId === keyId)) {
      throw new AwsError('ConflictException', 'Usage plan already contains the key', 409);
    }
    save({ ...stored, planKeys: [...stored.planKeys, { planId, keyId }] });
    return key;
  };

  const remove = (id: string): void => {
    keyOf(id);
    save({
      keys: stored.keys.filter((key) => key.id !== id),
      planKeys: stored.planKeys.filter(({ keyId }) => keyId !== id),
    });
  };

  const list = (query: URLSearchParams): unknown => {
    const prefix = query.get('nameQuery') ?? query.get('name') ?? '';
    const found = stored.keys.filter(({ name }) => name.startsWith(prefix));
    return { item: query.get('includeValues') === 'true' ? found : found.map(hide) };
  };

  return {
    find: (value) => {
      const key = stored.keys.find((candidate) => candidate.value === value && candidate.enabled);
      if (!key) return undefined;
      return { key, planIds: stored.planKeys.filter(({ keyId }) => keyId === key.id).map(({ planId }) => planId) };
    },
    provision: (key) => {
      if (!stored.keys.some(({ id }) => id === key.id)) add({ ...key, createdDate: Date.now() / 1000 });
    },
    attach: (planId, keyId) => {
      if (!stored.planKeys.some((entry) => entry.planId === planId && entry.keyId === keyId)) attach(planId, keyId);
    },
    answer: (method, url, input) => {
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      const [, collection, id, members, memberId] = pathname.split('/');
      const route = `${method} ${collection}${id ? '/id' : ''}${members ? `/${members}` : ''}${memberId ? '/id' : ''}`;
      switch (route) {
        case 'POST apikeys': {
          const value = String(input.value ?? randomBytes(20).toString('hex'));
          const created = { id: randomBytes(5).toString('hex'), name: String(input.name ?? ''), value };
          return {
            status: 201,
            body: add({ ...created, enabled: input.enabled === true, createdDate: Date.now() / 1000 }),
          };
        }
        case 'GET apikeys':
          return { status: 200, body: list(searchParams) };
        case 'GET apikeys/id': {
          const key = keyOf(id ?? '');
          return { status: 200, body: searchParams.get('includeValue') === 'true' ? key : hide(key) };
        }
        case 'DELETE apikeys/id':
          remove(id ?? '');
          return { status: 202, body: '' };
        case 'POST usageplans/id/keys': {
          const { value: _value, ...key } = attach(id ?? '', String(input.keyId));
          return { status: 201, body: { id: key.id, name: key.name, type: 'API_KEY' } };
        }
        case 'GET usageplans/id/keys': {
          const keyIds = stored.planKeys.filter(({ planId }) => planId === id).map(({ keyId }) => keyId);
          const item = keyIds.map(keyOf).map(({ id: keyId, name }) => ({ id: keyId, name, type: 'API_KEY' }));
          return { status: 200, body: { item } };
        }
        case 'DELETE usageplans/id/keys/id':
          save({
            ...stored,
            planKeys: stored.planKeys.filter((entry) => entry.planId !== id || entry.keyId !== memberId),
          });
          return { status: 202, body: '' };
        default:
          throw new AwsError('NotFoundException', `${method} ${pathname} is not emulated by the local run.`, 404);
      }
    },
  };
}
