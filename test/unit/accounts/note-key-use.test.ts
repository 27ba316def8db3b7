import { noteKeyUse } from '../../../shared/usecases/accounts/note-key-use';
import { failing, interpose } from '../../support/memory/interpose';
import { memoryAccounts } from '../../support/memory/memory-accounts';

const hour = (number: number) => `2026-03-01T0${number}:00:00.000Z`;

function world() {
  const accounts = memoryAccounts();
  const writes: string[] = [];
  const failures: string[] = [];
  const uses = interpose({ recordUse: accounts.recordUse }, (call, apply) => {
    writes.push(call);
    return apply();
  });
  const log = { error: (message: string): void => void failures.push(message) };
  return { accounts, uses, writes, failures, log };
}

it('writes once per key and hour, however often the key is used', async () => {
  const { uses, writes, log } = world();
  const note = noteKeyUse({ uses, log });
  for (const at of [1, 1, 1, 2, 2]) await note('acc_1', 'key_1', hour(at));
  await note('acc_1', 'key_2', hour(2));
  expect(writes).toHaveLength(3);
});

it('leaves a later hour alone that another process noted', async () => {
  const { accounts, uses, log } = world();
  await noteKeyUse({ uses, log })('acc_1', 'key_1', hour(5));
  await noteKeyUse({ uses, log })('acc_1', 'key_1', hour(4));
  expect(await accounts.recordUse('acc_1', 'key_1', hour(5))).toBe(false);
});

it('never fails: a write that did not succeed is logged and tried again with the next use', async () => {
  const { accounts, failures, log } = world();
  let tries = 0;
  const uses = interpose(
    { recordUse: accounts.recordUse },
    failing(() => (++tries === 1 ? 'before' : undefined)),
  );
  const note = noteKeyUse({ uses, log });
  await note('acc_1', 'key_1', hour(1));
  expect(failures).toEqual(['key use was not recorded']);
  await note('acc_1', 'key_1', hour(1));
  expect(await accounts.recordUse('acc_1', 'key_1', hour(1))).toBe(false);
});
