import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { SealedText } from '../../domain/sealer';
import { sealContext } from '../idempotency-store';
import { PARTITION } from '../keys';
import { valueContext } from '../lists/entry-items';
import { asideContext, inboundSecretContext } from '../outcomes/inbound-store';
import type { Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { isAccepted, updateItem } from '../sdk/table-calls';
import { secretContext } from '../webhooks/webhook-store';

type Item = Record<string, unknown>;

export interface StoredText extends SealedText {
  readonly key: Key;
  readonly attribute: string;
}

const text = (item: Item, attribute: string): string => (typeof item[attribute] === 'string' ? item[attribute] : '');

function sealedTexts(item: Item): StoredText[] {
  const { pk, sk } = item as unknown as Key;
  const of = (attribute: string, context: string): StoredText => ({
    key: { pk, sk },
    attribute,
    context,
    text: text(item, attribute),
  });
  if (item.entity === 'webhook') {
    const context = secretContext(text(item, 'account_id'), text(item, 'webhook_id'));
    return [of('secret', context), of('previous_secret', context)];
  }
  if (item.entity === 'idempotency') {
    const [, account = '', ...scope] = pk.split('#');
    return [of('answer', sealContext(account, scope.join('#')))];
  }
  if (item.entity === 'inbound') {
    return [of('secret', inboundSecretContext(text(item, 'account_id'), text(item, 'inbound_id')))];
  }
  if (item.entity === 'inbound-aside') {
    return [of('body', asideContext(text(item, 'inbound_id'), text(item, 'ulid')))];
  }
  if (item.entity === 'list-entry') {
    const [, account = '', number = ''] = pk.split('#');
    return [of('sealed', valueContext(account, Number(number)))];
  }
  return [];
}

export function sealedStore(table: Table) {
  return {
    async *all(): AsyncGenerator<StoredText> {
      let from: Item | undefined;
      do {
        const command: ScanCommand = new ScanCommand({
          TableName: table.name,
          FilterExpression: [':webhooks', ':idempotency', ':entries', ':inbound']
            .map((prefix) => `begins_with(pk, ${prefix})`)
            .join(' OR '),
          ExpressionAttributeValues: {
            ':webhooks': `${PARTITION.webhooks}#`,
            ':idempotency': `${PARTITION.idempotency}#`,
            ':entries': `${PARTITION.listEntry}#`,
            ':inbound': `${PARTITION.inbound}#`,
          },
          ConsistentRead: true,
          ...(from ? { ExclusiveStartKey: from } : {}),
        });
        const page = await table.client.send(command);
        for (const item of page.Items ?? []) yield* sealedTexts(item);
        from = page.LastEvaluatedKey;
      } while (from);
    },

    async replace({ key, attribute, text: old }: StoredText, by: string): Promise<boolean> {
      return await isAccepted(
        updateItem(table, key, {
          UpdateExpression: 'SET #attribute = :new',
          ConditionExpression: '#attribute = :old',
          ExpressionAttributeNames: { '#attribute': attribute },
          ExpressionAttributeValues: { ':new': by, ':old': old },
        }),
      );
    },
  };
}
