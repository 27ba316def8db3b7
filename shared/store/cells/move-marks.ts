import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountMove } from '../../domain/accounts/account-move';
import { accountKey, accountPk, INBOUND_SK, inboundKey } from '../keys';
import { falseIfRefused, type Table } from '../sdk/client';
import type { Key } from '../sdk/key';
import { cellTable } from './cell-table';

/** What an account, and the addresses where its payment processors report, say about its move. */
export function moveMarks(table: Table, accountId: string) {
  const update = (Key: Key, expression: string, values: object, condition: string): Promise<boolean> =>
    table.client
      .send(
        new UpdateCommand({
          TableName: table.name,
          Key: { ...Key },
          UpdateExpression: expression,
          ConditionExpression: condition,
          ExpressionAttributeNames: { '#move': 'move' },
          ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: { ...values } } : {}),
        }),
      )
      .then(() => true, falseIfRefused);

  async function addresses(): Promise<Key[]> {
    const listed = await cellTable(table).query(accountPk(accountId), INBOUND_SK);
    return listed.map(({ sk }) => inboundKey(sk?.S?.slice(INBOUND_SK.length) ?? ''));
  }

  const onAddresses = async (expression: string, values: object): Promise<void> => {
    await Promise.all((await addresses()).map((key) => update(key, expression, values, 'attribute_exists(pk)')));
  };

  return {
    /** Begins a move, or takes one over that has not got to its end. */
    begin: (move: AccountMove): Promise<boolean> =>
      update(
        accountKey(accountId),
        'SET #move = :move',
        { ':move': move },
        'attribute_exists(pk) AND attribute_not_exists(#move.moved_at_ms)',
      ),

    /** Says what comes next; false if another command has taken over. */
    async change(move: AccountMove): Promise<boolean> {
      const values = { ':move': move };
      // The account is what decides: a move that another command has taken over changes nothing.
      const isOurs = await update(
        accountKey(accountId),
        'SET #move = :move',
        { ...values, ':id': move.move_id },
        '#move.move_id = :id AND attribute_not_exists(#move.moved_at_ms)',
      );
      if (isOurs) await onAddresses('SET #move = :move', values);
      return isOurs;
    },

    /** The account stays; false if it has moved already. */
    async clear(): Promise<boolean> {
      const isHere = await update(
        accountKey(accountId),
        'REMOVE #move',
        {},
        'attribute_exists(pk) AND attribute_not_exists(#move.moved_at_ms)',
      );
      if (isHere) await onAddresses('REMOVE #move', {});
      return isHere;
    },
  };
}
