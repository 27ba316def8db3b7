import { EXAMPLE_QUERIES, examplePath } from '../api-reference';
import { isReference, type OpenapiDocument, type Operation } from '../openapi-document';

/** A request of a collection, before it has the format of Postman or Bruno. `{{name}}` stands for a variable in both. */
export interface CollectionRequest {
  readonly folder: string;
  readonly name: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
  /** Whether it has an `Idempotency-Key`: a new one each time it is sent. */
  readonly isOnce: boolean;
  readonly body?: unknown;
  /** The statuses that mean success. */
  readonly statuses: readonly number[];
  /** Members of the response that later requests need: each becomes the variable of its name. */
  readonly saves: readonly string[];
}

/** Variables that a person fills in, with their values for the local run. */
export const FILLED_IN = { baseUrl: 'http://localhost:3000', apiKey: '' } as const;

const SAVES: Readonly<Record<string, readonly string[]>> = {
  'screen-transaction': ['transaction_id', 'decision_id'],
  'create-webhook': ['webhook_id'],
  'test-webhook': ['delivery_id'],
  'erase-user': ['erasure_id'],
};

/** Variables that requests save for later ones. */
export const SAVED: readonly string[] = [...new Set([...Object.values(SAVES).flat(), 'case_id'])];

/** Sent before the request that needs a case of its own: in the sandbox a decision can be asked for. */
const heldPayment = (name: string, key: string): CollectionRequest => ({
  folder: 'Cases',
  name,
  description: 'Opens a case for the requests below: sandbox test values choose the decision.',
  method: 'POST',
  path: '/v1/transactions/screen',
  query: [],
  isOnce: true,
  body: { user_id: key, amount: 25, currency: 'EUR', custom_attributes: { sandbox_decision: 'review' } },
  statuses: [200],
  saves: ['case_id'],
});
const BEFORE: Readonly<Record<string, CollectionRequest>> = {
  'list-cases': heldPayment('Hold a payment for review', 'user-held-1'),
  'resolve-cases': heldPayment('Hold another payment for review', 'user-held-2'),
};

/** Where the order of the document is not the order to send in. Everything else has 2, what deletes has 5. */
const ORDER: Readonly<Record<string, number>> = {
  'put-rule': 1,
  'put-list': 1,
  'release-case': 3,
  'resolve-case': 4,
  'resolve-cases': 4,
  'delete-list': 6,
  'get-erasure': 6,
};
const orderOf = (method: string, { operationId }: Operation): number =>
  ORDER[operationId] ?? (method === 'DELETE' ? 5 : 2);

/** IDs in a path, and in a body, that an earlier request has saved. */
const SAVED_IDS: Readonly<Record<string, string>> = {
  txn: 'transaction_id',
  dec: 'decision_id',
  case: 'case_id',
  wh: 'webhook_id',
  dlv: 'delivery_id',
  era: 'erasure_id',
};
const withVariables = (text: string): string =>
  text.replace(/\b([a-z]+)_01K9ZC\w{20}/g, (id, prefix: string) => {
    const variable = SAVED_IDS[prefix];
    return variable === undefined ? id : `{{${variable}}}`;
  });

/** The body of the reference, with the variables. Many IDs of one kind become one. */
function bodyOf({ requestBody }: Operation): unknown {
  const example = requestBody?.content['application/json'].example;
  if (example === undefined) return undefined;
  const body = JSON.parse(withVariables(JSON.stringify(example))) as Record<string, unknown>;
  return 'case_ids' in body ? { ...body, case_ids: ['{{case_id}}'] } : body;
}

function requestOf(method: string, path: string, operation: Operation): CollectionRequest {
  const { operationId, summary, description, parameters, responses, tags } = operation;
  // Erasing the user of all the other examples would leave nothing for them to show.
  const example = operationId === 'erase-user' ? '/v1/users/user-to-erase' : examplePath(path);
  const body = bodyOf(operation);
  return {
    folder: tags[0] ?? '',
    name: summary,
    description,
    method,
    path: withVariables(example),
    query: [...new URLSearchParams(EXAMPLE_QUERIES[path] ?? '')],
    isOnce: parameters.some((each) => isReference(each) && each.$ref.endsWith('/Idempotency-Key')),
    ...(body === undefined ? {} : { body }),
    statuses: Object.keys(responses)
      .filter((status) => status.startsWith('2'))
      .map(Number),
    saves: SAVES[operationId] ?? [],
  };
}

/** Every call that takes an API key, in an order in which all of them succeed with a new account of the sandbox. */
export function collectionRequests({ paths }: OpenapiDocument): CollectionRequest[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security === undefined)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const folders = [...new Set(operations.map(({ operation }) => operation.tags[0]))];
  return folders.flatMap((folder) =>
    operations
      .filter(({ operation }) => operation.tags[0] === folder)
      .sort((one, other) => orderOf(one.method, one.operation) - orderOf(other.method, other.operation))
      .flatMap(({ method, path, operation }) => {
        const before = BEFORE[operation.operationId];
        return [...(before ? [before] : []), requestOf(method, path, operation)];
      }),
  );
}

/** The names of the folders, in their order. */
export const foldersOf = (requests: readonly CollectionRequest[]): string[] => [
  ...new Set(requests.map(({ folder }) => folder)),
];
