import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { UpdateParams } from './attribute-value';

/** Packed numbers have up to 38 digits, which only a bigint keeps. */
const exactNumber = (digits: string): number | bigint => (digits.length < 16 ? Number(digits) : BigInt(digits));

type CounterParams = Omit<UpdateParams, 'ConditionExpression'>;

/** An entity's counter update in the document client's form, to be sent in a transaction with other items. */
export const documentParams = ({
  UpdateExpression,
  ExpressionAttributeNames,
  ExpressionAttributeValues,
}: CounterParams) => ({
  UpdateExpression,
  ExpressionAttributeNames: { ...ExpressionAttributeNames },
  ExpressionAttributeValues: unmarshall(ExpressionAttributeValues as Parameters<typeof unmarshall>[0], {
    wrapNumbers: exactNumber,
  }),
});
