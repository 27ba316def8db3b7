import { routes } from '../../../local/gateway/rest-api';

describe('route matching', () => {
  const table = routes<string>();
  for (const [path, method] of [
    ['/', 'GET'],
    ['/v1/items', 'GET'],
    ['/v1/items', 'ANY'],
    ['/v1/items/{id}', 'GET'],
    ['/v1/items/{id}', 'ANY'],
    ['/v1/items/search', 'GET'],
    ['/v1/items/{id}/notes/{note}', 'PUT'],
    ['/files/{path+}', 'GET'],
    ['/files/readme', 'GET'],
  ] as const) {
    table.add(path, method, `${method} ${path}`);
  }
  const match = (method: string, path: string) =>
    table.match(
      path
        .split('/')
        .slice(1)
        .filter((part, index) => part !== '' || index > 0),
      method,
    );

  it.each([
    ['GET', '/', 'GET /', {}],
    ['GET', '/v1/items', 'GET /v1/items', {}],
    ['DELETE', '/v1/items', 'ANY /v1/items', {}],
    ['GET', '/v1/items/7', 'GET /v1/items/{id}', { id: '7' }],
    ['PATCH', '/v1/items/7', 'ANY /v1/items/{id}', { id: '7' }],
    ['GET', '/v1/items/search', 'GET /v1/items/search', {}],
    ['PUT', '/v1/items/7/notes/8', 'PUT /v1/items/{id}/notes/{note}', { id: '7', note: '8' }],
    ['PUT', '/v1/items/search/notes/8', 'PUT /v1/items/{id}/notes/{note}', { id: 'search', note: '8' }],
    ['GET', '/files/a/b/c', 'GET /files/{path+}', { path: 'a/b/c' }],
    ['GET', '/files/readme', 'GET /files/readme', {}],
  ])('%s %s → %s', (method, path, route, pathParameters) => {
    expect(match(method, path)).toMatchObject({ route, pathParameters, path: route.split(' ')[1] });
  });

  it.each([
    ['GET', '/v2/items'],
    ['POST', '/'],
    ['GET', '/v1/items/7/notes'],
    ['POST', '/files/a'],
    ['GET', '/v1'],
  ])('%s %s matches nothing', (method, path) => {
    expect(match(method, path)).toBeUndefined();
  });
});
