import { isReference, type OpenapiDocument, type Operation, type Parameter, type Schema } from './openapi-document';

const INTRODUCTION = `# API reference

Every call, with an example that a test has run, and every error. The same as a machine reads it: [openapi.json](../openapi.json);
the local run shows it at <http://localhost:3000/docs>. From TypeScript, use the [client](../../sdk/client/README.md).

## Conventions

- Paths begin with \`/v1\`, below the \`ApiUrl\` that a deployment prints or, on your machine, \`http://localhost:3000\`.
- Every call has \`Authorization: Bearer <API key>\`: \`sk_test_…\` in the sandbox, \`sk_live_…\` in production.
- Bodies are JSON of at most 64 KB. Members that a call does not know are ignored and named in \`warnings\` of the answer.
- \`X-Api-Version: 2026-11-14\` pins the version; without it, the newest. Answers may get new members at any time.
- \`Idempotency-Key\` on a \`POST\` (at most 255 characters): for 24 hours the same key and body give the first answer, byte for
  byte, with \`Idempotent-Replayed: true\`, and nothing happens a second time.
- Every answer has \`X-Request-Id\`. Times are ISO 8601 in UTC.

The examples take the address and the key from two variables:

\`\`\`sh
export API=http://localhost:3000
export KEY=sk_test_...
\`\`\`
`;

/** What the caller should do; the codes are those of the document. */
const WHAT_TO_DO: Readonly<Record<string, string>> = {
  invalid_request: 'Correct the members that `details` names; all faults are there at once.',
  unsupported_api_version: 'Send one of the versions that the message names, or no header.',
  unauthorized: 'Check that the key is whole, not revoked, and of this stage.',
  not_found: 'Check the id and whose key it is; results are kept for 90 days.',
  method_not_allowed: 'Use a method that the header `Allow` lists.',
  case_not_open: 'Read the case: somebody was faster, or it expired after 7 days.',
  idempotency_in_progress: 'Wait as `Retry-After` says and send the same request again.',
  payload_too_large: 'Send less: custom attributes are short texts, not documents.',
  unsupported_media_type: 'Set the header `Content-Type: application/json`.',
  idempotency_mismatch: 'Use another key for another request; a key names one intent.',
  rate_limited: 'Wait as `Retry-After` says; spread bursts, or ask the operator for a higher limit.',
  internal_error: 'Try again later; if it stays, tell the operator the `request_id`.',
  unavailable: 'Wait as `Retry-After` says and send the same request, with the same `Idempotency-Key`.',
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

/** What a schema cannot say of a member: checks that are code. */
const NOTES: Readonly<Record<string, string>> = {
  currency: 'ISO 4217, in any case; answered in capitals',
  'billing_address.country': 'ISO 3166-1 alpha-2',
  ip_address: 'IPv4 or IPv6, of the customer',
  device_fingerprint: 'the token of the [device SDK](../../sdk/device/README.md)',
  custom_attributes: 'at most 50',
  url: 'https only, with a public address',
  limit: '1 to 100; 20 by default',
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

/** What stands for an id in the path: the one that the examples have. */
const EXAMPLE_IDS: Readonly<Record<string, string>> = {
  '/v1/transactions/{id}': 'txn_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  '/v1/decisions/{id}': 'dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  '/v1/decisions/{id}/review': 'dec_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
  '/v1/cases/{id}': 'case_01K9ZC3V5T8QJ4M2N6P7R8S9TB',
};

function examplePath(path: string): string {
  return path
    .replace('{delivery_id}', 'dlv_01K9ZC3V5TAM7RW0V3C2Q9XN4D')
    .replace('{user_id}', 'user-42')
    .replace('{id}', EXAMPLE_IDS[path] ?? 'wh_01K9ZC3V5T8QJ4M2N6P7R8S9TB');
}

function curlOf(method: string, path: string, { operationId, requestBody, parameters }: Operation): string {
  const isOnce = parameters.some((each) => isReference(each) && each.$ref.endsWith('/Idempotency-Key'));
  const query = path === '/v1/cases' ? '?status=open&limit=20' : '';
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
  return codeFence('sh', lines.join(' \\\n'));
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
    .filter((each): each is Parameter => !isReference(each))
    .map(({ name, in: place, required, schema, description }) => [
      `\`${name}\``,
      place,
      required ? 'yes' : '',
      joined(schema.enum ? typeOf(schema) : '', rulesOf(schema), description, NOTES[name]),
    ]);
  const body = operation.requestBody?.content['application/json'].schema;
  return [
    `### ${method} ${path}`,
    `${operation.summary}. ${operation.description}`,
    ...(parameters.length > 0 ? [table(['Parameter', 'In', 'Required', 'Rules'], parameters)] : []),
    ...(body ? [table(['Member', 'Type', 'Required', 'Rules'], membersOf(body))] : []),
    curlOf(method, path, operation),
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
    'Every error, the gateway’s own included, has this shape. `details` is there where members are at fault.',
    ...codes,
  ].join('\n\n');
}

/** docs/guide/api.md: the reference as Markdown, from docs/openapi.json. */
export function apiReference(document: OpenapiDocument): string {
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
