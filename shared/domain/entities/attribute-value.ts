/** A value as DynamoDB's low-level API carries it: numbers are decimal strings, ours run to 38 digits. */
export type AttributeValue =
  | { readonly N: string }
  | { readonly S: string }
  | { readonly NS: readonly string[] }
  | { readonly SS: readonly string[] };

export type EntityItem = Readonly<Record<string, AttributeValue>>;

/** The part of an `UpdateItem` that domain decides; the store adds table and key. */
export interface UpdateParams {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues: Readonly<Record<string, AttributeValue>>;
  readonly ConditionExpression: string;
}

/** The digits of a number attribute, or undefined where there is none. */
export const digitsOf = (value: AttributeValue | undefined): string | undefined =>
  value !== undefined && 'N' in value ? value.N : undefined;

/** A plain counter; a compensation that came late can push it below zero, which reads as none. */
export function counterOf(value: AttributeValue | undefined): number {
  const digits = digitsOf(value);
  return digits === undefined || digits.charCodeAt(0) === 45 ? 0 : Number(digits);
}

export const textOf = (value: AttributeValue | undefined): string | undefined =>
  value !== undefined && 'S' in value ? value.S : undefined;

const NO_MEMBERS: readonly string[] = [];

/** The members of a string set; none where there is no set. */
export const membersOf = (value: AttributeValue | undefined): readonly string[] =>
  value !== undefined && 'SS' in value ? value.SS : NO_MEMBERS;
