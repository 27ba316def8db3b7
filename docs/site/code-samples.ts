import { curlOf, examplePath } from './api-reference';
import type { Operation } from './openapi-document';

/** A sample as viewers of OpenAPI documents show it. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** How the clients call an operation; `{}` stands for the body. An operation that they do not know is called over HTTP. */
const CALLS: Readonly<Record<string, readonly [typescript: string, python: string]>> = {
  'screen-transaction': ['transactions.screen({})', 'transactions.screen(**{})'],
  'get-transaction': ['transactions.get(ID)', 'transactions.get(ID)'],
  'screen-event': ['events.screen({})', 'events.screen(**{})'],
  'get-risk-profile': ['users.riskProfile(ID)', 'users.risk_profile(ID)'],
  'get-decision': ['decisions.get(ID)', 'decisions.get(ID)'],
  'review-decision': ['decisions.review(ID, {})', 'decisions.review(ID, {})'],
  'list-cases': ["cases.list({ status: 'open' })", 'cases.list(status="open")'],
  'get-case': ['cases.get(ID)', 'cases.get(ID)'],
  'resolve-case': ['cases.resolve(ID, {})', 'cases.resolve(ID, {})'],
  'get-overview': ['overview.get()', 'overview.get()'],
  'create-webhook': ['webhooks.create({})', 'webhooks.create({})'],
  'list-webhooks': ['webhooks.list()', 'webhooks.list()'],
  'delete-webhook': ['webhooks.delete(ID)', 'webhooks.delete(ID)'],
  'test-webhook': ['webhooks.test(ID)', 'webhooks.test(ID)'],
  'list-deliveries': ['deliveries.list(ID)', 'deliveries.list(ID)'],
  'redeliver-message': ['deliveries.redeliver(ID, ID2)', 'deliveries.redeliver(ID, ID2)'],
};

const bodyOf = ({ requestBody }: Operation): unknown => requestBody?.content['application/json'].example;

const inTypescript = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([a-z_]\w*)":/gm, '$1$2:')
    .replaceAll('"', "'");

const inPython = (value: unknown): string =>
  JSON.stringify(value, null, 4)
    .replace(/: true\b/g, ': True')
    .replace(/: false\b/g, ': False')
    .replace(/: null\b/g, ': None');

/** The IDs of the example's path, in their order. */
function idsOf(path: string): string[] {
  const names = path.split('/');
  return examplePath(path)
    .split('/')
    .filter((_, at) => names[at]?.startsWith('{'));
}

function filled(call: string, path: string, quote: string, body: string): string {
  const [first = '', second = ''] = idsOf(path).map((id) => `${quote}${id}${quote}`);
  return call.replace('ID2', second).replace('ID', first).replace('{}', body);
}

function typescriptOf(method: string, path: string, operation: Operation): string {
  const [call] = CALLS[operation.operationId] ?? [];
  const body = bodyOf(operation);
  if (call) {
    return `import { FraudScreening } from '@fraud-screening/client';

const fraud = new FraudScreening({
  apiKey: process.env.FRAUD_SCREENING_KEY ?? '',
  baseUrl: process.env.FRAUD_SCREENING_URL ?? '',
});
const result = await fraud.${filled(call, path, "'", inTypescript(body ?? {}))};
console.log(result);`;
  }
  const sent = body === undefined ? '' : `\n  body: JSON.stringify(${inTypescript(body).replaceAll('\n', '\n  ')}),`;
  return `const response = await fetch(\`\${process.env.FRAUD_SCREENING_URL}${examplePath(path)}\`, {
  method: '${method}',
  headers: {
    Authorization: \`Bearer \${process.env.FRAUD_SCREENING_KEY}\`,
    'Content-Type': 'application/json',
  },${sent}
});
console.log(response.status, await response.text());`;
}

function pythonOf(method: string, path: string, operation: Operation): string {
  const [, call] = CALLS[operation.operationId] ?? [];
  const body = bodyOf(operation);
  if (call) {
    return `import os
from fraud_screening import Client

client = Client(base_url=os.environ["FRAUD_SCREENING_URL"], api_key=os.environ["FRAUD_SCREENING_KEY"])
result = client.${filled(call, path, '"', inPython(body ?? {}))}
print(result)`;
  }
  const sent =
    body === undefined ? '' : `\n    data=json.dumps(${inPython(body).replaceAll('\n', '\n    ')}).encode(),`;
  return `import json
import os
import urllib.request

request = urllib.request.Request(
    os.environ["FRAUD_SCREENING_URL"] + "${examplePath(path)}",
    method="${method}",
    headers={
        "Authorization": "Bearer " + os.environ["FRAUD_SCREENING_KEY"],
        "Content-Type": "application/json",
    },${sent}
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())`;
}

/** The same call with curl, in TypeScript and in Python. */
export const codeSamples = (method: string, path: string, operation: Operation): CodeSample[] => [
  { lang: 'Shell', label: 'curl', source: curlOf(method, path, operation) },
  { lang: 'TypeScript', label: 'TypeScript', source: typescriptOf(method, path, operation) },
  { lang: 'Python', label: 'Python', source: pythonOf(method, path, operation) },
];
