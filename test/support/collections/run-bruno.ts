import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filledIn, type Ran, send } from './send';

/** The blocks of a file in Bruno's language, without their indentation. */
function blocksOf(text: string): ReadonlyMap<string, string> {
  const blocks = [...text.matchAll(/^([\w:-]+) \{\n([\s\S]*?)^\}$/gm)];
  return new Map(blocks.map(([, name = '', inside = '']) => [name, inside.replace(/^ {2}/gm, '').trim()]));
}

const entriesOf = (block = ''): Record<string, string> =>
  Object.fromEntries(
    block
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );

const METHODS = ['get', 'post', 'put', 'delete'];

function bySeq(folder: string, names: readonly string[], fileOf: (name: string) => string): string[] {
  const seq = (name: string): number =>
    Number(entriesOf(blocksOf(readFileSync(join(folder, fileOf(name)), 'utf8')).get('meta')).seq);
  return [...names].sort((one, other) => seq(one) - seq(other));
}

/** Files of requests in the order in which Bruno sends them: folders, and then what is in them, by `seq`. */
function requestFiles(root: string): string[] {
  const folders = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'environments')
    .map(({ name }) => name);
  return bySeq(root, folders, (name) => join(name, 'folder.bru')).flatMap((folder) => {
    const inside = readdirSync(join(root, folder)).filter((name) => name !== 'folder.bru');
    return bySeq(join(root, folder), inside, (name) => name).map((name) => join(root, folder, name));
  });
}

/** `eq 200` or `in [200, 201]`. */
const holds = (assertion: string, status: number): boolean =>
  /^(?:eq|in) /.test(assertion) && (assertion.match(/\d+/g) ?? []).map(Number).includes(status);

/** Runs a collection as Bruno's command line does: one request after the other, each with its assertions. */
export async function runBruno(root: string, given: Readonly<Record<string, string>>): Promise<Ran[]> {
  const variables: Record<string, string> = { ...given };
  const token = entriesOf(blocksOf(readFileSync(join(root, 'collection.bru'), 'utf8')).get('auth:bearer')).token ?? '';
  const ran: Ran[] = [];
  for (const file of requestFiles(root)) {
    const blocks = blocksOf(readFileSync(file, 'utf8'));
    const fill = (text: string): string => filledIn(text, { ...variables, $guid: randomUUID() });
    const method = METHODS.find((each) => blocks.has(each)) ?? '';
    const body = blocks.get('body:json');
    const answer = await send({
      method: method.toUpperCase(),
      url: fill(entriesOf(blocks.get(method)).url ?? ''),
      headers: {
        Authorization: `Bearer ${fill(token)}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...Object.fromEntries(
          Object.entries(entriesOf(blocks.get('headers'))).map(([key, value]) => [key, fill(value)]),
        ),
      },
      body: body && fill(body),
    });
    for (const [name, path] of Object.entries(entriesOf(blocks.get('vars:post-response')))) {
      variables[name] = JSON.parse(answer.text)[path.replace('res.body.', '')];
    }
    const assertion = entriesOf(blocks.get('assert'))['res.status'] ?? '';
    const { name = '' } = entriesOf(blocks.get('meta'));
    ran.push({ name, status: answer.status, passed: holds(assertion, answer.status), text: answer.text });
  }
  return ran;
}
