import type { Provider } from '../../domain/outcomes/processors/notification';
import type { Sealer } from '../../domain/sealer';
import { ASIDE_SK, accountInboundKey, accountPk, asideKey, INBOUND_SK, inboundKey, inboundPk } from '../keys';
import type { Table } from '../sdk/client';
import { getItem, putItem, queryPrefix } from '../sdk/table-calls';
import { transact } from '../sdk/transact';

export interface InboundRecord {
  readonly inbound_id: string;
  readonly account_id: string;
  readonly provider: Provider;
  readonly created_at: string;
}

interface Aside {
  readonly ulid: string;
  readonly at_ms: number;
  readonly reason: string;
  readonly body: string;
}

/** Contexts of sealed texts: ciphertext that was moved to another address does not open. */
export const inboundSecretContext = (accountId: string, inboundId: string): string =>
  `inbound-secret/${accountId}/${inboundId}`;
export const asideContext = (inboundId: string, ulid: string): string => `inbound-body/${inboundId}/${ulid}`;

export const ASIDE_LIFE_MS = 30 * 86_400_000;

const toRecord = (item: Record<string, unknown>): InboundRecord => {
  const { inbound_id, account_id, provider, created_at } = item as unknown as InboundRecord;
  return { inbound_id, account_id, provider, created_at };
};

/** Store of the function that receives notifications. */
export function inboundReceiver(table: Table, sealer: Sealer) {
  return {
    async find(inboundId: string): Promise<(InboundRecord & { readonly secret: string }) | undefined> {
      const item = await getItem(table, inboundKey(inboundId));
      if (!item) return undefined;
      const record = toRecord(item);
      return { ...record, secret: await sealer.open(item.secret, inboundSecretContext(record.account_id, inboundId)) };
    },

    async setAside({ inbound_id, account_id }: Pick<InboundRecord, 'inbound_id' | 'account_id'>, aside: Aside) {
      const { ulid, at_ms, reason, body } = aside;
      const Item = {
        ...asideKey(inbound_id, ulid),
        ...{ entity: 'inbound-aside', account_id, inbound_id, ulid, at_ms, reason },
        // It may name somebody: a dispute comes with evidence.
        body: await sealer.seal(body, asideContext(inbound_id, ulid)),
        ttl: Math.ceil((at_ms + ASIDE_LIFE_MS) / 1000),
      };
      await putItem(table, Item);
    },
  };
}

/** An administrator's access to inbound addresses. */
export function inboundAdmin(table: Table, sealer: Sealer) {
  return {
    async create(record: InboundRecord, secret: string): Promise<void> {
      const { account_id, inbound_id } = record;
      const sealed = await sealer.seal(secret, inboundSecretContext(account_id, inbound_id));
      const listed = { ...accountInboundKey(account_id, inbound_id), entity: 'inbound-entry', ...record };
      const item = { ...inboundKey(inbound_id), entity: 'inbound', ...record, secret: sealed };
      const puts = [listed, item].map((Item) => ({ Put: { Item } }));
      await transact(table, puts);
    },

    list: async (accountId: string): Promise<InboundRecord[]> =>
      (await queryPrefix(table, accountPk(accountId), INBOUND_SK)).map(toRecord),

    async remove(accountId: string, inboundId: string): Promise<boolean> {
      const outcome = await transact(table, [
        {
          Delete: { Key: { ...accountInboundKey(accountId, inboundId) }, ConditionExpression: 'attribute_exists(pk)' },
        },
        { Delete: { Key: { ...inboundKey(inboundId) } } },
      ]);
      return outcome.committed;
    },

    /** Bodies that were set aside, oldest first. */
    asides: async (inboundId: string): Promise<Aside[]> =>
      Promise.all(
        (await queryPrefix(table, inboundPk(inboundId), ASIDE_SK)).map(async ({ ulid, at_ms, reason, body }) => ({
          ...{ ulid, at_ms, reason, body: await sealer.open(body, asideContext(inboundId, ulid)) },
        })),
      ),
  };
}
