import { statSync } from 'node:fs';
import { join } from 'node:path';
import { apiKeys } from '../../../local/aws/api-gateway-keys';
import { secretsManager } from '../../../local/aws/secrets-manager';
import { generateSecret } from '../../../local/provision/provision';
import { temporaryFolder } from '../../support/machine/temporary-folder';

const file = (name: string): string => join(temporaryFolder('local'), name);
const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:data-key-abc123';

describe('Secrets Manager', () => {
  it('keeps a secret over a restart, readable by its owner only', () => {
    const path = file('secrets.json');
    secretsManager(path).provision(ARN, 'data-key', () => 'first');
    const again = secretsManager(path);
    again.provision(ARN, 'data-key', () => 'never asked for');
    for (const SecretId of [ARN, 'data-key', ARN.slice(0, -7)]) {
      expect(again.answer('GetSecretValue', { SecretId })).toMatchObject({
        ARN,
        SecretString: 'first',
        VersionStages: ['AWSCURRENT'],
      });
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('moves the staging labels when a new version is put', () => {
    const secrets = secretsManager(file('secrets.json'));
    secrets.provision(ARN, 'data-key', () => 'one');
    for (const SecretString of ['two', 'three']) secrets.answer('PutSecretValue', { SecretId: ARN, SecretString });
    const read = (VersionStage: string) =>
      secrets.answer('GetSecretValue', { SecretId: ARN, VersionStage }).SecretString;
    expect([read('AWSCURRENT'), read('AWSPREVIOUS')]).toEqual(['three', 'two']);
    const { VersionIdsToStages: versions } = secrets.answer('DescribeSecret', { SecretId: ARN });
    expect(
      Object.values(versions as object)
        .flat()
        .sort(),
    ).toEqual(['AWSCURRENT', 'AWSPREVIOUS']);
  });

  it('says what it does not have', () => {
    const secrets = secretsManager(file('secrets.json'));
    expect(() => secrets.answer('GetSecretValue', { SecretId: 'gone' })).toThrow("can't find the specified secret");
    expect(() => secrets.answer('RotateSecret', { SecretId: 'gone' })).toThrow('RotateSecret is not emulated');
  });
});

describe('generated secrets', () => {
  it.each([
    [{}, /^[\x21-\x7e]{32}$/],
    [{ ExcludePunctuation: true, PasswordLength: 40 }, /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{40}$/],
    [{ ExcludePunctuation: true, ExcludeUppercase: true, ExcludeLowercase: true }, /^[0-9]{32}$/],
    [{ ExcludeCharacters: 'abc', ExcludePunctuation: true }, /^[d-zA-Z0-9]{32}$/],
  ])('%j', (options, expected) => {
    expect(generateSecret(options)).toMatch(expected);
  });

  it('fill the template', () => {
    const secret = generateSecret({
      SecretStringTemplate: '{"version":1}',
      GenerateStringKey: 'key',
      ExcludePunctuation: true,
    });
    expect(JSON.parse(secret)).toEqual({ version: 1, key: expect.stringMatching(/^[A-Za-z0-9]{32}$/) });
  });
});

describe('API keys', () => {
  const isPlan = (id: string) => id === 'plan';
  const value = 'a-value-of-twenty-characters';

  it('are created, attached, found by value, kept over a restart, and deleted', () => {
    const path = file('api-keys.json');
    const keys = apiKeys(path, isPlan);
    const { status, body } = keys.answer('POST', '/apikeys', { name: 'acct_1', value, enabled: true });
    const { id } = body as { id: string };
    expect(status).toBe(201);
    expect(keys.answer('POST', '/usageplans/plan/keys', { keyId: id, keyType: 'API_KEY' }).status).toBe(201);
    const again = apiKeys(path, isPlan);
    expect(again.find(value)).toMatchObject({ key: { id, name: 'acct_1' }, planIds: ['plan'] });
    expect(again.answer('GET', '/apikeys?name=acct', {}).body).toEqual({
      item: [expect.not.objectContaining({ value })],
    });
    expect(again.answer('DELETE', `/apikeys/${id}`, {}).status).toBe(202);
    expect(again.find(value)).toBeUndefined();
  });

  it('are not found while disabled', () => {
    const keys = apiKeys(file('api-keys.json'), isPlan);
    keys.answer('POST', '/apikeys', { name: 'off', value });
    expect(keys.find(value)).toBeUndefined();
  });

  it.each([
    ['POST', '/usageplans/other/keys', { keyId: 'x' }, 'Invalid Usage Plan identifier'],
    ['POST', '/usageplans/plan/keys', { keyId: 'x' }, 'Invalid API Key identifier'],
    ['DELETE', '/apikeys/x', {}, 'Invalid API Key identifier'],
    ['PATCH', '/restapis', {}, 'not emulated'],
  ])('refuse %s %s %j', (method, path, input, message) => {
    expect(() => apiKeys(file('api-keys.json'), isPlan).answer(method, path, input)).toThrow(message);
  });

  it('refuse a second key of the same value', () => {
    const keys = apiKeys(file('api-keys.json'), isPlan);
    keys.answer('POST', '/apikeys', { name: 'one', value });
    expect(() => keys.answer('POST', '/apikeys', { name: 'two', value })).toThrow('already exists');
  });
});
