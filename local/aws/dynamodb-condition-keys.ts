type AttributeValue = Readonly<Record<string, unknown>>;
type Attributes = Readonly<Record<string, AttributeValue>>;

/** The parts of a DynamoDB request that name attributes. */
export interface ExpressionInput {
  readonly Item?: Attributes;
  readonly Key?: Attributes;
  readonly IndexName?: string;
  readonly AttributesToGet?: readonly string[];
  readonly KeyConditionExpression?: string;
  readonly ProjectionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
}

/** Partition key attribute of a table and of each index. */
export interface TableKeys {
  readonly partitionKey: string;
  readonly indexes: Readonly<Record<string, string>>;
}

const text = (value: AttributeValue | undefined): string | undefined => {
  const [scalar] = Object.values(value ?? {});
  return scalar === undefined ? undefined : String(scalar);
};

/** Value of `dynamodb:LeadingKeys`: the partition keys a request names; undefined when it names none (a scan). */
export function leadingKeysOf(input: ExpressionInput, keys: TableKeys | undefined): readonly string[] | undefined {
  if (!keys) return undefined;
  const attribute = input.IndexName ? keys.indexes[input.IndexName] : keys.partitionKey;
  if (!attribute) return undefined;
  const direct = text((input.Item ?? input.Key)?.[attribute]);
  if (direct !== undefined) return [direct];
  for (const [, name = '', value = ''] of (input.KeyConditionExpression ?? '').matchAll(/([#\w.-]+)\s*=\s*(:\w+)/g)) {
    if ((input.ExpressionAttributeNames?.[name] ?? name) !== attribute) continue;
    const found = text(input.ExpressionAttributeValues?.[value]);
    return found === undefined ? undefined : [found];
  }
  return undefined;
}

const WORDS: ReadonlySet<string> = new Set(
  'SET REMOVE ADD DELETE AND OR NOT BETWEEN IN if_not_exists list_append attribute_exists attribute_not_exists attribute_type begins_with contains size'
    .split(' ')
    .flatMap((word) => [word, word.toLowerCase()]),
);

function namesIn(expression: string | undefined, names: Readonly<Record<string, string>>): readonly string[] {
  // A name is the first part of a document path: `#a.b[0]` is the attribute behind `#a`.
  const tokens = expression?.match(/(?<![\w.:#])#?[A-Za-z_]\w*/g) ?? [];
  return tokens.filter((token) => !WORDS.has(token)).map((token) => names[token] ?? token);
}

/** Value of `dynamodb:Attributes`: the top-level attributes a request names anywhere. */
export function attributesOf(input: ExpressionInput): readonly string[] | undefined {
  const names = input.ExpressionAttributeNames ?? {};
  const all = [
    ...Object.keys(input.Item ?? {}),
    ...Object.keys(input.Key ?? {}),
    ...(input.AttributesToGet ?? []),
    ...[
      input.KeyConditionExpression,
      input.ProjectionExpression,
      input.UpdateExpression,
      input.ConditionExpression,
      input.FilterExpression,
    ].flatMap((expression) => namesIn(expression, names)),
  ];
  return all.length > 0 ? [...new Set(all)] : undefined;
}
