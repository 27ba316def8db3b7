import {
  isReference,
  type OpenapiDocument,
  type Operation,
  type Parameter,
  type Schema,
  withoutReferences,
} from './openapi-document';

const INTRODUCTION = `# API reference

Every call and every error, with examples run by a test. The machine-readable version is [openapi.json](../openapi.json);
the local run also serves this reference at <http://localhost:3000/docs>. From TypeScript, use the [client](../../sdk/client/README.md).

To try the calls without code, import \`/openapi.json\` into Postman or Bruno: both make a collection of it.

## Conventions

- Paths start with \`/v1\`, relative to the \`ApiUrl\` that a deployment prints, or to \`http://localhost:3000\` on your machine.
- Every call needs \`Authorization: Bearer <API key>\`: \`sk_test_…\` in the sandbox, \`sk_live_…\` in production. Where people
  [sign in with their organization](sign-in.md), their access token works in place of a key. The role of the key or token
  (\`admin\`, \`server\`, \`analyst\` or \`readonly\`) decides which calls it may make; any other is answered 403 \`forbidden\`.
- Bodies are JSON of at most 64 KB. Unknown fields are ignored and listed in \`warnings\`. An error lists at most 50 problems
  and counts the rest; \`warnings\` likewise. No such answer exceeds 16 KB.
- A query parameter must not be repeated.
- \`X-Api-Version: 2026-11-14\` pins the version; the default is the newest. Responses may gain new fields at any time.
- \`Idempotency-Key\` on a \`POST\` (at most 255 characters): for 24 hours the same key and body return the first response, byte for
  byte, with \`Idempotent-Replayed: true\`, and nothing is done twice. A key belongs to one resource, however its path is escaped.
- Every response has an \`X-Request-Id\`. Times are ISO 8601 in UTC.

The examples read the address and the key from two variables:

\`\`\`sh
export API=http://localhost:3000
export KEY=sk_test_...
\`\`\`
`;

/** Advice to the caller; the codes are those of the document. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  invalid_request: 'Fix the fields listed in `details`; all problems are reported at once.',
  unsupported_api_version: 'Send one of the versions listed in the message, or omit the header.',
  unauthorized:
    'Check that the key is complete, not revoked or expired, and belongs to this stage; with an access token, sign in again.',
  not_found: 'Check the ID and which account the key belongs to; results are kept for 90 days.',
  method_not_allowed: 'Use a method listed in the `Allow` header.',
  case_not_open: 'Read the case: someone already resolved it, or it expired after 7 days.',
  list_type_fixed: 'Use the type the list has, or another name.',
  idempotency_in_progress: 'Wait for `Retry-After`, then send the same request again.',
  version_mismatch: 'Somebody changed it meanwhile: read it again, and repeat the change on top of theirs.',
  payload_too_large: 'Send less: custom attributes are short strings, not documents.',
  unsupported_media_type: 'Set the header `Content-Type: application/json`.',
  idempotency_mismatch: 'Use a new key for each new request.',
  rate_limited: 'Wait for `Retry-After`; spread out bursts, or ask the operator for a higher limit.',
  internal_error: 'Try again later; if it persists, give the operator the `request_id`.',
  unavailable: 'Wait for `Retry-After`, then send the same request with the same `Idempotency-Key`.',
};

const codeFence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const joined = (...texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join('; ');

function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.type === 'array') return `array of ${schema.items ? typeOf(schema.items) : 'values'}`;
  return String(schema.type ?? 'any');
}

/** Checks of a member that are code, which a schema cannot express. */
const NOTES: Readonly<Record<string, string>> = {
  currency: 'ISO 4217, withdrawn codes included; case-insensitive; returned in upper case',
  'billing_address.country': 'ISO 3166-1 alpha-2',
  ip_address: 'the customer’s IPv4 or IPv6 address',
  device_fingerprint: 'the token from the [device SDK](../../sdk/device/README.md)',
  custom_attributes: 'at most 50',
  url: 'https with a public address',
  limit: '1 to 100, default 20',
  offset: 'from 0 on',
  start_date: 'ISO 8601: created then or later',
  end_date: 'ISO 8601: created before',
};

/** The bounds of a value in words. */
function rulesOf(schema: Schema): string {
  const { minLength = 0, maxLength, minItems, maxItems, minimum, maximum, exclusiveMinimum } = schema;
  const rules = [
    maxLength === undefined
      ? ''
      : `${minLength > 0 ? `${minLength} to ${maxLength}` : `at most ${maxLength}`} characters`,
    maxItems === undefined ? '' : `${minItems ?? 0} to ${maxItems} entries`,
    exclusiveMinimum === undefined ? '' : `greater than ${exclusiveMinimum}`,
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    schema.description ?? '',
  ];
  if (typeof schema.additionalProperties === 'object') {
    const { propertyNames, additionalProperties: values } = schema;
    rules.push(`names of ${rulesOf(propertyNames ?? {})}; values of ${rulesOf(values)}`);
  }
  return joined(...rules);
}

