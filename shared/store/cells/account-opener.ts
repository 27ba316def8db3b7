import { API_KEY_SK, accountDirectoryKey, accountKey, accountPk, INBOUND_SK, inboundKey, keyHashKey } from '../keys';
import type { CellEnd } from './account-copier';
import { nameOfKey, type StoredItem } from './account-items';
import type { CellTable } from './cell-table';
import { resealedItem } from './resealed-item';

/** The key that carries the account's rate limit in the other deployment's API Gateway. */
export interface RateLimitKey {
  readonly rate_limit_key: string;
  readonly rate_limit_key_id: string;
}

/** The end that an account leaves. */
export interface LeavingEnd extends CellEnd {
  readonly table: CellTable;
}

/**
 * Makes an account known at the other end: the hashes of its keys and its addresses first, itself last, because without the
 * account none of the others is of any use. Repeating it changes nothing.
 */
export async function openAccount(accountId: string, source: LeavingEnd, target: CellEnd, rateLimit: RateLimitKey) {
  const put = async (item: StoredItem | undefined): Promise<void> => {
    if (item === undefined) return;
    const { move: _move, ...staying } = item;
    await target.table.put(await resealedItem(staying, source.sealer, target.sealer));
  };
  const listed = await source.table.query(accountPk(accountId));
  const keys = listed.flatMap(({ sk, key_hash }) => {
    if (sk?.S?.startsWith(API_KEY_SK)) return [keyHashKey(key_hash?.S ?? '')];
    return sk?.S?.startsWith(INBOUND_SK) ? [inboundKey(sk.S.slice(INBOUND_SK.length))] : [];
  });
  const found = await source.table.get([...keys, accountDirectoryKey(accountId), accountKey(accountId)]);
  // A revoked key has a record, but no hash.
  for (const key of keys) await put(found.get(nameOfKey(key)));
  await put(found.get(nameOfKey(accountDirectoryKey(accountId))));
  const account = found.get(nameOfKey(accountKey(accountId)));
  const { rate_limit_key, rate_limit_key_id } = rateLimit;
  await put(
    account && { ...account, rate_limit_key: { S: rate_limit_key }, rate_limit_key_id: { S: rate_limit_key_id } },
  );
}
