import { type CollectionRequest, FILLED_IN, foldersOf, SAVED } from './collection-requests';

/** Run by Postman after each response, in its own sandbox. */
function scriptOf({ statuses, saves }: CollectionRequest): string[] {
  return [
    `pm.test('Status is ${statuses.join(' or ')}', () => pm.expect(pm.response.code).to.be.oneOf(${JSON.stringify(statuses)}));`,
    ...saves.map((name) => `pm.collectionVariables.set('${name}', pm.response.json().${name});`),
  ];
}

function itemOf(request: CollectionRequest): object {
  const { name, description, method, path, query, isOnce, body } = request;
  const search = query.map(([key, value]) => `${key}=${value}`).join('&');
  return {
    name,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(request) } }],
    request: {
      method,
      description,
      header: [
        ...(isOnce ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ],
      url: {
        raw: `{{baseUrl}}${path}${search === '' ? '' : `?${search}`}`,
        host: ['{{baseUrl}}'],
        path: path.slice(1).split('/'),
        ...(query.length > 0 ? { query: query.map(([key, value]) => ({ key, value })) } : {}),
      },
      ...(body === undefined
        ? {}
        : { body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } } }),
    },
  };
}

/** A collection for Postman and Newman (format 2.1). */
export function postmanCollection(requests: readonly CollectionRequest[]): object {
  return {
    info: {
      name: 'Fraud Screening Service',
      description:
        'Every call of the API. Set the variables baseUrl and apiKey (a sandbox key); run as a whole, each request leaves the next ones the IDs they need.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      ...Object.entries(FILLED_IN).map(([key, value]) => ({ key, value })),
      ...SAVED.map((key) => ({ key, value: '' })),
    ],
    item: foldersOf(requests).map((folder) => ({
      name: folder,
      item: requests.filter((request) => request.folder === folder).map(itemOf),
    })),
  };
}