function membersOf(schema: Schema, prefix = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const isRequired = schema.required?.includes(name) ? 'yes' : '';
    const path = prefix + name;
    return [
      [`\`${path}\``, typeOf(member), isRequired, joined(rulesOf(member), NOTES[path])],
      ...membersOf(member, `${path}.`),
    ];
  });
}

/** Stands for an ID or a name in the path, by the path's subject: the one that the examples have. */
const EXAMPLE_IDS: Readonly<Record<string, string>> = {
  transactions: 'txn_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  decisions: 'dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  cases: 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  webhooks: 'wh_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  erasures: 'era_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  users: 'user-42',
  lists: 'stolen-cards',
  rules: 'gift-cards',
  attributes: 'items',
  'event-types': 'gift_card_redeemed',
  counters: 'cards_per_email',
};

export function examplePath(path: string): string {
  const [, , about = ''] = path.split('/');
  return path
    .replace('{delivery_id}', 'dlv_01K9ZC3V5TAM7RW0V3C2Q9XN4D')
    .replace('{value}', 'fp_7d1e')
    .replace(/\{\w+\}/, (name) => EXAMPLE_IDS[about] ?? name);
}

/** Queries of calls that say more with one, or ask for one. */
export const EXAMPLE_QUERIES: Readonly<Record<string, string>> = {
  '/v1/cases': '?status=open&limit=20',
  '/v1/decisions': '?user_id=user-42&limit=20',
};

/** The call as a command. */
export function curlOf(method: string, path: string, { operationId, requestBody, parameters }: Operation): string {
  const isOnce = parameters.some((each) =>
    isReference(each) ? each.$ref.endsWith('/Idempotency-Key') : each.name === 'Idempotency-Key',
  );
  const query = EXAMPLE_QUERIES[path] ?? '';
  const address = `$API${examplePath(path)}${query}`;
  const example = requestBody?.content['application/json'].example;
  const lines = [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}${query ? `"${address}"` : address} -H "Authorization: Bearer $KEY"`,
    ...(isOnce ? [`  -H 'Idempotency-Key: ${operationId}-1001'`] : []),
    ...(example === undefined
      ? []
      : [
          `  -H 'Content-Type: application/json'`,
          `  -d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ')}'`,
        ]),
  ];
  return lines.join(' \\\n');
}

function answerOf({ responses }: Operation): string {
  const [status = '', response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const example = response?.content?.['application/json']?.example;
  const title = `**${status}** ${response?.description ?? ''}`.trim();
  return example === undefined ? title : `${title}\n\n${codeFence('json', JSON.stringify(example, null, 2))}`;
}

function errorsOf({ responses }: Operation): string {
  const codes = Object.entries(responses).flatMap(([status, { content }]) =>
    Object.keys(content?.['application/json']?.examples ?? {}).map((code) => `[${status} \`${code}\`](#${code})`),
  );
  return `Errors: ${codes.join(', ')}`;
}

function operationSection(method: string, path: string, operation: Operation): string {
  const parameters = operation.parameters
    .filter((each): each is Parameter => !isReference(each) && each.in !== 'header')
    .map(({ name, in: source, required, schema, description }) => [
      `\`${name}\``,
      source,
      required ? 'yes' : '',
      joined(schema.enum ? typeOf(schema) : '', rulesOf(schema), description, NOTES[name]),
    ]);
  const body = operation.requestBody?.content['application/json'].schema;
  return [
    `### ${method} ${path}`,
    `${operation.summary}. ${operation.description}`,
    ...(parameters.length > 0 ? [table(['Parameter', 'In', 'Required', 'Rules'], parameters)] : []),
    ...(body ? [table(['Member', 'Type', 'Required', 'Rules'], membersOf(body))] : []),
    codeFence('sh', curlOf(method, path, operation)),
    answerOf(operation),
    errorsOf(operation),
  ].join('\n\n');
}

function errorSection({ components, paths }: OpenapiDocument): string {
  const statusOf = (code: string): string =>
    Object.values(paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ responses }) => Object.entries(responses))
      .find(([, { content }]) => content?.['application/json']?.examples?.[code])?.[0] ?? '';
  const codes = Object.entries(components.examples).map(([code, { summary, value }]) =>
    [
      `### ${code}`,
      `**${statusOf(code)}** ${summary} ${WHAT_TO_DO[code] ?? ''}`.trim(),
      codeFence('json', JSON.stringify(value, null, 2)),
    ].join('\n\n'),
  );
  return [
    '## Errors',
    'Every error, including those of the gateway itself, has this shape. `details` is present when fields are invalid.',
    ...codes,
  ].join('\n\n');
}

/** docs/guide/api.md: the reference as Markdown, from docs/openapi.json. */
export function apiReference(published: OpenapiDocument): string {
  const document = withoutReferences(published);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security === undefined)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags[0] ?? ''))];
  const sections = tags.flatMap((tag) => [
    `## ${tag}`,
    ...operations
      .filter(({ operation }) => operation.tags[0] === tag)
      .map(({ method, path, operation }) => operationSection(method, path, operation)),
  ]);
  return `${[INTRODUCTION.trim(), ...sections, errorSection(document)].join('\n\n')}\n`;
}
