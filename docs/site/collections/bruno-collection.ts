import { slugOf } from '../slug';
import { type CollectionRequest, FILLED_IN, foldersOf } from './collection-requests';

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');
const block = (name: string, lines: readonly string[]): string => `${name} {\n${indented(lines.join('\n'))}\n}\n`;
const entries = (values: ReadonlyArray<readonly [string, string | number]>): string[] =>
  values.map(([name, value]) => `${name}: ${value}`);

function requestText(request: CollectionRequest, seq: number): string {
  const { name, description, method, path, query, isOnce, body, statuses, saves } = request;
  const search = query.map(([key, value]) => `${key}=${value}`).join('&');
  const url = `{{baseUrl}}${path}${search === '' ? '' : `?${search}`}`;
  const call = entries([
    ['url', url],
    ['body', body === undefined ? 'none' : 'json'],
    ['auth', 'inherit'],
  ]);
  const [status = '', ...others] = statuses;
  const expected = others.length === 0 ? `eq ${status}` : `in [${statuses.join(', ')}]`;
  return [
    block(
      'meta',
      entries([
        ['name', name],
        ['type', 'http'],
        ['seq', seq],
      ]),
    ),
    block(method.toLowerCase(), call),
    ...(query.length > 0 ? [block('params:query', entries(query))] : []),
    ...(isOnce ? [block('headers', ['Idempotency-Key: {{$guid}}'])] : []),
    ...(body === undefined ? [] : [block('body:json', [JSON.stringify(body, null, 2)])]),
    ...(saves.length > 0
      ? [block('vars:post-response', entries(saves.map((member) => [member, `res.body.${member}`])))]
      : []),
    block('assert', [`res.status: ${expected}`]),
    block('docs', [description]),
  ].join('\n');
}

/** A collection for Bruno, as its files by path. The key is a secret variable: Bruno keeps it out of the files. */
export function brunoCollection(requests: readonly CollectionRequest[]): ReadonlyMap<string, string> {
  const settings = { version: '1', name: 'Fraud Screening Service', type: 'collection', ignore: [] };
  const files = new Map([
    ['bruno.json', `${JSON.stringify(settings, null, 2)}\n`],
    ['collection.bru', [block('auth', ['mode: bearer']), block('auth:bearer', ['token: {{apiKey}}'])].join('\n')],
    ['environments/local.bru', `${block('vars', [`baseUrl: ${FILLED_IN.baseUrl}`])}vars:secret [\n  apiKey\n]\n`],
  ]);
  for (const [at, folder] of foldersOf(requests).entries()) {
    files.set(
      `${slugOf(folder)}/folder.bru`,
      block(
        'meta',
        entries([
          ['name', folder],
          ['seq', at + 1],
        ]),
      ),
    );
    const inside = requests.filter((request) => request.folder === folder);
    for (const [index, request] of inside.entries())
      files.set(`${slugOf(folder)}/${slugOf(request.name)}.bru`, requestText(request, index + 1));
  }
  return files;
}
