import { randomUUID } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { filledIn, type Ran, send } from './send';

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly event?: ReadonlyArray<{ readonly listen: string; readonly script: { readonly exec: readonly string[] } }>;
  readonly request: {
    readonly method: string;
    readonly header: ReadonlyArray<{ readonly key: string; readonly value: string }>;
    readonly url: { readonly raw: string };
    readonly body?: { readonly raw: string };
  };
}

interface Collection {
  readonly auth: { readonly bearer: readonly [{ readonly value: string }] };
  readonly variable: ReadonlyArray<{ readonly key: string; readonly value: string }>;
  readonly item: readonly Item[];
}

const requestsIn = (items: readonly Item[]): Item[] =>
  items.flatMap((each) => (each.item ? requestsIn(each.item) : each));

/** Runs a collection as Newman does: one request after the other, each followed by its script. */
export async function runPostman(collection: Collection, given: Readonly<Record<string, string>>): Promise<Ran[]> {
  const variables = { ...Object.fromEntries(collection.variable.map(({ key, value }) => [key, value])), ...given };
  const ran: Ran[] = [];
  for (const { name, request, event = [] } of requestsIn(collection.item)) {
    const fill = (text: string): string => filledIn(text, { ...variables, $guid: randomUUID() });
    const answer = await send({
      method: request.method,
      url: fill(request.url.raw),
      headers: {
        Authorization: `Bearer ${fill(collection.auth.bearer[0].value)}`,
        ...Object.fromEntries(request.header.map(({ key, value }) => [key, fill(value)])),
      },
      body: request.body && fill(request.body.raw),
    });
    const tests: boolean[] = [];
    const pm = {
      response: { code: answer.status, json: () => JSON.parse(answer.text) },
      collectionVariables: { set: (key: string, value: string) => Object.assign(variables, { [key]: value }) },
      expect: (value: unknown) => ({ to: { be: { oneOf: (all: unknown[]) => tests.push(all.includes(value)) } } }),
      test: (_name: string, check: () => void) => check(),
    };
    for (const { script } of event) runInNewContext(script.exec.join('\n'), { pm });
    ran.push({ name, status: answer.status, passed: tests.length > 0 && tests.every(Boolean), text: answer.text });
  }
  return ran;
}
