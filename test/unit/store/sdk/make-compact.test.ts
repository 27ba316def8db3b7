import { setFlagsFromString } from 'node:v8';
import { openOnceClient, openPatientTable, openTable } from '../../../../shared/store/sdk/client';
import { makeCompact } from '../../../../shared/store/sdk/plain-protocol';

setFlagsFromString('--allow-natives-syntax');
const isCompact = new Function('object', 'return %HasFastProperties(object)') as (object: object) => boolean;

const grown = (): Record<string, number> => {
  const object: Record<string, number> = {};
  for (let member = 0; member < 60; member++) object[`member-${member}`] = member;
  return object;
};

it('makes one object after another compact, and leaves their members as they are', () => {
  for (let round = 0; round < 10; round++) {
    const object = grown();
    expect(isCompact(object)).toBe(false);
    makeCompact(object);
    expect(isCompact(object)).toBe(true);
    expect(Object.entries(object)).toEqual(Object.entries(grown()));
  }
});

it('is done to the configuration of every client, which the SDK copies at each call', () => {
  process.env.AWS_REGION ??= 'us-east-1';
  const clients = [openOnceClient(), openTable('table').client, openPatientTable('table').client];
  expect(clients.map(({ config }) => isCompact(config))).toEqual([true, true, true]);
});
