import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../../shared/store/sdk/batch-get';
import type { Table } from '../../shared/store/sdk/client';
import { emptyTable } from '../support/empty-table';

const keyOf = (number: number) => ({ pk: `P#${number % 7}`, sk: `S#${number}` });

async function fill(table: Table, count: number, member = {}): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number);
  await Promise.all(
    numbers.map((number) =>
      table.client.send(new PutCommand({ TableName: table.name, Item: { ...keyOf(number), number, ...member } })),
    ),
  );
}

it('finds each of many, also what is asked for twice, and nothing for what is not there', async () => {
  const table = await emptyTable();
  await fill(table, 130);
  const asked = [...Array(140).keys(), 3, 3, 129].map(keyOf);
  const itemOf = await batchGet(table, asked);
  expect([0, 99, 100, 129].map((number) => itemOf(keyOf(number))?.number)).toEqual([0, 99, 100, 129]);
  expect([itemOf(keyOf(130)), itemOf(keyOf(9999))]).toEqual([undefined, undefined]);
});

it('asks nothing of the table for no keys', async () => {
  const itemOf = await batchGet({ client: undefined as never, name: 'none' }, []);
  expect(itemOf(keyOf(1))).toBeUndefined();
});

it('what DynamoDB leaves out is unavailable, and not taken for missing', async () => {
  const table = await emptyTable();
  // More than the 16 MB that fit an answer.
  await fill(table, 48, { filler: 'x'.repeat(390_000) });
  const itemOf = await batchGet(table, [...Array(48).keys()].map(keyOf));
  const answers = [...Array(48).keys()].map((number) => {
    try {
      return itemOf(keyOf(number))?.number;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  });
  const read = answers.filter((answer) => typeof answer === 'number').length;
  expect(read).toBeGreaterThan(30);
  expect(answers.filter((answer) => answer === 'unavailable')).toHaveLength(48 - read);
  expect(read).toBeLessThan(48);
});
