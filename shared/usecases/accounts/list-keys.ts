import type { Caller } from '../../domain/accounts/account';
import { keyName, type ShownApiKey } from '../../domain/accounts/api-key';

/** Dependencies of listing keys. */
export interface ListKeysDeps {
  readonly keys: { list(accountId: string): Promise<readonly ShownApiKey[]> };
}

/** The keys of the caller's account, newest first. */
export async function listKeys({ keys }: ListKeysDeps, { account_id }: Caller): Promise<ShownApiKey[]> {
  return [...(await keys.list(account_id))].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
}

const KEY_ID = /^key_/;

/** The names of these authors, as far as they are keys; people go by their own names. */
export async function authorNames(
  { keys }: ListKeysDeps,
  { account_id }: Pick<Caller, 'account_id'>,
  authors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!authors.some((each) => KEY_ID.test(each))) return new Map();
  return new Map((await keys.list(account_id)).map((key) => [key.key_id, keyName(key)]));
}
