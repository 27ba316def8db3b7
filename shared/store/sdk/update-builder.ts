import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue, UpdateParams } from './attribute-value';

/** The most attributes that one of our updates names; DynamoDB's own limit is 300 operators per expression. */
const MOST = 160;
const NAME_TOKENS = Array.from({ length: MOST }, (_, at) => `#${at}`);
const VALUE_TOKENS = Array.from({ length: MOST }, (_, at) => `:${at}`);

/** Collects the clauses of one update, in any order: for the rare updates (`numbered-update.ts` is for the hot one). */
export interface UpdateBuilder {
  names: Record<string, string>;
  values: Record<string, AttributeValue>;
  nameCount: number;
  valueCount: number;
  set: string;
  add: string;
  remove: string;
  delete: string;
}

export const startUpdate = (): UpdateBuilder => ({
  names: {},
  values: {},
  nameCount: 0,
  valueCount: 0,
  set: '',
  add: '',
  remove: '',
  delete: '',
});

export function nameToken(builder: UpdateBuilder, name: string): string {
  const token = NAME_TOKENS[builder.nameCount++] ?? '';
  builder.names[token] = name;
  return token;
}

export function valueToken(builder: UpdateBuilder, value: AttributeValue): string {
  const token = VALUE_TOKENS[builder.valueCount++] ?? '';
  builder.values[token] = value;
  return token;
}

export function setValue(builder: UpdateBuilder, name: string, value: AttributeValue): void {
  const token = nameToken(builder, name);
  builder.set += `${builder.set === '' ? 'SET ' : ', '}${token} = ${valueToken(builder, value)}`;
}

export function setOnce(builder: UpdateBuilder, name: string, value: AttributeValue): void {
  const token = nameToken(builder, name);
  const once = `if_not_exists(${token}, ${valueToken(builder, value)})`;
  builder.set += `${builder.set === '' ? 'SET ' : ', '}${token} = ${once}`;
}

/** Sets an attribute to the value of another one that the item may have, else to `value`. */
export function setFrom(builder: UpdateBuilder, name: string, other: string, value: AttributeValue): void {
  const token = nameToken(builder, name);
  const from = `if_not_exists(${nameToken(builder, other)}, ${valueToken(builder, value)})`;
  builder.set += `${builder.set === '' ? 'SET ' : ', '}${token} = ${from}`;
}

export function addTo(builder: UpdateBuilder, name: string, value: AttributeValue): void {
  const token = nameToken(builder, name);
  builder.add += `${builder.add === '' ? ' ADD ' : ', '}${token} ${valueToken(builder, value)}`;
}

export function removeName(builder: UpdateBuilder, name: string): string {
  const token = nameToken(builder, name);
  builder.remove += `${builder.remove === '' ? ' REMOVE ' : ', '}${token}`;
  return token;
}

export function deleteFrom(builder: UpdateBuilder, name: string, members: readonly string[]): void {
  const token = nameToken(builder, name);
  builder.delete += `${builder.delete === '' ? ' DELETE ' : ', '}${token} ${valueToken(builder, { SS: members })}`;
}

export const isFull = (builder: UpdateBuilder): boolean => builder.nameCount >= MOST - 10;

export const finishUpdate = (builder: UpdateBuilder, ConditionExpression: string): UpdateParams => ({
  UpdateExpression: (builder.set + builder.add + builder.remove + builder.delete).trimStart(),
  ExpressionAttributeNames: builder.names,
  ExpressionAttributeValues: builder.values,
  ConditionExpression,
});

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
